// What looks through all of a dimension, from what it gives of each block: the places of few elements, instead of the
// dimension, are then gathered. tests/claims/merges.tmr proves each for all sizes.
#pragma once

#include <optional>

#include "ir/op_decl.h"

namespace partir::ops {

/// A fold by choices (ir/choices.h), as argmax is one, or by a monoid that collectives do not have: of each block, then
/// of the blocks' results by the same body.
std::optional<Function> fold_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

/// The k largest of each block with their places in the dimension, then the k largest of these. Where a block has more
/// than k.
std::optional<Function> top_k_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

}  // namespace partir::ops
