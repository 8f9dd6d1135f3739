#include "ir/products.h"

#include <algorithm>

namespace partir {

std::optional<std::string> precision_of_products(const Op& op, ElementType result) {
  const auto& attributes = op.decl->attributes;
  const bool multiplies =
      std::any_of(attributes.begin(), attributes.end(), [](const AttrSpec& a) { return a.name == "precision_config"; });
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
