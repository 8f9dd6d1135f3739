// Emits a device-local program as StableHLO that XLA compiles and runs. Called by the session.
#pragma once

#include "lowering/program.h"

namespace partir {

/// Returns the StableHLO module: collectives have explicit replica groups, devices take their slices by partition_id,
/// and mhlo.num_partitions is the number of devices. How global arrays are sharded is recorded in
/// mhlo.frontend_attributes (partir.mesh, partir.sharding).
Module stablehlo_module(const SpmdProgram& program, const Module& source);

}  // namespace partir
