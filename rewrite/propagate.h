// Propagation of tiles along one axis by the registry alone: no cost heuristics, conflicts recorded (PartIR).
#pragma once

#include <vector>

#include "rewrite/conflict.h"
#include "rewrite/schedule.h"
#include "rewrite/state.h"

namespace partir {

/// Does a tactic's actions, then propagates to a fixed point.
///
/// An operation joins an entry when exactly one matches: at least one of its tiled slots equals what is known of the
/// operands and none contradicts it; an untiled slot means "taken whole". Operands decide first; demands from uses
/// break ties, and decide alone where no operand is tiled. They reach only the defining operation. Operations are
/// visited in program order by priority, so the outcome is deterministic; it depends on that order and on the order of
/// tactics, which is how a later tactic never undoes an earlier one. A value that control flow hands on joins as a
/// whole (rewrite/state.h); its uses decide it only when nothing else moves.
///
/// Returns what was left alone and why. Errors: a dimension that the axis does not divide; the state is then as before.
Result<std::vector<Conflict>> apply_tactic(State& state, const ResolvedTactic& tactic, const Names& names,
                                           const std::string& file);

}  // namespace partir
