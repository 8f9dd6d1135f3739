// The precision in which operations compute products (dot_general, convolution), from their precision and algorithm
// attributes, in evaluation on elements.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ir/program.h"

namespace partir::validate {

/// A product in a given precision is modelled as a product of an unknown function, identified by the precision, of each
/// operand element, so it only equals products in the same precision. In the precision of most of the source's products
/// the operands are used unchanged, so these also equal multiplications.
///   dot(dot(x, y), z), the inner one HIGHEST:  f(x) f(y) z;  the outer one HIGHEST:  f(x y) f(z)
class Products {
 public:
  explicit Products(const Function& source);
  /// Identifies the function for the operation's precision. Nothing if operands are used unchanged or the operation has
  /// no products.
  [[nodiscard]] std::optional<std::string> precision_of(const Function& f, const Op& op) const;

 private:
  std::string most_;
};

}  // namespace partir::validate
