// Verdicts on the sharding rules of a module, factor by factor.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify/prove/prove.h"
#include "verify/rules/sharding_rule.h"

namespace partir::rules {

/// A factor of the rules that are equal up to sizes, on operations that are.
struct FactorRow {
  std::string operation;
  std::string rule;  ///< without sizes
  std::string factor;
  FactorKind kind = FactorKind::pass_through;
  bool custom = false;
  std::string entry;    ///< as read: "(#tile<1>, #tile<0>) -> (#sum)"
  std::string verdict;  ///< proved, refuted, unknown or skipped
  std::string scope;
  std::string reason;
  std::optional<prove::Counterexample> counterexample;
  std::vector<std::string> left;  ///< what the rule leaves to its lowering
  std::string claim;              ///< what was decided, as `partir prove` reads it; empty when nothing was
  Place place;                    ///< of the first such rule
  std::size_t count = 0;          ///< operations
};

struct RulesTable {
  std::vector<FactorRow> rows;      ///< in the order in which they appear
  std::size_t operations = 0;       ///< with a rule
  std::size_t without_factors = 0;  ///< of these
  std::size_t distinct_claims = 0;  ///< that were decided
};

/// Starts the time of a claim.
using StartClock = std::function<prove::OutOfTime()>;

/// The rules on all operations of all functions, regions included. Errors: code "sharding_rule", for a rule that does
/// not read or does not fit its operation.
Result<RulesTable> judge_rules(const Module& module, const StartClock& start_clock = nullptr);

}  // namespace partir::rules
