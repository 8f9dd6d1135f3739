// Constant folding, for infer_certificate: compilers may fold constants or leave them to be computed.
#pragma once

#include "ir/program.h"

namespace partir::validate {

/// The function with each value all of whose elements are one known number replaced by a constant: `1 / 32` and a
/// broadcast of it become constants of 0.03125. Only operations with one correct result on every machine are computed,
/// in the program's own types. A select between two equal values becomes that value.
Function with_folded_constants(const Function& function);

}  // namespace partir::validate
