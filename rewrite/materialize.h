// Writes the Core program that a state stands for: each operation in the nest of loops of its steps, each placement of
// an argument or result as a loop of its slices.
#pragma once

#include <vector>

#include "rewrite/state.h"

namespace partir {

struct CoreProgram {
  Function function;
  /// For each operation of the function's body, the operation of the source program that it stands for; none for the
  /// loops that place arguments and results.
  std::vector<std::optional<std::size_t>> origin;
};

/// A result that a donated argument aliases (tf.aliasing_output) is placed as that argument, unless a tactic placed it.
CoreProgram materialize(State& state);

}  // namespace partir
