// Scalars that all elements of a value are known to be.
#pragma once

#include <vector>

#include "ir/program.h"

namespace partir {

/// The scalar that all elements of an operation's result are known to be by those of values (by ValueId), or null.
LiteralPtr splat_of(const Op& op, const std::vector<LiteralPtr>& known);

}  // namespace partir
