// Where pending reductions are passed on instead of being made, decided for all of a program before it is lowered. Laws:
//
//   reduce-late     a pending value stays so through operations with an entry from pending to pending that do not
//                   enlarge it, when this is its only use; so sums of pending values are reduced once, where smallest
//   reduce-behind   what a loop adds up is carried as a pending sum, and reduced once behind it instead of once in each
//                   iteration
#pragma once

#include "lowering/unit.h"

namespace partir {

/// Writes the decisions into the units: what operands stay pending over, what results are pending over in turn, and the
/// entries by which operations pass it on. Nothing is passed on yet.
void pass_pending_on(const State& state, Units& units);

}  // namespace partir
