// Microbatches: a reshape splits a dimension, and a loop takes one position of its major part in each iteration.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rewrite/state.h"

namespace partir {

/// A loop-carried value that its loop steps through along `steps`. A reshape of `whole` made `steps` and, behind it,
/// `batch` of the dimension `split`, as its major factors.
struct Microbatches {
  ValueId whole;
  Dim split = 0;
  Dim steps = 0;
  Dim batch = 0;
};

/// Of the carried value of this site (State::is_flow); nothing where it is no such value. Operations
/// whose entries carry tiles of both may stand between the reshape and the loop.
std::optional<Microbatches> microbatches_of(const State& state, std::size_t site);

/// Of a reshape's site: those of carried values that may be microbatches of its result. Of other sites none.
std::vector<std::size_t> loops_behind_cut(const State& state, std::size_t site);

}  // namespace partir
