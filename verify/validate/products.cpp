#include "verify/validate/products.h"

#include <algorithm>

#include "ir/control_flow.h"
#include "ir/products.h"

namespace partir::validate {
namespace {

std::optional<std::string> precision_in(const Function& f, const Op& op) {
  if (op.results.size() != 1 || !f.type(op.results[0]).is_tensor()) return std::nullopt;
  return precision_of_products(op, f.tensor(op.results[0]).element);
}

}  // namespace

Products::Products(const Function& source) {
  std::map<std::string, std::size_t> count;
  for_each_op(source.body, [&](const Op& op) {
    if (const auto precision = precision_in(source, op)) ++count[*precision];
  });
  const auto most =
      std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != count.end()) most_ = most->first;
}

std::optional<std::string> Products::precision_of(const Function& f, const Op& op) const {
  const auto own = precision_in(f, op);
  if (!own || *own == most_) return std::nullopt;
  return "for products in precision " + *own;
}

}  // namespace partir::validate
