// Regions: guards that hold together, and how often each of two sides counts where they do.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "verify/prove/expr_detail.h"

namespace partir::prove {

/// Where all guards hold, each side counts so many times; where overlaps count once, 0 or 1.
struct Region {
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::vector<Factor> guards;
};

/// What a side is at a place where several of its regions overlap.
enum class Overlap : std::uint8_t {
  sum,  ///< as often as all of them together, modulo what the type wraps at
  one,  ///< there, however often: a maximum forgets what it has twice
};

/// Whether at each place of all indices in the guards both sides count alike. `positions` are integers of any sign
/// among them. False may mean "not found".
bool agree(std::vector<Region> regions, Overlap overlap, const std::vector<AtomId>& positions, ElementType type,
           Context& c);

/// A bound in its tightest form: 3 k + 1 >= 0 is k >= 0, where k is an integer.
Factor tightened(Factor guard, Context& c);

/// The ranges that occur in an index.
void ranges_of(const Poly& p, const Context& c, std::set<AtomId>& out);

}  // namespace partir::prove
