// Dimensions that the devices do not divide. The program is first written on values that go on behind their ends, up to
// a size that divides; then it is tiled like any other (docs/adr/0075-padding.md).
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace partir {

/// A dimension that is wanted in so many parts.
struct UnevenDim {
  ValueId value;
  Dim dim = 0;
  std::int64_t parts = 1;
  friend auto operator<=>(const UnevenDim&, const UnevenDim&) = default;
};

/// How a function is written on padded values.
struct Padding {
  std::vector<UnevenDim> uneven;    ///< in the order in which they were asked for
  std::set<std::size_t> arguments;  ///< that come without padding
  std::set<std::size_t> results;    ///< that are returned without padding
  [[nodiscard]] bool empty() const { return uneven.empty(); }
  friend bool operator==(const Padding&, const Padding&) = default;
};

/// The function on padded values. Every value of `function` keeps its number; its dimensions are as long as before or
/// longer, and what it was stands at their beginnings, whatever stands behind the ends of the arguments. What an
/// operation reduces is replaced by the identity of the reduction behind its end first (a select by position).
///
/// A dimension of size d in p parts gets p * ceil(d / p) elements, and so do those that operations compute of it
/// element by element, by their entries. Where an operation takes a dimension otherwise, its padding is cut off.
Function padded(const Function& function, const Padding& padding);

}  // namespace partir
