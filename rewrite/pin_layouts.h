// Puts requested layouts into a state, all axes of a value at once, before anything propagates. Called by propagate.cpp
// for tactics made from annotations.
#pragma once

#include <vector>

#include "rewrite/conflict.h"
#include "rewrite/layout_request.h"
#include "rewrite/names.h"
#include "rewrite/state.h"

namespace partir {

/// Tiles arguments, and the identities at internal values and results, as the layouts request; nothing propagates yet.
/// A tile of priority k belongs to the tactic k positions after the current one. Layouts of values that are never read
/// are ignored.
///
/// Returns conflicts for internal values that an axis does not divide, which stay replicated along it, and for internal
/// values with another order of devices than the mesh. Throws a UserError, "unsupported", for an argument or result
/// that an axis does not divide.
std::vector<Conflict> pin_layouts(State& state, const std::vector<LayoutRequest>& layouts, const Names& names);

}  // namespace partir
