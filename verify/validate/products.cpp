#include "verify/validate/products.h"

#include <algorithm>

#include "ir/control_flow.h"

namespace partir::validate {
namespace {

/// Empty where nothing is said, or the default.
std::string precision_of(const Op& op) {
  std::string out;
  for (const char* name : {"precision_config", "algorithm"}) {
    const Attribute* a = find(op.attributes, name);
    if (a == nullptr) continue;
    const std::string text = a->str();
    if (text.find("HIGH") != std::string::npos || text.find("algorithm") != std::string::npos) out += text;
  }
  return out;
}

bool takes_products(const Function& f, const Op& op) {
  const auto is_real = [&](ValueId v) {
    return f.type(v).is_tensor() && (is_float(f.type(v)->element) || is_complex(f.type(v)->element));
  };
  const std::string& name = op.name();
  return (name == "stablehlo.dot_general" || name == "stablehlo.dot" || name == "stablehlo.convolution") &&
         is_real(op.results[0]);
}

}  // namespace

Products::Products(const Function& source) {
  std::map<std::string, std::size_t> count;
  for_each_op(source.body, [&](const Op& op) {
    if (takes_products(source, op)) ++count[precision_of(op)];
  });
  const auto most =
      std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != count.end()) most_ = most->first;
}

std::optional<std::string> Products::unit_of(const Function& f, const Op& op) const {
  if (!takes_products(f, op)) return std::nullopt;
  std::string own = precision_of(op);
  if (own == most_) return std::nullopt;
  return "products in precision " + own;
}

}  // namespace partir::validate
