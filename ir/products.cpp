#include "ir/products.h"

namespace partir {

std::optional<std::string> precision_of_products(const Op& op, ElementType result) {
  const std::string& name = op.name();
  const bool multiplies = name == "stablehlo.dot_general" || name == "stablehlo.dot" ||
                          name == "stablehlo.convolution" || name == "chlo.ragged_dot";
  if (!multiplies || !(is_float(result) || is_complex(result))) return std::nullopt;
  std::string out;
  for (const char* attribute : {"precision_config", "algorithm"}) {
    const Attribute* a = find(op.attributes, attribute);
    if (a == nullptr) continue;
    const std::string text = a->str();
    if (text.find("HIGH") != std::string::npos || text.find("algorithm") != std::string::npos) out += text;
  }
  return out;
}

}  // namespace partir
