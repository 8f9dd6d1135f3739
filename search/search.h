// Automatic partitioning: finds a schedule by Monte Carlo tree search over the decisions that Named Dimension Analysis
// leaves (TOAST, automap), improved by local moves. Each candidate is applied by the engine and timed by the simulator,
// so the result is an ordinary schedule of explicit tactics.
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
  std::vector<Axis> axes;              ///< the axes that the search may use; empty: all
  std::vector<ResolvedTactic> prefix;  ///< tactics of a schedule that the search completes
  Device device;
  StepOptions step;
  std::optional<double> memory_bytes;  ///< memory limit; if not set, the device's memory
  std::uint64_t seed = 0;
  std::optional<std::size_t> evaluations;  ///< maximum; the same number gives the same schedule on any machine
  std::optional<double> seconds;           ///< maximum, measured by `now`
  std::function<double()> now;             ///< libraries do not read the clock; without it, time is not limited
  std::size_t threads = 1;                 ///< affects the time, not the outcome
  // For measuring the benefit of each part.
  SpaceOptions space;
  bool tree = true;
  bool local_improvement = true;  ///< with this and `tree` off, plans are drawn at random
};

struct SearchProgress {
  std::size_t evaluations = 0;
  double seconds = 0;
  const char* phase = "";
  PlanCost best;
};

struct SearchResult {
  std::shared_ptr<const SearchSpace> space;
  std::vector<RealizedStep> steps;  ///< after the prefix
  std::vector<PlanCost> without;    ///< by step: cost of the plan without the step, which shows its benefit
  Plan plan;
  PlanCost cost;
  PlanCost before;          ///< of the prefix alone
  bool enumerated = false;  ///< all canonical plans were evaluated, and no move improves on the best
  double plans = 0;         ///< number of canonical plans in the space
  std::size_t decisions = 0;
  std::size_t evaluations = 0;
  double seconds = 0;
  std::vector<std::pair<std::size_t, double>> history;  ///< (evaluations, step seconds) of each new best plan
};

/// `session` must have no tactics applied. Errors: a prefix that cannot be applied, a type that the device does not
/// support.
Result<SearchResult> search(const Session& session, const SearchOptions& options,
                            const std::function<void(const SearchProgress&)>& progress = {});

/// The schedule of a result: explicit tactics with patterns over names, which resolve to what was found. `prefix`:
/// tactics that are put first, and whose names are not used again.
Schedule schedule_of(const SearchResult& result, const Session& session, const std::vector<Tactic>& prefix);
/// The schedule as JSON that read_schedule accepts.
std::string schedule_json(const Schedule& schedule);

}  // namespace partir
