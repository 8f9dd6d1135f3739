// Writes the simulated step as Chakra execution traces (github.com/mlcommons/chakra), which ASTRA-sim reads.
#pragma once

#include <string>

#include "simulate/simulate.h"

namespace partir {

/// The trace of one device, in binary form. Requires `events`.
///   kernels      compute nodes with their duration, FLOPs and bytes
///   collectives  nodes with their type, bytes, the axes of the mesh as the dimensions of the network (`involved_dim`,
///                the innermost axis first), and the group of devices (`pg_name`, see chakra_groups)
///   permutes     a send and a receive, with the device's own peers
///   loops        as many iterations as they have, one after another; one compute node if that is too many
std::string chakra_trace(const Simulation& simulation, std::size_t device);

/// The groups of devices by the names that traces have for them, as ASTRA-sim reads them: {"1": [0, 1], "2": [2, 3]}.
std::string chakra_groups(const Simulation& simulation);

/// Writes device 0's trace if the path ends in ".et"; else PATH.0.et, PATH.1.et, … for all devices and
/// PATH.groups.json. Errors: a file that cannot be written; those written before it are removed.
Result<void> write_chakra(const Simulation& simulation, const std::string& path);

}  // namespace partir
