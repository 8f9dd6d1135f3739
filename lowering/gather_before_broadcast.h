// Decides, before a program is lowered, which broadcasts are computed with fewer tiles than their entries give them. Law:
//
//   gather-before-broadcast  a broadcast whose every use needs it gathered along an axis is computed without the entry
//                            along this axis, so that its operand is gathered, which is smaller
//
//   x[n, d] tiled along n, broadcast to [n, n, d] and needed replicated: x is gathered, not the n times larger result
#pragma once

#include "lowering/unit.h"

namespace partir {

/// Removes these axes from the layouts of the units of broadcasts, and notes them in Unit::left_out. The pending
/// reductions must have been passed on (lowering/pass_on.h).
void gather_before_broadcasts(const State& state, Units& units);

}  // namespace partir
