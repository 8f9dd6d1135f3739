// Operations that take whole an operand that comes tiled, or give whole a result that is wanted tiled, and that could do
// their part of it with the device's offset.
#pragma once

#include "ir/by_offsets.h"
#include "rewrite/state.h"

namespace partir {

/// After all tactics: operations that joined no entry along an axis by which an operand comes tiled, and that can be
/// written in others that do (OpDecl::by_offsets). Of several operands and dimensions the first.
OperationsByOffsets to_write_by_offsets(const State& state);

}  // namespace partir
