// Partitioners print operations in several forms, and annotate them: one form of each is kept.
#pragma once

#include "ir/program.h"

namespace partir::validate {

/// The module with `stablehlo.dot` of vectors and matrices written as the dot_general that it is, squares as products,
/// comparisons that do not say what their types say, and no shardings on operations (ir/sharding/attributes.h).
Module with_general_forms(Module module);

/// The function with one reshape for a row of them, none for what changes nothing, and broadcasts of operands without
/// dimensions of size 1: of `broadcast_in_dim x, dims = [0, 1] : 1x4 -> 8x4` it makes a reshape to 4 and a broadcast to
/// dimension 1. On a device a tile may have size 1 where its source has not: the two then differ in form where they did
/// not before.
Function with_one_form_of_movement(Function function);

}  // namespace partir::validate
