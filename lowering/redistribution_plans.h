// Candidate resharding plans of slices, all_to_alls, gathers and at most one permute, with no intermediate larger than
// the larger of source and target. lowering/redistribute.h chooses among them.
#pragma once

#include <optional>
#include <vector>

#include "lowering/redistribute.h"

namespace partir {

using Plan = std::vector<Conversion>;

/// Slices and moves along whole axes that lead to a refinement of the target, then gathers. Nothing if no such plan
/// exists.
std::optional<Plan> straight_plan(const Layout& source, const Layout& target, const Mesh& mesh);

/// Plans along whole axes and by the prime factors of their sizes, the most direct first. No axis may have size 1.
std::vector<Plan> plans_between(const Layout& source, const Layout& target, const Mesh& mesh);

/// A step that only changes the notation of the layout: each device keeps its part.
Conversion renamed(const Layout& layout);

}  // namespace partir
