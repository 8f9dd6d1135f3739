// Random entries: short programs with an action for each argument and result.
#pragma once

#include "tests/hunt/expression.h"

namespace partir::hunt {

/// "entry @hunted tiles … (…) -> (…) { … }" over all element types: elementwise operations, conversions, reductions,
/// comparisons, selects, transposes, matrix products, concatenations, slices, pads and lookups.
std::string some_entry(Random& random);

}  // namespace partir::hunt
