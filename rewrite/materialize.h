// Writes a state as a PartIR:Core program: each operation inside the nest of loops of its steps, and each tiled
// argument or result as a nest of loops over its slices. Values forwarded by control flow have the same tiling at every
// place where they come from.
#pragma once

#include "rewrite/state.h"

namespace partir {

/// Returns the PartIR:Core program of a state. An operation of the source keeps its id inside its loops; loops, slices
/// and yields get new ids. A result that aliases a donated argument (tf.aliasing_output) is tiled like that argument
/// unless a tactic requested a tiling for it.
Function materialize(const State& state);

}  // namespace partir
