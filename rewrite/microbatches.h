// Recognises microbatches: a reshape splits a dimension into steps and batches, and a loop takes one step in each
// iteration. Tiling the steps would leave all but one device idle per iteration; propagation therefore tiles the batch
// dimension (Propagation::tiled_microbatches).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rewrite/state.h"

namespace partir {

/// A loop-carried value whose loop takes one position of dimension `steps` in each iteration. A reshape split dimension
/// `split` of `whole` into major factors `steps` and `batch`, which are adjacent in its result. Example: [32, 8]
/// reshaped to [4, 8, 8] has split = 0, steps = 0, batch = 1.
struct Microbatches {
  ValueId whole;
  Dim split = 0;
  Dim steps = 0;
  Dim batch = 0;
};

/// The microbatches of a flow site (State::is_flow), if its carried value has this form. Between the reshape and the
/// loop there may be operations whose entries carry tiles of both dimensions from an operand to the result.
std::optional<Microbatches> microbatches_of(const State& state, std::size_t site);

/// For the site of a reshape: the flow sites whose carried values may be microbatches of its result. Empty for other
/// sites.
std::vector<std::size_t> loops_behind_cut(const State& state, std::size_t site);

}  // namespace partir
