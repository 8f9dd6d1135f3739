// Automatic partitioning: a schedule found by Monte Carlo tree search over the decisions that Named Dimension Analysis
// leaves (TOAST, automap), improved by local moves. Each candidate is carried out by the engine and timed by the
// simulator, so what is found is an ordinary schedule of explicit tactics.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/session.h"
#include "search/evaluator.h"
#include "search/space.h"

namespace partir {

struct SearchOptions {
  std::vector<Axis> axes;              ///< that the search may use; empty: all
  std::vector<ResolvedTactic> prefix;  ///< of a schedule that the search completes
  Device device;
  StepOptions step;
  std::optional<double> memory_bytes;  ///< else the device's
  std::uint64_t seed = 0;
  std::optional<std::size_t> evaluations;  ///< at most; the same number gives the same schedule on any machine
  std::optional<double> seconds;           ///< at most, by `now`
  std::function<double()> now;             ///< libraries do not read the clock; without it there are no seconds
  std::size_t threads = 1;                 ///< changes the time, not the outcome
  // For measuring what each part buys.
  SpaceOptions space;
  bool tree = true;
  bool local_improvement = true;  ///< with neither, plans are drawn at random
};

struct SearchProgress {
  std::size_t evaluations = 0;
  double seconds = 0;
  const char* phase = "";
  PlanCost best;
};

struct SearchResult {
  std::shared_ptr<const SearchSpace> space;
  std::vector<RealizedStep> steps;  ///< behind the prefix
  std::vector<PlanCost> without;    ///< by step: of the plan without it, which says what it buys
  Plan plan;
  PlanCost cost;
  PlanCost before;          ///< of the prefix alone
  bool enumerated = false;  ///< all canonical plans were evaluated, and no move improves on the best
  double plans = 0;         ///< canonical plans in the space
  std::size_t decisions = 0;
  std::size_t evaluations = 0;
  double seconds = 0;
  std::vector<std::pair<std::size_t, double>> history;  ///< (evaluations, step seconds) of each new best plan
};

/// `session` has no tactics applied. Errors: a prefix that does not apply, a type that the device does not compute
/// with.
Result<SearchResult> search(const Session& session, const SearchOptions& options,
                            const std::function<void(const SearchProgress&)>& progress = {});

/// The schedule that a result stands for: explicit tactics with patterns over names, which resolve to what was found.
/// `prefix`: tactics before it, of which names are taken.
Schedule schedule_of(const SearchResult& result, const Session& session, const std::vector<Tactic>& prefix);
/// As JSON that read_schedule reads.
std::string schedule_json(const Schedule& schedule);

}  // namespace partir
