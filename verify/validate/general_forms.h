// Canonical forms of operations: partitioners write operations in several equivalent forms, with annotations.
// Validation rewrites both programs before it compares them. These rewritings are trusted.
#pragma once

#include "ir/program.h"

namespace partir::validate {

/// The module with `stablehlo.dot` written as dot_general, squares as products, comparisons without a compare_type that
/// the element type implies, linear-algebra calls without tuples, no barriers, and no shardings on operations
/// (ir/sharding/attributes.h).
Module with_general_forms(Module module);

/// The function with one reshape for a chain of them, none that keeps the shape, and broadcasts only of operands
/// without dimensions of size 1: `broadcast_in_dim x, dims = [0, 1] : 1x4 -> 8x4` becomes a reshape to 4 and a
/// broadcast to dimension 1. Limitation: a device's tile may have size 1 where the source's dimension does not, so two
/// programs that corresponded may differ in form afterwards.
Function with_one_form_of_movement(Function function);

}  // namespace partir::validate
