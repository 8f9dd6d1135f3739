// Writing device-local programs as StableHLO that XLA compiles and runs.
#pragma once

#include "lowering/program.h"

namespace partir {

/// Replica groups written out, devices' slices by partition_id; mhlo.num_partitions = devices; how global arrays map to
/// it stands in mhlo.frontend_attributes (partir.mesh, partir.sharding).
Module stablehlo_module(const SpmdProgram& program, const Module& source);

}  // namespace partir
