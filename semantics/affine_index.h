// Recognises index terms that are affine in the ranges of a meaning. The evaluation advances these by constant steps
// instead of evaluating the term for each element.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/meaning.h"

namespace partir {

/// The index constant + sum of coefficient * range.
struct AffineIndex {
  std::int64_t constant = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;  ///< (range, coefficient)
};

/// The term as an affine index, if it is one; `known` has the results for the preceding terms, by IndexId.
std::optional<AffineIndex> affine_of(const IndexTerm& t, const std::vector<std::optional<AffineIndex>>& known);

}  // namespace partir
