// Indices of a meaning that are affine in its ranges, so that an evaluation steps through them without computing each.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/meaning.h"

namespace partir {

/// constant + sum of coefficient * range.
struct AffineIndex {
  std::int64_t constant = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;  ///< (range, coefficient)
};

/// The term as an affine index, if it is one; `known`: the terms before it.
std::optional<AffineIndex> affine_of(const IndexTerm& t, const std::vector<std::optional<AffineIndex>>& known);

}  // namespace partir
