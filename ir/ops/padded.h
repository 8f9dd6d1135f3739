// Operations of which a dimension goes on behind its end (rewrite/padding.h), where no entry says that its elements are
// computed each by itself: they look elements up, replace some, or cut a part out. What stands behind the end may be
// anything, and what they give there, too. proofs_notes/padding.md; every certificate that uses one proves it.
#pragma once

#include <optional>

#include "ir/op_decl.h"

namespace partir::ops {

/// The same slice: it ends before the padding does.
std::optional<Function> slice_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// Starts are kept inside the dimension's own end first.
std::optional<Function> dynamic_slice_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
std::optional<Function> update_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// Indices are kept inside the dimension's own end first.
std::optional<Function> gather_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// The same updates: those behind the dimension's own end fall into the padding, or are dropped as before. Of single
/// elements along the dimension.
std::optional<Function> scatter_into_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// More windows follow; what the operation's own read behind the end is the initial value, or zero, as in its padding.
/// Of a result (`operand` behind the operands) as many as it is to have. A kernel's further taps are zeros.
std::optional<Function> windows_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
std::optional<Function> convolution_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// The numbers go on.
std::optional<Function> iota_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);

}  // namespace partir::ops
