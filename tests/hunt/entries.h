// Random registry entries for the hunt: short programs with an action for each argument and result.
#pragma once

#include "tests/hunt/expression.h"

namespace partir::hunt {

/// Returns "entry @hunted tiles … (…) -> (…) { … }" over a random element type, with elementwise operations,
/// conversions, reductions, comparisons, selects, transposes, matrix products, concatenations, slices, pads and
/// lookups.
std::string some_entry(Random& random);

}  // namespace partir::hunt
