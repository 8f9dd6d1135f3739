// Constants that compilers fold, or leave to be computed.
#pragma once

#include "ir/program.h"

namespace partir::validate {

/// The function with each value of which all elements are one known number written as that constant: `1 / 32` and a
/// broadcast of it become constants of 0.03125. Computed are only operations that have one right value on every
/// machine, in the program's own types. A choice between two values that are the same is that value.
Function with_folded_constants(const Function& function);

}  // namespace partir::validate
