// Writes the Core program that a state stands for: each operation in the nest of loops of its steps, each placement of
// an argument or result as a loop of its slices. Values that control flow hands on are placed alike wherever they come
// from.
#pragma once

#include "rewrite/state.h"

namespace partir {

/// The PartIR:Core program of a state. An operation of the source keeps its id inside the loops around it; loops, slices
/// and yields have new ones. A result that a donated argument aliases (tf.aliasing_output) is placed as that argument,
/// unless a tactic placed it.
Function materialize(const State& state);

}  // namespace partir
