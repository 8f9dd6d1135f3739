// Writes the Core program that a state stands for: each operation in the nest of loops of its steps, each placement of
// an argument or result as a loop of its slices. Values that control flow hands on are placed alike wherever they come
// from.
#pragma once

#include <vector>

#include "rewrite/state.h"

namespace partir {

struct CoreProgram {
  Function function;
  /// For each operation in the order of for_each_op, the number of the source program's operation that it stands for;
  /// none for the loops that only place a value. A nest of loops is one operation.
  std::vector<std::optional<std::size_t>> origin;
};

/// A result that a donated argument aliases (tf.aliasing_output) is placed as that argument, unless a tactic placed it.
CoreProgram materialize(State& state);

}  // namespace partir
