// What a plan costs: its tactics applied to a session, lowered and timed. A plan that begins as the one before costs
// only what differs.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/session.h"
#include "search/plan.h"
#include "search/space.h"

namespace partir {

struct PlanCost {
  double seconds = 0;
  double needed_bytes = 0;  ///< peak and what an allocator takes beside it
  double peak_bytes = 0;
  bool fits = false;
};

/// Whether a is the better plan: what fits before what does not; of those that fit the faster, of the others the
/// smaller.
bool better(const PlanCost& a, const PlanCost& b);

/// A tactic of a plan as it is applied, and the step that it does.
struct RealizedStep {
  PlanStep step;
  ResolvedTactic tactic;
};

class Evaluator {
 public:
  struct Setup {
    std::vector<ResolvedTactic> prefix;  ///< applied before each plan
    Device device;
    StepOptions options;
    double memory_bytes = 0;
  };

  /// `base` is a session without tactics. Errors: a prefix that does not apply, a model that does not fit the mesh.
  static Result<std::unique_ptr<Evaluator>> of(const Session& base, std::shared_ptr<const SearchSpace> space,
                                               Setup setup);

  /// The same plan costs the same whatever was evaluated before. Errors: a type that the device does not compute with.
  Result<PlanCost> cost(const Plan& plan);
  /// The tactics of a plan: steps that do nothing are left out.
  Result<std::vector<RealizedStep>> realized(const Plan& plan);

 private:
  /// A session and what is applied to it behind the prefix.
  struct Worker {
    std::vector<ValueId> values;  ///< with identities behind them
    OperationsByOffsets offsets;
    Session session;
    Plan applied;                                         ///< steps, also those that do nothing
    std::vector<std::optional<ResolvedTactic>> realized;  ///< as applied
  };

  Evaluator(const Session& base, std::shared_ptr<const SearchSpace> space, Setup setup,
            std::unique_ptr<StepModel> model);
  Result<Worker*> worker(const Plan& plan, const OperationsByOffsets& offsets);
  /// Takes back what the plan does not begin with and applies the rest; `given`: tactics in place of the steps' own.
  Result<void> move(Worker& worker, const Plan& plan, const std::vector<std::optional<ResolvedTactic>>* given);

  const Session& base_;
  std::shared_ptr<const SearchSpace> space_;
  Setup setup_;
  std::unique_ptr<StepModel> model_;
  std::list<Worker> workers_;       ///< the last used first
  std::map<Plan, PlanCost> known_;  ///< by the steps that do something
};

}  // namespace partir
