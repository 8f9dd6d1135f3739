// Writing device-local programs as StableHLO that XLA compiles and runs, and shardings as Shardy's annotations.
#pragma once

#include "lowering/program.h"
#include "rewrite/propagate.h"
#include "rewrite/state.h"

namespace partir {

/// Replica groups written out, devices' slices by partition_id; mhlo.num_partitions = devices; how global arrays map to
/// it stands in mhlo.frontend_attributes (partir.mesh, partir.sharding).
Module stablehlo_module(const SpmdProgram& program, const Module& source);

/// The source program with sdy.mesh, and sdy.sharding on arguments, results and the operations in `conflicts`.
Module sdy_module(const SpmdProgram& program, const Module& source, const Function& function, const State& state,
                  const std::vector<Conflict>& conflicts);

}  // namespace partir
