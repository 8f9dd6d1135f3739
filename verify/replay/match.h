// Compares two terms up to the names of bound indices and the order of arguments that have none. The replayer checks
// with it that both sides of a proof ended in the same form.
#pragma once

#include <optional>

#include "verify/replay/term.h"

namespace partir::replay {

/// True if the terms match, with the arguments of a join, and the conditions and indices of one binder, in any order.
/// Returns nothing if the terms are too large for the search.
std::optional<bool> same_up_to_names(const Terms& terms, TermId a, TermId b);

}  // namespace partir::replay
