// Whether two terms are one but for the names of bound indices and the order in what has none.
#pragma once

#include <optional>

#include "verify/replay/term.h"

namespace partir::replay {

/// Arguments of a join, conditions and indices of one binder stand in any order. Nothing when the terms are too large
/// for the search.
std::optional<bool> same_up_to_names(const Terms& terms, TermId a, TermId b);

}  // namespace partir::replay
