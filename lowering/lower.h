// From PartIR:Core to a device-local program with explicit collectives.
#pragma once

#include "lowering/program.h"
#include "rewrite/materialize.h"
#include "rewrite/state.h"

namespace partir {

/// Iteration r of a loop over an axis goes to the devices whose coordinate along it is r. Each operation states the
/// types it needs; values are converted where they are used. Collectives are kept few by the laws named in lower.cpp.
///
/// `source` is the function that the Core program was materialized from; its facts (splats) decide partial entries.
SpmdProgram lower(const CoreProgram& core, const State& source);

}  // namespace partir
