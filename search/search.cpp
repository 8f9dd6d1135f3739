// The phases of a search: starting plans; then enumeration if the space is small, otherwise sweeps (coordinate descent
// over the decisions); then rounds of tree search and local improvement until the budget is spent or no round improves
// the best plan. Evaluated costs are cached by plan.
#include "search/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <system_error>
#include <thread>

#include "search/neighbours.h"
#include "search/tree.h"
#include "support/check.h"

namespace partir {
namespace {

constexpr std::size_t kBatch = 4;              ///< plans evaluated together, for any number of threads
constexpr double kEnumerable = 4000;           ///< up to this many canonical plans, all are evaluated
constexpr std::size_t kStale = 12;             ///< number of rounds without improvement after which the search ends
constexpr std::size_t kFirstImprovement = 80;  ///< evaluations of the local improvement after the first sweep
/// Evaluations of one pass over all decisions from which on the result of the first sweep is improved before the other
/// sweeps. Where passes are shorter, these come first: on a decode loop with 9 decisions they are what finds the best.
constexpr std::size_t kLongPass = 40;
constexpr std::size_t kTreeRound = 64;  ///< evaluations by the tree between two local improvements

class Search {
 public:
  Search(const Session& session, const SearchOptions& options,
         const std::function<void(const SearchProgress&)>& progress)
      : options_(options), progress_(progress), random_(options.seed) {
    std::vector<Axis> axes = options.axes;
    if (axes.empty()) {
      for (std::size_t a = 0; a < session.mesh().rank(); ++a) axes.emplace_back(a);
    }
    space_ = std::make_shared<const SearchSpace>(session, std::move(axes), options.space);
    memory_ = options.memory_bytes ? *options.memory_bytes : options.device.memory_bytes;
    result_.space = space_;
    start_ = now();
    for (std::size_t t = 0; t < std::clamp<std::size_t>(options.threads, 1, kBatch); ++t) {
      evaluators_.push_back(
          value_or_throw(Evaluator::of(session, space_, {options.prefix, options.device, options.step, memory_})));
    }
  }

  SearchResult run() {
    result_.before = evaluate({Plan()})[0];
    phase_ = "starting plans";
    evaluate_in_batches(starting_plans(*space_));
    DecisionTree tree(decisions_of(*space_, promising_exchanges()), {}, options_.seed);
    result_.plans = tree.plans();
    result_.decisions = tree.decisions().size();
    const bool small = tree.plans() <= kEnumerable;
    bool all = false;
    if (small) {
      if (options_.local_improvement) improve(best_);  // the budget may end before all plans are evaluated
      phase_ = "enumeration";
      all = enumerate(tree);
    }
    if (options_.local_improvement && !small) sweeps(tree);
    bool improved = true;
    for (std::size_t stale = 0; stale < kStale && !done(); stale = improved ? 0 : stale + 1) {
      const PlanCost before = best_cost_;
      if (options_.tree && !small) explore(tree);
      if (options_.local_improvement) {
        improve(stale == 0 ? best_ : next_start());
      } else if (!options_.tree && !small) {
        draw(tree);
      }
      improved = better(best_cost_, before);
    }
    result_.enumerated = all && !done();
    remove_useless_steps();
    result_.plan = best_;
    result_.cost = best_cost_;
    result_.steps = value_or_throw(evaluators_[0]->realized(best_));
    for (const RealizedStep& s : result_.steps) {
      Plan others = best_;
      others.erase(std::find(others.begin(), others.end(), s.step));
      result_.without.push_back(value_or_throw(evaluators_[0]->cost(others)));
    }
    result_.evaluations = evaluations_;
    result_.seconds = now() - start_;
    return std::move(result_);
  }

 private:
  [[nodiscard]] double now() const { return options_.now ? options_.now() : 0; }
  [[nodiscard]] bool done() const {
    return (options_.evaluations && evaluations_ >= *options_.evaluations) ||
           (options_.seconds && now() - start_ >= *options_.seconds);
  }

  /// The costs of plans, cached or evaluated now. New best plans are recorded in the order of `plans`. If the budget
  /// runs out, only the costs of the first plans are returned.
  std::vector<PlanCost> evaluate(const std::vector<Plan>& plans) {
    std::vector<const Plan*> fresh;
    for (const Plan& p : plans) {
      const auto same = [&](const Plan* q) { return *q == p; };
      if (!known_.contains(p) && std::none_of(fresh.begin(), fresh.end(), same)) fresh.push_back(&p);
    }
    if (options_.evaluations) fresh.resize(std::min(fresh.size(), *options_.evaluations - evaluations_));
    std::vector<Result<PlanCost>> costs(fresh.size());
    const std::size_t threads = std::min(evaluators_.size(), fresh.size());
    const auto work = [&](std::size_t t) {
      for (std::size_t k = t; k < fresh.size(); k += threads) costs[k] = evaluators_[t]->cost(*fresh[k]);
    };
    std::vector<std::thread> others;
    std::size_t started = 1;
    try {
      for (; started < threads; ++started) others.emplace_back(work, started);
    } catch (const std::system_error&) {
      // The system gives no further thread; this one does the rest.
    }
    if (threads != 0) work(0);
    for (; started < threads; ++started) work(started);
    for (std::thread& t : others) t.join();
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      const PlanCost cost = value_or_throw(std::move(costs[k]));
      known_.emplace(*fresh[k], cost);
      ++evaluations_;
      if (evaluations_ == 1 || better(cost, best_cost_) ||
          (!better(best_cost_, cost) && fresh[k]->size() < best_.size())) {
        if (evaluations_ == 1 || better(cost, best_cost_)) result_.history.emplace_back(evaluations_, cost.seconds);
        best_cost_ = cost;
        best_ = *fresh[k];
      }
    }
    if (progress_) progress_({evaluations_, now() - start_, phase_, best_cost_});
    std::vector<PlanCost> out;
    out.reserve(plans.size());
    for (const Plan& p : plans) {
      const auto it = known_.find(p);
      if (it == known_.end()) break;
      out.push_back(it->second);
    }
    return out;
  }

  void evaluate_in_batches(const std::vector<Plan>& plans) {
    for (std::size_t k = 0; k < plans.size() && !done(); k += kBatch)
      evaluate({plans.begin() + static_cast<std::ptrdiff_t>(k),
                plans.begin() + static_cast<std::ptrdiff_t>(std::min(plans.size(), k + kBatch))});
  }

  /// The exchanges that alone are better than each starting plan. Only these are decided by sweeps and the tree, as a
  /// decision more makes every pass longer.
  std::vector<std::size_t> promising_exchanges() {
    const PlanCost others = best_cost_;
    std::vector<std::size_t> out;
    for (std::size_t e = 0; e < space_->exchanges().size() && !done(); ++e) {
      const auto costs = evaluate(plans_of_exchange(*space_, e));
      if (std::any_of(costs.begin(), costs.end(), [&](const PlanCost& c) { return better(c, others); }))
        out.push_back(e);
    }
    return out;
  }

  bool enumerate(const DecisionTree& tree) {
    std::vector<std::size_t> options(tree.decisions().size(), 0);
    std::vector<Plan> batch;
    for (bool more = true; more && !done();) {
      batch.push_back(tree.plan_of(options));
      std::size_t k = options.size();
      while (k > 0 && ++options[k - 1] == tree.decisions()[k - 1].size()) options[--k] = 0;
      more = k > 0;
      if (batch.size() < 4 * kBatch && more) continue;
      evaluate(batch);
      batch.clear();
    }
    return !done();
  }

  [[nodiscard]] double reward(const PlanCost& cost) const {
    return -std::log(cost.seconds * std::max(1.0, cost.needed_bytes / memory_));
  }

  /// By decision: the index of the chosen option.
  using Options = std::vector<std::size_t>;
  static bool any(const Plan& /*option*/) { return true; }

  /// The best option for one decision while the others stay, among those that `is_allowed` accepts. Nothing if none is
  /// better than `cost`; otherwise `cost` is updated to that of the result.
  template <class F>
  std::optional<Options> best_option(const DecisionTree& tree, const Options& options, std::size_t decision,
                                     PlanCost& cost, const F& is_allowed) {
    std::vector<Plan> plans;
    std::vector<Options> chosen;
    Options tried = options;
    for (tried[decision] = 0; tried[decision] < tree.decisions()[decision].size(); ++tried[decision]) {
      if (!is_allowed(tree.decisions()[decision][tried[decision]])) continue;
      plans.push_back(tree.plan_of(tried));
      chosen.push_back(tried);
    }
    const auto costs = evaluate(plans);
    std::optional<Options> best;
    for (std::size_t o = 0; o < costs.size(); ++o) {
      if (!better(costs[o], cost)) continue;
      cost = costs[o];
      best = chosen[o];
    }
    return best;
  }

  /// Sweeps from several starts: the best plan with one decision, the best with one decision along each axis alone, and
  /// the result of each sweep with two axes exchanged. A class that is tiled along all axes, or along the largest
  /// first, is seldom best in that position in the end, and no single change leads away from it.
  void sweeps(const DecisionTree& tree) {
    phase_ = "sweeps";
    const Options nothing(tree.decisions().size(), 0);
    const auto start = [&](const auto& is_allowed) {
      PlanCost cost = result_.before;
      Options best = nothing;
      for (std::size_t k = 0; k < nothing.size() && !done(); ++k) {
        if (auto chosen = best_option(tree, nothing, k, cost, is_allowed)) best = std::move(*chosen);
      }
      return best;
    };
    std::vector<Options> starts{start(any)};
    for (const Axis axis : space_->axes()) {
      starts.push_back(start([&](const Plan& p) { return p.size() == 1 && p[0].axis == axis; }));
    }
    for (const bool forwards : {false, true}) {
      std::set<Options> swept;
      std::vector<Options> next(starts.rbegin(), starts.rend());
      while (!next.empty() && !done()) {
        const Options from = std::move(next.back());
        next.pop_back();
        if (!swept.insert(from).second) continue;
        const Options end = sweep(tree, from, forwards);
        note_end(tree.plan_of(end));
        if (!forwards && swept.size() == 1 && pass_length(tree) >= kLongPass) {
          improve(best_, kFirstImprovement);
          phase_ = "sweeps";
        }
        for (Options& other : exchanged(tree, end)) next.push_back(std::move(other));
      }
    }
  }

  /// Evaluations of one pass of a sweep.
  [[nodiscard]] static std::size_t pass_length(const DecisionTree& tree) {
    std::size_t out = 0;
    for (const Decision& d : tree.decisions()) out += d.size();
    return out;
  }

  /// The options with each pair of axes of different sizes exchanged, for decisions that have such an option.
  [[nodiscard]] std::vector<Options> exchanged(const DecisionTree& tree, const Options& options) const {
    std::vector<Options> out;
    for (const Axis a : space_->axes()) {
      for (const Axis b : space_->axes()) {
        if (b <= a || space_->mesh().size(a) == space_->mesh().size(b)) continue;
        Options& other = out.emplace_back(options);
        for (std::size_t k = 0; k < options.size(); ++k) {
          const Decision& decision = tree.decisions()[k];
          const Plan plan = with_axes_exchanged(decision[options[k]], a, b);
          const auto same = [&](const Plan& p) {
            return std::is_permutation(p.begin(), p.end(), plan.begin(), plan.end());
          };
          const auto at = std::find_if(decision.begin(), decision.end(), same);
          other[k] = at == decision.end() ? 0 : static_cast<std::size_t>(at - decision.begin());
        }
      }
    }
    return out;
  }

  /// Coordinate descent: chooses the best option for one decision after another while the others stay, until no
  /// decision improves. Forwards, small arguments are decided first and ZeRO last; backwards, the reverse.
  Options sweep(const DecisionTree& tree, Options options, bool forwards) {
    const auto at = evaluate({tree.plan_of(options)});
    if (at.empty()) return options;
    PlanCost cost = at[0];
    for (bool improved = true; improved && !done();) {
      improved = false;
      for (std::size_t n = 0; n < options.size() && !done(); ++n) {
        auto next = best_option(tree, options, forwards ? n : options.size() - 1 - n, cost, any);
        if (!next) continue;
        options = std::move(*next);
        improved = true;
      }
    }
    return options;
  }

  void draw(DecisionTree& tree) {
    phase_ = "random plans";
    std::vector<Plan> plans;
    for (std::size_t k = 0; k < kTreeRound; ++k) plans.push_back(tree.draw().plan);
    evaluate_in_batches(plans);
  }

  void explore(DecisionTree& tree) {
    phase_ = "tree search";
    const std::size_t until = evaluations_ + kTreeRound;
    for (std::size_t idle = 0; evaluations_ < until && idle < 50 && !done();) {
      std::vector<DecisionTree::Path> paths;
      std::vector<Plan> plans;
      for (std::size_t k = 0; k < kBatch; ++k) {
        paths.push_back(tree.select());
        plans.push_back(paths.back().plan);
      }
      const std::size_t before = evaluations_;
      const auto costs = evaluate(plans);
      for (std::size_t k = 0; k < costs.size(); ++k) tree.tell(paths[k], reward(costs[k]));
      idle = evaluations_ == before ? idle + 1 : 0;
    }
  }

  /// Moves to a plan that no move improves. Moves are tried in batches in random order; the best of the first batch
  /// that improves is taken. Stops after about `most` evaluations.
  void improve(Plan plan, std::size_t most = std::numeric_limits<std::size_t>::max()) {
    const std::size_t before = evaluations_;
    phase_ = "local improvement";
    auto at = evaluate({plan});
    if (at.empty()) return;
    PlanCost cost = at[0];
    for (bool improved = true; improved && !done() && evaluations_ - before < most;) {
      improved = false;
      // Moves that change the most are tried first.
      Neighbourhood around = neighbours(plan, *space_);
      std::vector<Plan>& moves = around.plans;
      const auto classes = moves.begin() + static_cast<std::ptrdiff_t>(around.classes);
      const auto single = moves.begin() + static_cast<std::ptrdiff_t>(around.single);
      std::shuffle(moves.begin(), classes, random_);
      std::shuffle(classes, single, random_);
      std::shuffle(single, moves.end(), random_);
      for (std::size_t k = 0; k < moves.size() && !improved && !done() && evaluations_ - before < most; k += kBatch) {
        const std::vector<Plan> batch(moves.begin() + static_cast<std::ptrdiff_t>(k),
                                      moves.begin() + static_cast<std::ptrdiff_t>(std::min(moves.size(), k + kBatch)));
        const auto costs = evaluate(batch);
        for (std::size_t i = 0; i < costs.size(); ++i) {
          if (!better(costs[i], cost)) continue;
          cost = costs[i];
          plan = batch[i];
          improved = true;
        }
      }
    }
  }

  /// Removes steps that have no benefit, because people read the schedule. Needs at most as many evaluations as the
  /// plan has steps.
  void remove_useless_steps() {
    for (std::size_t k = best_.size(); k-- > 0;) {
      Plan p = best_;
      p.erase(p.begin() + static_cast<std::ptrdiff_t>(k));
      const PlanCost cost = value_or_throw(evaluators_[0]->cost(p));
      if (better(best_cost_, cost)) continue;
      best_ = std::move(p);
      best_cost_ = cost;
    }
  }

  /// Notes the result of a sweep, from which local improvement may start.
  void note_end(Plan plan) {
    if (known_.contains(plan) && std::find(ends_.begin(), ends_.end(), plan) == ends_.end())
      ends_.push_back(std::move(plan));
  }

  /// Where local improvement starts next: at the best result of a sweep that it has not started at, in every other
  /// round, or at the best plan after a few random moves.
  Plan next_start() {
    from_end_ = !from_end_;
    std::erase(ends_, best_);
    if (!from_end_ || ends_.empty()) return perturbed(best_);
    const auto next = std::min_element(
        ends_.begin(), ends_.end(), [&](const Plan& a, const Plan& b) { return better(known_.at(a), known_.at(b)); });
    Plan out = std::move(*next);
    ends_.erase(next);
    return out;
  }

  /// The plan after a few random moves.
  Plan perturbed(Plan plan) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::vector<Plan> moves = neighbours(plan, *space_).plans;
      if (moves.empty()) break;
      plan = moves[random_() % moves.size()];
    }
    return plan;
  }

  const SearchOptions& options_;
  const std::function<void(const SearchProgress&)>& progress_;
  std::mt19937_64 random_;
  std::shared_ptr<const SearchSpace> space_;
  double memory_ = 0;
  double start_ = 0;
  const char* phase_ = "";
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  ///< by thread
  std::map<Plan, PlanCost> known_;
  std::size_t evaluations_ = 0;
  std::vector<Plan> ends_;  ///< of sweeps
  bool from_end_ = false;
  Plan best_;
  PlanCost best_cost_;
  SearchResult result_;
};

}  // namespace

Result<SearchResult> search(const Session& session, const SearchOptions& options,
                            const std::function<void(const SearchProgress&)>& progress) {
  PARTIR_CHECK(session.applied().empty(), "a search of a session with tactics: they are given as a prefix");
  try {
    return Search(session, options, progress).run();
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir
