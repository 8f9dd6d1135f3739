// Near-laws: rewrites of a tree at one node, some of which preserve its value and some of which do not.
#pragma once

#include <optional>

#include "tests/hunt/expression.h"

namespace partir::hunt {

/// Rewrites one random node by a random near-law, whose premises, types or operations may be wrong. Returns nothing if
/// the law that was drawn does not apply to the node.
std::optional<NodePtr> nearly_the_same(const NodePtr& root, Random& random);

/// Makes both sides depend on an equality test of an argument that few values pass; otherwise both are the same
/// constant.
void put_behind_a_gate(NodePtr& source, NodePtr& target, Random& random);

}  // namespace partir::hunt
