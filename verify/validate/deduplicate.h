// Common subexpression elimination, and its opposite for broadcasts. Partitioners may merge equal operations or not, so
// infer_certificate brings both programs into one form.
#pragma once

#include "ir/program.h"

namespace partir::validate {

/// The function with each operation that computes the same as an earlier one of its block, or of a block around it,
/// replaced by that one. `a = add x y; b = add x y; c = mul a b` becomes `a = add x y; c = mul a a`. Operations with
/// effects, random numbers and control flow are kept.
Function deduplicated(const Function& function);

/// The function in which each operation that uses a broadcast of a scalar, or a value computed from constants and such
/// broadcasts alone, uses its own copy. The dimensions of such values come from no other value, so padding one use then
/// does not affect another. The originals are kept, unused.
Function with_own_broadcasts(const Function& function);

}  // namespace partir::validate
