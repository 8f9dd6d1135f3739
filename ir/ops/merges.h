// Decompositions of operations that search all of a dimension, such as argmax and top_k (OpDecl::by_offsets): the
// operation runs on each of n blocks, and the results of the blocks are merged. Devices then gather these few results
// instead of the dimension. Each returns nothing where it does not apply; tests/claims/merges.tmr proves each for all
// sizes. Also their forms on a padded dimension.
#pragma once

#include <optional>

#include "ir/op_decl.h"

namespace partir::ops {

/// Decomposes a reduce whose body chooses between its arguments (ir/choices.h), as argmax does, or whose monoid no
/// collective supports. Each block is folded, then the results of the blocks are folded with the same body.
std::optional<Function> fold_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

/// Decomposes top_k: takes the k largest elements of each block with their positions in the dimension, then the k
/// largest of these. Applies if a block has more than k elements.
std::optional<Function> top_k_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

/// The same folds and top_k of a padded dimension (OpDecl::padded): the padding is replaced by elements that change no
/// result, the initial values or the least element.
std::optional<Function> fold_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
std::optional<Function> top_k_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);

}  // namespace partir::ops
