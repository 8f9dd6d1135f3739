// Laws and what is easily taken for one: rewrites of a tree at one node, of which some hold.
#pragma once

#include <optional>

#include "tests/hunt/expression.h"

namespace partir::hunt {

/// The tree with one node written otherwise, as by a law whose premises, types and operations may be wrong; nothing
/// where the one that was drawn does not fit there.
std::optional<NodePtr> nearly_the_same(const NodePtr& root, Random& random);

/// Both sides behind a gate on an argument, which few values open.
void put_behind_a_gate(NodePtr& source, NodePtr& target, Random& random);

}  // namespace partir::hunt
