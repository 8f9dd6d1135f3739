// Recognises microbatches: a reshape splits a dimension into steps and batches, and a loop takes one step in each
// iteration, or slices take single steps. Tiling the steps would leave all but one device idle in each step; propagation
// therefore tiles the batch dimension (Propagation::tiled_microbatches).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "rewrite/state.h"

namespace partir {

/// A loop-carried value whose loop takes one position of dimension `steps` in each iteration, or the operand of a slice
/// of one position. A reshape split dimension `split` of `whole` into major factors `steps` and `batch`, which are
/// adjacent in its result. Example: [32, 8] reshaped to [4, 8, 8] has split = 0, steps = 0, batch = 1.
struct Microbatches {
  ValueId whole;
  Dim split = 0;
  Dim steps = 0;
  Dim batch = 0;
};

/// The microbatches of a flow site (State::is_flow) or a slice, if its carried value or operand has this form, and
/// slices take at least a quarter of the steps. Between the reshape and the site there may be operations whose entries
/// carry tiles of both dimensions from an operand to the result.
std::optional<Microbatches> microbatches_of(const State& state, std::size_t site);

/// For the site of a reshape: the flow sites and slices whose values may be microbatches of its result. Empty for other
/// sites.
std::vector<std::size_t> readers_behind_cut(const State& state, std::size_t site);

bool is_static_slice(const State& state, std::size_t site);
/// Where along a dimension the static slices of a value start, of those at sites that `counts` accepts.
std::set<std::int64_t> slice_starts(const State& state, ValueId v, Dim dim,
                                    const std::function<bool(std::size_t site)>& counts);

}  // namespace partir
