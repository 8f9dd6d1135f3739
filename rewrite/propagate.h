// Carries out a tactic: its requests, then propagation of tiles along one axis by the registry alone, without cost
// heuristics; operations that are left alone are recorded as conflicts (PartIR). Called by Session::apply.
#pragma once

#include <vector>

#include "rewrite/conflict.h"
#include "rewrite/schedule.h"
#include "rewrite/state.h"

namespace partir {

/// Carries out a tactic's requests, then propagates to a fixed point.
///
/// An operation joins an entry if exactly one matches. An entry matches if at least one of its tiled slots agrees with
/// the known tiling of an operand and none contradicts it; an untiled slot means that the operand is taken replicated.
/// Operands decide first. Demands from uses break ties, and decide alone if no operand is tiled; a demand reaches the
/// defining operation only. Operations are visited in program order (the worklist is ordered), so the outcome is
/// deterministic. It depends on that order and on the order of tactics; a later tactic never undoes an earlier one. A
/// value forwarded by control flow joins with all its names at once (rewrite/state.h); its uses decide only when
/// nothing else changes.
///
/// Returns the operations and values that were left alone, with the reasons. Errors: a requested dimension that the
/// axis does not divide (a conflict if the tactic is `uneven`); the state is then unchanged.
Result<std::vector<Conflict>> apply_tactic(State& state, const ResolvedTactic& tactic, const Names& names,
                                           const std::string& file);

}  // namespace partir
