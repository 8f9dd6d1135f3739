// Finds the best of all schedules over arguments: along each axis every argument is tiled along one of its dimensions
// or left alone, with the axes in either order. It knows nothing of groups of dimensions and serves as a reference for
// the search, which does.
#pragma once

#include <algorithm>
#include <numeric>

#include "search/evaluator.h"

namespace partir {

struct ExhaustiveBest {
  PlanCost cost;
  std::size_t schedules = 0;
  std::string tactics;  ///< "a: 0[1] 2[0]; b: …": by axis, the tiled arguments and their dimensions
};

class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const Session& base, const Device& device)
      : session_(base.again({}, {})), device_(device), model_(value_or_throw(StepModel::of(device, base.mesh(), {}))) {}

  ExhaustiveBest run() {
    std::vector<Axis> order;
    for (std::size_t a = 0; a < session_.mesh().rank(); ++a) order.emplace_back(a);
    take();
    do {
      along(order, 0);
    } while (std::next_permutation(order.begin(), order.end()));
    return best_;
  }

 private:
  void along(const std::vector<Axis>& order, std::size_t k) {
    if (k == order.size()) {
      take();
      return;
    }
    const Function& f = session_.main();
    ResolvedTactic tactic;
    tactic.axis = order[k];
    tactic.arguments.resize(f.arguments().size());
    tactic.results.resize(f.returned().size());
    std::vector<std::size_t> chosen(f.arguments().size(), 0);  // 0: not tiled; else the dimension plus 1
    for (bool more = true; more;) {
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        tactic.arguments[i].reset();
        if (chosen[i] != 0) tactic.arguments[i] = PatternRequest{"", {Request::Kind::dim, chosen[i] - 1}, {}};
      }
      if (session_.apply(tactic)) {
        along(order, k + 1);
        session_.undo();
      }
      std::size_t i = chosen.size();
      while (i > 0 && ++chosen[i - 1] > f.type(f.arguments()[i - 1]).rank()) chosen[--i] = 0;
      more = i > 0;
    }
  }

  void take() {
    ++best_.schedules;
    if (!session_.settle()) return;
    const StepCost step = value_or_throw(session_.cost(*model_));
    PlanCost cost{step.seconds, step.peak_bytes + step.slack_bytes, step.peak_bytes, false};
    cost.fits = cost.needed_bytes <= device_.memory_bytes;
    if (best_.schedules != 1 && !better(cost, best_.cost)) return;
    best_.cost = cost;
    best_.tactics.clear();
    for (const AppliedTactic& t : session_.applied()) {
      best_.tactics += session_.mesh().name(t.tactic.axis) + ":";
      for (std::size_t i = 0; i < t.tactic.arguments.size(); ++i) {
        const auto& r = t.tactic.arguments[i];
        if (r) best_.tactics += " " + std::to_string(i) + "[" + std::to_string(r->request.dim) + "]";
      }
      best_.tactics += "; ";
    }
  }

  Session session_;
  const Device& device_;
  std::unique_ptr<StepModel> model_;
  ExhaustiveBest best_;
};

}  // namespace partir
