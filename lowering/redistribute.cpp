#include "lowering/redistribute.h"

#include <algorithm>

#include "lowering/redistribution_plans.h"
#include "lowering/spmd_writer.h"
#include "support/check.h"

namespace partir {
namespace {

/// The layout without axes of size 1, which tile nothing.
Layout stripped(Layout layout, const Mesh& mesh) {
  for (auto& factors : layout.dims) std::erase_if(factors, [&](const Factor& f) { return f.size(mesh) == 1; });
  return layout;
}

/// The inverse of a plan from `source`: a gather for each slice and a slice for each gather. Nothing if the plan
/// gathers over groups that are not along axes, or slices by a digit, as these have no such inverse.
std::optional<Plan> reversed(Plan plan, const Layout& source) {
  Plan out;
  for (std::size_t k = plan.size(); k-- > 0;) {
    Conversion& step = plan[k];
    std::swap(step.from, step.to);
    if (step.kind == Conversion::Kind::all_gather) {
      if (!step.groups.empty()) return std::nullopt;
      step.kind = Conversion::Kind::all_slice;
    } else if (step.kind == Conversion::Kind::all_slice) {
      if (step.digit && step.digit->size > 1) return std::nullopt;
      if (!step.digit) step.kind = Conversion::Kind::all_gather;
    }
    for (auto& [from, to] : step.pairs) std::swap(from, to);
    std::sort(step.pairs.begin(), step.pairs.end());
    step.after = k == 0 ? source : plan[k - 1].after;
    out.push_back(std::move(step));
  }
  return out;
}

/// Cost of a plan: the number of collectives, then how many of them do not run along whole axes of the mesh.
std::pair<std::int64_t, std::int64_t> cost_of(const Plan& plan) {
  return {std::count_if(plan.begin(), plan.end(), [](const Conversion& c) { return c.communicates(); }),
          std::count_if(plan.begin(), plan.end(), [](const Conversion& c) { return !c.groups.empty(); })};
}

}  // namespace

std::vector<Conversion> redistribution(const Layout& source, const Layout& target, const Mesh& mesh) {
  PARTIR_CHECK(source.pending == target.pending, "redistribution that would reduce");
  if (source == target) return {};
  if (auto plan = straight_plan(source, target, mesh)) return std::move(*plan);
  const Layout from = stripped(source, mesh);
  const Layout to = stripped(target, mesh);
  if (!(from == source && to == target)) {
    std::vector<Conversion> out;
    if (!(from == source)) out.push_back(renamed(from));
    for (Conversion& step : redistribution(from, to, mesh)) out.push_back(std::move(step));
    if (!(to == target)) out.push_back(renamed(target));
    return out;
  }
  std::vector<Plan> all = plans_between(source, target, mesh);
  for (Plan& back : plans_between(target, source, mesh)) {
    if (auto plan = reversed(std::move(back), target)) all.push_back(std::move(*plan));
  }
  return std::move(
      *std::min_element(all.begin(), all.end(), [](const Plan& a, const Plan& b) { return cost_of(a) < cost_of(b); }));
}

PlannedConversion Redistributions::planned(Conversion step) const {
  const auto number = [](std::int64_t n) -> Attribute { return {IntAttr{n, "i64"}}; };
  const auto dim = [&](Dim d) { return number(static_cast<std::int64_t>(d)); };
  PlannedConversion out{{}, {}, "spmd.all_slice", {{"axes", axis_names(step.axes, mesh_)}}};
  switch (step.kind) {
    case Conversion::Kind::all_slice: set(out.attributes, "dim", dim(step.to)); break;
    case Conversion::Kind::all_gather:
      out.operation = "spmd.all_gather";
      set(out.attributes, "dim", dim(step.from));
      break;
    case Conversion::Kind::all_to_all:
      out.operation = "spmd.all_to_all";
      set(out.attributes, "from", dim(step.from));
      set(out.attributes, "to", dim(step.to));
      break;
    case Conversion::Kind::permute:
      out.operation = "spmd.collective_permute";
      std::vector<std::vector<std::int64_t>> pairs;
      for (const auto& [source, target] : step.pairs) pairs.push_back({source, target});
      set(out.attributes, "source_target_pairs", {DenseAttr{int_matrix(pairs)}});
      break;
  }
  if (!step.groups.empty()) set(out.attributes, "replica_groups", {DenseAttr{int_matrix(step.groups)}});
  if (step.digit) {
    set(out.attributes, "stride", number(step.digit->stride));
    set(out.attributes, "size", number(step.digit->size));
  }
  out.after = step.after;
  out.step = std::move(step);
  return out;
}

const std::vector<PlannedConversion>& Redistributions::between(const Layout& source, const Layout& target) {
  const auto known = plans_.find(std::pair<const Layout&, const Layout&>(source, target));
  if (known != plans_.end()) return known->second;
  std::vector<PlannedConversion>& plan = plans_[{source, target}];
  for (Conversion& step : redistribution(source, target, mesh_)) plan.push_back(planned(std::move(step)));
  return plan;
}

}  // namespace partir
