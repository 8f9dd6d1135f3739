// Decides, before a program is lowered, which broadcasts are computed with other tiles than propagation gave them. Law:
//
//   gather-before-broadcast  a broadcast whose every use needs it gathered along an axis, or tiled along another
//                            dimension, is computed so, and its operand, which is smaller, is converted
//
//   x[n, d] tiled along n, broadcast to [n, n, d] and needed replicated: x is gathered, not the n times larger result
#pragma once

#include "lowering/unit.h"

namespace partir {

/// Replaces the entries of such broadcasts in their units (Unit::instead). The pending reductions must have been passed
/// on (lowering/pass_on.h).
void gather_before_broadcasts(const State& state, Units& units);

}  // namespace partir
