// Regions: conjunctions of guards, with the number of times each of two sides counts where they hold. Used by
// products.cpp to compare sums whose guards differ.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "verify/prove/expr_detail.h"

namespace partir::prove {

/// At the points where all guards hold, each side counts `left` or `right` times (0 or 1 with Overlap::one).
struct Region {
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::vector<Factor> guards;
};

/// How a side counts at a point where several of its regions overlap.
enum class Overlap : std::uint8_t {
  sum,  ///< the sum of all their counts, modulo the type's size if it wraps
  one,  ///< once, however many there are: maxima are idempotent
};

/// True if both sides count equally often at each point of the indices in the guards. `positions`: those of the indices
/// that are integers of any sign. False may mean "not found".
bool agree(std::vector<Region> regions, Overlap overlap, const std::vector<AtomId>& positions, ElementType type,
           Context& c);

/// Tightens a bound: 3 k + 1 >= 0 becomes k >= 0, since k is an integer.
Factor tightened(Factor guard, Context& c);

/// Adds the ranges that occur in an index to `out`.
void ranges_of(const Poly& p, const Context& c, std::set<AtomId>& out);

}  // namespace partir::prove
