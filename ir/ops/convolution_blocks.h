// Convolutions along a spatial dimension in blocks: each block's windows read its rows and a few of its neighbours'.
#pragma once

#include "ir/op_decl.h"

namespace partir::ops {

/// Entries that hold once the convolution is written in blocks: windows of a block start in it, or, where the kernel
/// is as large as the input (gradients of kernels), taps of a block do.
std::vector<Entry> convolution_entries_in_blocks(const OpInstance& op);
/// The blocks' number as one more spatial dimension: of windows of one place, or contracted. tests/claims/windows.tmr.
std::optional<Function> convolution_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

}  // namespace partir::ops
