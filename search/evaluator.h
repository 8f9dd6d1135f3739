// Evaluates plans: applies their tactics to a session, lowers it and times it with the simulator. A plan that shares
// its first steps with the previous one only pays for the difference.
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
  double needed_bytes = 0;  ///< peak memory, plus what an allocator needs in addition
  double peak_bytes = 0;
  bool fits = false;
};

/// Whether a is the better plan: plans that fit in memory come before those that do not; of those that fit the faster
/// is better, of the others the one that needs less memory.
bool better(const PlanCost& a, const PlanCost& b);

/// A step of a plan with the tactic that realises it.
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

  /// `base` is a session without tactics. Errors: a prefix that cannot be applied, a model that does not fit the mesh.
  static Result<std::unique_ptr<Evaluator>> of(const Session& base, std::shared_ptr<const SearchSpace> space,
                                               Setup setup);

  /// The cost of a plan, independent of the plans evaluated before. Errors: a type that the device does not support.
  Result<PlanCost> cost(const Plan& plan);
  /// The tactics of a plan; steps without effect are omitted.
  Result<std::vector<RealizedStep>> realized(const Plan& plan);

 private:
  /// A session, with the steps applied to it after the prefix.
  struct Worker {
    std::vector<ValueId> values;  ///< values that have identities (rewrite/named_values.h)
    /// Operations decomposed using the shard offset.
    OperationsByOffsets offsets;
    Session session;
    Plan applied;                                         ///< steps, including those without effect
    std::vector<std::optional<ResolvedTactic>> realized;  ///< by step: the applied tactic, if any
  };

  Evaluator(const Session& base, std::shared_ptr<const SearchSpace> space, Setup setup,
            std::unique_ptr<StepModel> model);
  /// The internal values for which the prefix or the plan request something.
  [[nodiscard]] std::vector<NamedValue> values_of(const Plan& plan) const;
  [[nodiscard]] PlanCost cost_of(const StepCost& step) const;
  /// The cost of tactics that pad dimensions, in a session of its own: padding changes the program for all of them.
  Result<StepCost> settled_cost(const Plan& plan, const std::vector<std::optional<ResolvedTactic>>& tactics);
  Result<Worker*> worker(const Plan& plan, const OperationsByOffsets& offsets);
  /// Undoes the steps that the plan does not start with and applies the remaining ones. `given`: tactics to use in
  /// place of those that the steps realise.
  Result<void> switch_to(Worker& worker, const Plan& plan, const std::vector<std::optional<ResolvedTactic>>* given);

  const Session& base_;
  std::shared_ptr<const SearchSpace> space_;
  Setup setup_;
  std::unique_ptr<StepModel> model_;
  bool may_pad_;                    ///< whether settling pads values under some plan
  std::list<Worker> workers_;       ///< most recently used first
  std::map<Plan, PlanCost> known_;  ///< by the steps that have an effect
};

}  // namespace partir
