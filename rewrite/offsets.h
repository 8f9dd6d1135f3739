// Chooses operations to decompose using the device's shard offset: those that would otherwise need a replicated operand
// although it arrives sharded, or would produce a replicated result although it is needed sharded. Called by the
// session after all tactics.
#pragma once

#include "ir/by_offsets.h"
#include "rewrite/state.h"
#include "semantics/infinities.h"

namespace partir {

/// Returns the operations that joined no entry along an axis that shards one of their operands, and that can be
/// decomposed (OpDecl::by_offsets). If several operands or dimensions qualify, the first is chosen.
OperationsByOffsets to_write_by_offsets(const State& state, const RewrittenInfinities& infinities);

}  // namespace partir
