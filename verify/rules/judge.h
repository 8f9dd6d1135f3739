// Decides the sharding rules of a module, factor by factor, with the prover. Used by `partir rules` and the Python
// package.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/sharding/sharding_rule.h"
#include "verify/prove/prove.h"

namespace partir::rules {

/// The verdict on one factor, for all operations that are equal up to sizes and whose rules are.
struct FactorRow {
  std::string operation;
  std::string rule;  ///< without sizes
  std::string factor;
  FactorKind kind = FactorKind::pass_through;
  bool custom = false;
  std::string entry;  ///< the entry that was decided: "(#tile<1>, #tile<0>) -> (#sum)"
  Verdict verdict = Verdict::unknown;
  std::string scope;
  std::string reason;
  std::optional<prove::Counterexample> counterexample;
  std::vector<std::string> left;  ///< what the rule does not state and its lowering must provide
  std::string claim;              ///< the claim that was decided, as `partir prove` reads it; empty if none was
  Place place;                    ///< the first such rule
  std::size_t count = 0;          ///< number of operations
};

struct RulesTable {
  std::vector<FactorRow> rows;      ///< in order of first appearance
  std::size_t operations = 0;       ///< operations with a rule
  std::size_t without_factors = 0;  ///< those whose rule has no factors
  std::size_t distinct_claims = 0;  ///< number of different claims that were decided
};

/// Starts the clock of a claim, and returns the test for its timeout.
using StartClock = std::function<prove::OutOfTime()>;

/// Decides the rules on all operations of all functions, including those in regions. Errors: code "sharding_rule", for
/// a rule that cannot be parsed or does not fit its operation.
Result<RulesTable> judge_rules(const Module& module, const StartClock& start_clock = nullptr);

}  // namespace partir::rules
