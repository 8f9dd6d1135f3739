// Padding of dimensions that the number of devices does not divide. The program is first rewritten on padded values,
// whose sizes divide; then it is tiled like any other program (docs/adr/0075-padding.md). The session calls this for
// tactics with "uneven".
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace partir {

/// A dimension that is to be divided into `parts` parts.
struct UnevenDim {
  ValueId value;
  Dim dim = 0;
  std::int64_t parts = 1;
  friend auto operator<=>(const UnevenDim&, const UnevenDim&) = default;
};

/// How a function is rewritten on padded values.
struct Padding {
  std::vector<UnevenDim> uneven;    ///< in the order in which they were requested
  std::set<std::size_t> arguments;  ///< arguments that are passed without padding
  std::set<std::size_t> results;    ///< results that are returned without padding
  [[nodiscard]] bool empty() const { return uneven.empty(); }
  friend bool operator==(const Padding&, const Padding&) = default;
};

/// Returns the function on padded values. Every value of `function` keeps its number and its rank; its dimensions keep
/// their size or grow. The original value is the leading part of the padded value, whatever the padding of the
/// arguments contains. Where an operation reduces a padded dimension, the padding is first replaced by the identity of
/// the reduction (a select by position).
///
/// A dimension of size d in p parts gets p * ceil(d / p) elements (10 in 4 parts: 12), or more where a stride is to
/// divide each part (130 in 4 parts, pooled by 2: 136), and so do the dimensions that operations compute from it
/// element by element, according to their entries. The padding is sliced off before an operation that uses the
/// dimension in any other way.
Function padded(const Function& function, const Padding& padding);

}  // namespace partir
