// Which operations only move bits. Over the reals, the bits of a float held as integers may be moved and bitcast back
// to a float. Operations that compute with them, or read them as positions, depend on more than the float's real
// number, so the checker does not prove them of reassociated values.
#pragma once

#include "ir/program.h"

namespace partir {

/// Whether every element of the operation's results is an element of its data operands, selected independently of what
/// these hold. True for a gather and for a scatter that replaces, false for a scatter that adds.
bool only_moves(const Op& op);

/// Whether operand k holds data, as opposed to positions or a predicate. Of a gather, operand 0 is data and the indices
/// are not.
bool is_data(const Op& op, std::size_t k);

}  // namespace partir
