// Decompositions of operations that read or produce a part of a dimension into operations that work position by
// position, so that each device computes its part using its shard offset (OpDecl::by_offsets). `operand` is tiled in n
// chunks along `dim`. Each returns nothing if n is below 2 or the operation is not of the required kind.
// tests/claims/offsets.tmr proves each for all sizes.
#pragma once

#include <optional>

#include "ir/op_decl.h"

namespace partir::ops {

/// Decomposes a slice or dynamic_slice: x[start + i], for i < m, is the sum of x[p] over the positions p of x for which
/// p - start = i. Applies if m is at most the size of a chunk.
std::optional<Function> slice_by_sum(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// Decomposes a slice of one of several blocks, which slice_by_sum does not take if a block is larger than a chunk:
/// x[.., b m, ..] becomes [.., b, m, ..], of which it takes one position. The rows of the blocks can then be tiled in n
/// (rewrite/microbatches.h), as those of queries, keys and values in one product.
std::optional<Function> slice_of_block(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// Decomposes a dynamic_update_slice: position p of the result holds update[p - start] if p - start is a position of
/// the update, and x[p] otherwise.
std::optional<Function> update_by_mask(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// Decomposes a gather: looks up each index in all n blocks, exactly one of which contains it, and adds the results.
std::optional<Function> lookup_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// Decomposes a scatter: each of n blocks receives the updates that fall into it.
std::optional<Function> updates_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

/// Decomposes an iota along its own dimension (`operand` is 0, the result): the positions inside a block, which are the
/// same for all n blocks, plus the start of each block.
std::optional<Function> iota_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

}  // namespace partir::ops
