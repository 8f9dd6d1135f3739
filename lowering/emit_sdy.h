// Emits the partitioning as Shardy annotations on the source program. Called by the session.
#pragma once

#include <vector>

#include "lowering/program.h"
#include "rewrite/conflict.h"
#include "rewrite/state.h"

namespace partir {

/// Returns the source program with sdy.mesh, and with sdy.sharding on arguments, results, the operations in
/// `conflicts`, and every operation whose sharding would not be inferred by a propagation from operands alone.
Module sdy_module(const SpmdProgram& program, const Module& source, const State& state,
                  const std::vector<Conflict>& conflicts);

}  // namespace partir
