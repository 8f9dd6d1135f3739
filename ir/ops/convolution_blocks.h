// Decomposes convolutions into blocks along a spatial dimension: the windows of each block read its own rows and a few
// rows of its neighbours. The declaration of convolution (ir/ops/convolution.cpp) refers to both functions.
#pragma once

#include "ir/op_decl.h"

namespace partir::ops {

/// Entries that hold once the convolution is decomposed into blocks. If the windows of each block start in it, input
/// and result are tiled along the spatial dimension. If the kernel is as large as the input (gradients of kernels), the
/// taps of each block start in it: input and kernel are tiled, and the result is a pending sum.
std::vector<Entry> convolution_entries_in_blocks(const OpInstance& op);
/// Decomposes the convolution for an input (operand 0) in n chunks along spatial dimension `dim`; nothing if that is
/// impossible. The number of the block becomes one more spatial dimension, along which windows have size 1, or which is
/// contracted in gradients of kernels. tests/claims/windows.tmr proves both.
std::optional<Function> convolution_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

}  // namespace partir::ops
