// The tactics that annotations are: one for each priority, the first of which requests all layouts.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rewrite/annotations.h"

namespace partir {
namespace {

/// Orders axes so that an axis that is major to another in some dimension comes first; ties, and conflicts between
/// layouts, are resolved in the mesh's order.
std::vector<Axis> propagation_order(const Annotations& annotations) {
  std::set<std::pair<Axis, Axis>> before;
  for (const LayoutRequest& layout : annotations.layouts) {
    for (std::size_t k = 0; k + 1 < layout.tiles.size(); ++k) {
      const auto& [a, b] = std::pair(layout.tiles[k], layout.tiles[k + 1]);
      if (a.dim == b.dim) before.emplace(a.axis, b.axis);
    }
  }
  std::vector<Axis> rest;
  for (std::size_t a = 0; a < annotations.mesh.rank(); ++a) rest.push_back(Axis(a));
  std::vector<Axis> out;
  while (!rest.empty()) {
    auto next = std::find_if(rest.begin(), rest.end(), [&](Axis b) {
      return std::none_of(rest.begin(), rest.end(), [&](Axis a) { return before.contains({a, b}); });
    });
    if (next == rest.end()) next = rest.begin();
    out.push_back(*next);
    rest.erase(next);
  }
  return out;
}

}  // namespace

Schedule schedule_of(const Annotations& annotations, const std::string& file) {
  Schedule out;
  out.file = file;
  for (const std::size_t p : annotations.priorities) {
    Tactic tactic;
    tactic.name = fmt::format("p{}", p);
    out.tactics.push_back(std::move(tactic));
  }
  return out;
}

std::vector<ResolvedTactic> tactics_of(const Annotations& annotations) {
  std::vector<ResolvedTactic> out(annotations.priorities.size());
  const std::vector<Axis> order = propagation_order(annotations);
  for (ResolvedTactic& tactic : out) {
    tactic.axis = order.front();
    tactic.along = order;
  }
  out.front().layouts = annotations.layouts;
  return out;
}

}  // namespace partir
