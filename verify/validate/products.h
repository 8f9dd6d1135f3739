// In which precision an operation takes its products: what its precision and algorithm attributes say.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ir/program.h"

namespace partir::validate {

/// A product in a precision of its own is one of what that precision makes of its operands, an unknown function of each
/// element: nothing equals what takes other products in that precision. In the precision of most of the source's
/// products the operands are as they are, so that these may be written as multiplications, too.
///   dot(dot(x, y), z), the inner one HIGHEST:  f(x) f(y) z;  the outer one HIGHEST:  f(x y) f(z)
class Products {
 public:
  explicit Products(const Function& source);
  /// What the function stands for; nothing where operands are as they are, or no products are rounded.
  [[nodiscard]] std::optional<std::string> precision_of(const Function& f, const Op& op) const;

 private:
  std::string most_;
};

}  // namespace partir::validate
