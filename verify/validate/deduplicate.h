// Operations that are computed once: partitioners merge equal operations, or leave them apart, as they like.
#pragma once

#include "ir/program.h"

namespace partir::validate {

/// The function with each operation that gives what an earlier one of the same block, or of one around it, gives
/// replaced by that one. `a = add x y; b = add x y; c = mul a b` becomes `a = add x y; c = mul a a`. Operations with
/// effects, random numbers and control flow stay.
Function deduplicated(const Function& function);

/// The function with a copy for each use of a broadcast of a scalar, or of a value that is computed of constants and
/// such broadcasts alone: such values have dimensions of no other, and what becomes of one use then says nothing of
/// another. The originals are left, unused.
Function with_own_broadcasts(const Function& function);

}  // namespace partir::validate
