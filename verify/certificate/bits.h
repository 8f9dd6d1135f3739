// Bits of floats, as integers, may move to other places and be floats again: what computes with them, or reads them as
// positions, says more of a float than its real number.
#pragma once

#include "ir/program.h"

namespace partir {

/// Whether all that an operation gives are elements of its operands, chosen by what no data operand holds: a gather; a
/// scatter that replaces, none that adds.
bool only_moves(const Op& op);

/// Whether operand k of an operation is data, no position: of a gather the first, not the indices.
bool is_data(const Op& op, std::size_t k);

}  // namespace partir
