// Decides, for the whole program before it is lowered, where pending reductions are passed on to later operations
// instead of being carried out. Laws:
//
//   reduce-late     a value stays pending through operations with an entry from pending to pending that do not enlarge
//                   it, if this is its only use; so sums of pending values are reduced once, where they are smallest.
//                   Not where the entry holds for finite operands only, and one may be infinite
//   reduce-behind   a value that a loop accumulates is carried as a pending sum, and reduced once after the loop, not
//                   once in each iteration
#pragma once

#include "lowering/unit.h"
#include "semantics/infinities.h"

namespace partir {

/// Writes the decisions into the units: the reductions that operands keep pending, those that become pending in
/// results, and the entries by which operations pass them on. The units must not contain such decisions yet.
void pass_pending_on(const State& state, const RewrittenInfinities& infinities, Units& units);

}  // namespace partir
