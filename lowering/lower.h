// From a state to a device-local program with explicit collectives: PartIR:Core to PartIR:HLO.
#pragma once

#include "lowering/program.h"
#include "lowering/redistribute.h"
#include "lowering/unit.h"
#include "rewrite/state.h"

namespace partir {

/// Iteration r of a loop over an axis goes to the devices whose coordinate along it is r. Each operation states the
/// types it needs; values are converted where they are used. Collectives are kept few by the laws that
/// lowering/pending.h and lowering/conversions.h name. A loop-carried value has the type in which it comes in, and is
/// never pending (law handed-on).
SpmdProgram lower(const State& state);
/// The same with plans of conversions that earlier lowerings on the mesh made.
SpmdProgram lower(const State& state, Redistributions& plans);
/// The same of units that the caller made, or changed.
SpmdProgram lower(const State& state, const Units& units, Redistributions& plans);

}  // namespace partir
