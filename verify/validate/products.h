// In which precision an operation takes its products: what its precision and algorithm attributes say.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ir/program.h"

namespace partir::validate {

/// Products in a precision are worth a unit of their own, an unknown number: sums and multiples of them are like
/// others, and nothing equals what takes its products in another precision. In the precision of most of the source's
/// products the unit is 1, so that these may be written as multiplications, too.
class Products {
 public:
  explicit Products(const Function& source);
  /// What the unit of the operation's products stands for; nothing where it is 1, or no products are rounded.
  [[nodiscard]] std::optional<std::string> unit_of(const Function& f, const Op& op) const;

 private:
  std::string most_;
};

}  // namespace partir::validate
