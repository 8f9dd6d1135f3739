// Puts requested layouts in place, all axes of a value at once.
#pragma once

#include <vector>

#include "rewrite/conflict.h"
#include "rewrite/layout_request.h"
#include "rewrite/names.h"
#include "rewrite/state.h"

namespace partir {

/// Tiles arguments, and the identities at internal values and results, as layouts say; nothing propagates yet. A tile
/// of priority k belongs to the tactic k behind the one at work. Values that nobody reads are left out.
///
/// Returns internal values that an axis does not divide, which stay replicated along it. Throws a UserError,
/// "unsupported", for arguments and results that are so.
std::vector<Conflict> pin_layouts(State& state, const std::vector<LayoutRequest>& layouts, const Names& names);

}  // namespace partir
