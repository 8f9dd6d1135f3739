// Decompositions of operations on a padded dimension (OpDecl::padded, rewrite/padding.h): operand `operand` is extended
// to `size` elements along `dim`. They cover operations whose entries do not show that elements are computed
// independently: lookups, updates, slices, concatenations, reversals and windows. The elements of the padding are
// arbitrary, in operands as in results. Each returns nothing where it does not apply. The argument is in
// proofs_notes/padding.md; each certificate that uses one proves it.
#pragma once

#include <optional>

#include "ir/op_decl.h"

namespace partir::ops {

/// The same slice: it ends before the padding begins. A result with one element for each stride of the operand has more
/// of the operand's elements, and then zeros.
std::optional<Function> slice_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// The start index is first clamped as on the original dimension, so that the slice does not reach into the padding.
std::optional<Function> dynamic_slice_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// As dynamic_slice_of_padded, for dynamic_update_slice.
std::optional<Function> update_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// Indices are first clamped as on the original dimension.
std::optional<Function> gather_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// The same updates: those beyond the original end fall into the padding or are dropped as before. Applies if updates
/// are single elements along the dimension (inserted_window_dims), or one window at a known place. The updates of such
/// a window may have padding themselves: they are padded to the result's size, and selected where the window is.
std::optional<Function> scatter_into_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// reduce_window and convolution on a padded dimension: more windows follow the original ones. Where the original
/// windows read beyond the original end, they read what they read in the operation's own padding: the initial value, or
/// zero. If `operand` is the number of operands, the result is extended to `size` windows. A kernel is extended by zero
/// taps.
std::optional<Function> windows_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
std::optional<Function> convolution_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// Whether a slice takes all but a few elements of a dimension, as the terms of a stencil do (x[2:] - x[:-2]), or one
/// of each stride, as the steps of a scan do (x[2::2]), but for a few: three of four at least. Its result may then be
/// padded to the operand's length over the stride.
bool is_nearly_whole(const OpInstance& op, Dim dim);
/// Operands are sliced before they are joined. A result that is to have padding gets it as a further operand.
std::optional<Function> concatenate_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// Whether the operation concatenates along `dim`.
bool joins_along(const OpInstance& op, Dim dim);
/// Whether a value is three quarters at least of a concatenation along `dim`, like the tokens behind one more. Both may
/// then be padded to one length.
bool is_most_of(const TensorType& part, const TensorType& whole, Dim dim);
/// The reversal of all elements, which begins with the padding, of the operand shifted so that this is cut off.
std::optional<Function> reverse_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// The same pad with less at the end. What it adds there are elements of the padding, set to the padding value. A
/// result that is to have padding gets more at the end.
std::optional<Function> pad_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);
/// The same iota, continued (`operand` is 0, the result).
std::optional<Function> iota_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);

}  // namespace partir::ops
