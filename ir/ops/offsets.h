// Operations that take or give a part of a dimension, written in others that work position by position, so that a
// device can do its part of them with the offset of what it holds. Nothing for n below 2. tests/claims/offsets.tmr
// proves each for all sizes.
#pragma once

#include <optional>

#include "ir/op_decl.h"

namespace partir::ops {

/// x[start + i] for i below m is the sum over the positions p of x of x[p] where p - start = i. Where m is no more than
/// a device's part of the dimension.
std::optional<Function> slice_by_sum(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// Of a position p, what stands at p - start in the update where that is one of its places, else what was there.
std::optional<Function> update_by_mask(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// Looks each index up in n blocks, of which one has it, and adds up.
std::optional<Function> lookup_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// Updates n blocks by what falls into each.
std::optional<Function> updates_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

/// Of the result, the positions as n blocks of the same positions and where each block starts.
std::optional<Function> iota_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

}  // namespace partir::ops
