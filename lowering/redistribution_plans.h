// Plans of slices, all_to_alls, gathers and at most one permute between two layouts, nothing on the way
// larger than the larger of the two. Which is taken: lowering/redistribute.h.
#pragma once

#include <optional>
#include <vector>

#include "lowering/redistribute.h"

namespace partir {

using Plan = std::vector<Conversion>;

/// Slices and moves along whole axes into the target's lists, then gathers. Nothing where that leads nowhere.
std::optional<Plan> straight_plan(const Layout& source, const Layout& target, const Mesh& mesh);

/// By whole axes and by the prime factors of their sizes, most straight first. No axis has size 1.
std::vector<Plan> plans_between(const Layout& source, const Layout& target, const Mesh& mesh);

/// The same parts by another layout.
Conversion renamed(const Layout& layout);

}  // namespace partir
