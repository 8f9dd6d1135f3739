// Shardings as Shardy's annotations on the source program.
#pragma once

#include <vector>

#include "lowering/program.h"
#include "rewrite/conflict.h"
#include "rewrite/state.h"

namespace partir {

/// The source program with sdy.mesh, and sdy.sharding on arguments, results, the operations in `conflicts`, and those to
/// whose shardings a propagation by operands alone would not come.
Module sdy_module(const SpmdProgram& program, const Module& source, const State& state,
                  const std::vector<Conflict>& conflicts);

}  // namespace partir
