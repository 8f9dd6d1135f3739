// Plans of slices, all_to_alls, gathers and at most one permute between two distributed types, nothing on the way
// larger than the larger of the two. Which is taken: lowering/redistribute.h.
#pragma once

#include <optional>
#include <vector>

#include "lowering/redistribute.h"

namespace partir {

using Plan = std::vector<Conversion>;

/// Slices and moves along whole axes into the target's lists, then gathers. Nothing where that leads nowhere.
std::optional<Plan> straight_plan(const DistributedType& source, const DistributedType& target, const Mesh& mesh);

/// By whole axes and by the prime factors of their sizes, most straight first. No axis has size 1.
std::vector<Plan> plans_between(const DistributedType& source, const DistributedType& target, const Mesh& mesh);

/// The same parts by another type.
Conversion renamed(const DistributedType& type);

}  // namespace partir
