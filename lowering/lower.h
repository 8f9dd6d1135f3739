// Lowers a state to a device-local program with explicit collectives (PartIR:Core to PartIR:HLO). Called by the
// session; lowering/emit.h turns the result into StableHLO.
#pragma once

#include "lowering/program.h"
#include "lowering/redistribute.h"
#include "lowering/unit.h"
#include "rewrite/state.h"

namespace partir {

/// Lowers a state. Iteration r of a loop over an axis runs on the devices whose coordinate along that axis is r. Each
/// operation states the layouts that it needs (lowering/unit.h); values are converted where they are used. The number
/// of collectives is kept small by the laws listed in lowering/pass_on.h, lowering/pending.h and
/// lowering/conversions.h. A loop-carried value has the layout of its initial value and carries no pending reduction,
/// except by law reduce-behind (law handed-on).
SpmdProgram lower(const State& state);
/// The same, reusing resharding plans that earlier lowerings on the mesh cached, and the analysis of the program that
/// the state's was rewritten from.
SpmdProgram lower(const State& state, Redistributions& plans, const LazyInfinities& given);
/// The same, for units that the caller made or changed.
SpmdProgram lower(const State& state, const Units& units, Redistributions& plans);

}  // namespace partir
