// A factor of a sharding rule as claims for the prover.
//
// The factor is tiled in every dimension that carries it as its major factor; a dimension that carries it behind others
// can be tiled by it only where those are sharded away, to size 1. The claim is about the operation with its own
// attributes; sizes become symbols, one a factor, wherever the operation stays well-formed: at the symbols' own values
// it is the operation of the program.
#pragma once

#include <string>
#include <vector>

#include "verify/prove/claim.h"
#include "verify/rules/sharding_rule.h"

namespace partir::rules {

/// One way to read a factor. A reduction has one for each monoid that may combine its results, the likely one first.
struct Reading {
  Entry entry;                            ///< over the operation's operands and results
  std::vector<FactorIndex> sharded_away;  ///< factors that must have size 1
  std::string claim;                      ///< as `partir prove` reads it; empty when there is none
  std::string reason;                     ///< then: why
};

/// At least one. `op` is an operation of a program, whose `splats` are the constants among its operands.
std::vector<Reading> readings(const OpInstance& op, const ShardingRule& rule, FactorIndex factor);

}  // namespace partir::rules
