#include "search/evaluator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace partir {
namespace {

constexpr std::size_t kWorkers = 6;  ///< versions of the program that are kept

template <class T>
bool same_keys(const OperationsByOffsets& a, const T& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.operand == y.second.operand && x.second.dim == y.second.dim &&
           x.second.devices == y.second.devices;
  });
}

}  // namespace

bool better(const PlanCost& a, const PlanCost& b) {
  if (a.fits != b.fits) return a.fits;
  return a.fits ? a.seconds < b.seconds : a.needed_bytes < b.needed_bytes;
}

Evaluator::Evaluator(const Session& base, std::shared_ptr<const SearchSpace> space, Setup setup,
                     std::unique_ptr<StepModel> model)
    : base_(base),
      space_(std::move(space)),
      setup_(std::move(setup)),
      model_(std::move(model)),
      may_pad_(base.settling_may_pad()) {}

Result<std::unique_ptr<Evaluator>> Evaluator::of(const Session& base, std::shared_ptr<const SearchSpace> space,
                                                 Setup setup) {
  auto model = StepModel::of(setup.device, base.mesh(), setup.options);
  if (!model) return tl::unexpected(model.error());
  std::unique_ptr<Evaluator> out(new Evaluator(base, std::move(space), std::move(setup), std::move(*model)));
  if (auto ok = out->worker({}, {}); !ok) return tl::unexpected(ok.error());
  return out;
}

std::vector<NamedValue> Evaluator::values_of(const Plan& plan) const {
  std::vector<NamedValue> values = asked_values(setup_.prefix);
  for (NamedValue& v : space_->values_of(plan)) {
    const auto same = [&](const NamedValue& known) { return known.value == v.value; };
    if (std::none_of(values.begin(), values.end(), same)) values.push_back(std::move(v));
  }
  return values;
}

PlanCost Evaluator::cost_of(const StepCost& step) const {
  PlanCost out{step.seconds, step.peak_bytes + step.slack_bytes, step.peak_bytes, false};
  out.fits = out.needed_bytes <= setup_.memory_bytes;
  return out;
}

Result<StepCost> Evaluator::settled_cost(const Plan& plan, const std::vector<std::optional<ResolvedTactic>>& tactics) {
  Session session = base_.again(values_of(plan), {});
  std::vector<ResolvedTactic> all = setup_.prefix;
  for (const auto& t : tactics) {
    if (t) all.push_back(*t);
  }
  for (const ResolvedTactic& t : all) {
    if (auto ok = session.apply(t); !ok) return tl::unexpected(ok.error());
  }
  if (auto ok = session.settle(); !ok) return tl::unexpected(ok.error());
  return session.cost(*model_);
}

Result<Evaluator::Worker*> Evaluator::worker(const Plan& plan, const OperationsByOffsets& offsets) {
  std::vector<NamedValue> values = values_of(plan);
  std::vector<ValueId> ids;
  for (const NamedValue& v : values) ids.push_back(v.value);
  const auto it = std::find_if(workers_.begin(), workers_.end(),
                               [&](const Worker& w) { return w.values == ids && same_keys(w.offsets, offsets); });
  if (it != workers_.end()) {
    workers_.splice(workers_.begin(), workers_, it);
    return &workers_.front();
  }
  if (workers_.size() >= kWorkers) workers_.pop_back();
  Worker fresh{std::move(ids), offsets, base_.again(std::move(values), offsets), {}, {}};
  for (const ResolvedTactic& t : setup_.prefix) {
    if (auto ok = fresh.session.apply(t); !ok) return tl::unexpected(ok.error());
  }
  workers_.push_front(std::move(fresh));
  return &workers_.front();
}

Result<void> Evaluator::switch_to(Worker& w, const Plan& plan,
                                  const std::vector<std::optional<ResolvedTactic>>* given) {
  std::size_t common = 0;
  while (common < plan.size() && common < w.applied.size() && plan[common] == w.applied[common]) ++common;
  while (w.applied.size() > common) {
    if (w.realized.back()) w.session.undo();
    w.realized.pop_back();
    w.applied.pop_back();
  }
  for (std::size_t k = common; k < plan.size(); ++k) {
    auto tactic = given != nullptr ? (*given)[k] : space_->realized(plan[k], w.session);
    if (tactic) {
      if (auto ok = w.session.apply(*tactic); !ok) return tl::unexpected(ok.error());
    }
    w.applied.push_back(plan[k]);
    w.realized.push_back(std::move(tactic));
  }
  return {};
}

Result<PlanCost> Evaluator::cost(const Plan& plan) {
  const double never = std::numeric_limits<double>::infinity();
  const PlanCost no_plan{never, never, never, false};
  auto first = worker(plan, {});
  if (!first) return tl::unexpected(first.error());
  if (auto ok = switch_to(**first, plan, nullptr); !ok) return no_plan;  // of these tactics together
  Plan effective;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    if ((*first)->realized[k]) effective.push_back(plan[k]);
  }
  if (const auto it = known_.find(effective); it != known_.end()) return it->second;

  // As in Session::settle: operations of which each device can compute its part are decomposed, and the tactics are
  // reapplied.
  const std::vector<std::optional<ResolvedTactic>> tactics = (*first)->realized;
  const auto pads = [](const std::optional<ResolvedTactic>& t) { return t && t->uneven; };
  const auto settled = [&] {
    auto step = settled_cost(plan, tactics);
    const PlanCost out = step ? cost_of(*step) : no_plan;
    known_.emplace(std::move(effective), out);
    return out;
  };
  if (std::any_of(tactics.begin(), tactics.end(), pads) ||
      std::any_of(setup_.prefix.begin(), setup_.prefix.end(), pads) || (may_pad_ && (*first)->session.settling_pads()))
    return settled();
  Worker* w = *first;
  for (OperationsByOffsets offsets;;) {
    Session::WantedByOffsets wanted = w->session.wanted_by_offsets();
    if (wanted.given.empty()) {
      if (!wanted.inside.empty()) return settled();
      break;
    }
    offsets.merge(wanted.given);
    auto next = worker(plan, offsets);
    if (!next) return tl::unexpected(next.error());
    w = *next;
    // After decomposition a dimension may be tiled earlier, so that a request no longer divides.
    if (auto ok = switch_to(*w, plan, &tactics); !ok) return no_plan;
  }
  auto step = w->session.cost(*model_);
  if (!step) return tl::unexpected(step.error());
  const PlanCost out = cost_of(*step);
  known_.emplace(std::move(effective), out);
  return out;
}

Result<std::vector<RealizedStep>> Evaluator::realized(const Plan& plan) {
  auto w = worker(plan, {});
  if (!w) return tl::unexpected(w.error());
  if (auto ok = switch_to(**w, plan, nullptr); !ok) return tl::unexpected(ok.error());
  std::vector<RealizedStep> out;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    if ((*w)->realized[k]) out.push_back({plan[k], *(*w)->realized[k]});
  }
  return out;
}

}  // namespace partir
