// Translates a factor of a sharding rule into claims for the prover (judge.h decides them).
//
// The factor is tiled in every dimension in which it is the major factor. A dimension that lists other factors before
// it can be tiled by it only if those are sharded away, down to size 1. The claim is about the operation with its own
// attributes. Sizes become symbols, one per factor, as long as the operation stays well-formed; at the program's sizes
// the claim's operation is the one in the program.
#pragma once

#include <string>
#include <vector>

#include "ir/sharding/sharding_rule.h"
#include "verify/prove/claim.h"

namespace partir::rules {

/// One interpretation of a factor. A reduction factor has one for each monoid that may combine its results, the most
/// likely first.
struct Reading {
  Entry entry;                            ///< actions on the operation's operands and results
  std::vector<FactorIndex> sharded_away;  ///< factors that must have size 1
  std::string claim;                      ///< the claim's text, as `partir prove` reads it; empty if there is none
  std::string reason;                     ///< if there is no claim: why
};

/// Returns the interpretations of a factor, at least one. `op` is an operation of a program; its `splats` are the
/// constants among its operands. For factor k of a product with the rule ([i, k], [k, j])->([i, j]) {…} reduction={k},
/// the first one is (#tile<1>, #tile<0>) -> (#sum).
std::vector<Reading> readings(const OpInstance& op, const ShardingRule& rule, FactorIndex factor);

}  // namespace partir::rules
