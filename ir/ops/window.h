// Windows that slide over an operand along each dimension: which positions they read, and how they are given by the
// attributes of reduce_window, select_and_scatter and convolution. Decompositions of pad use them, too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/ops/common.h"

namespace partir::ops {

/// The window along one dimension.
struct Window {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t low = 0;              ///< padding before the first element; negative to cut elements off
  std::int64_t high = 0;             ///< the same after the last element
  std::int64_t base_dilation = 1;    ///< distance between elements of the operand
  std::int64_t window_dilation = 1;  ///< distance between taps

  /// Returns the number of windows over `extent` elements (specification: num_windows).
  [[nodiscard]] std::int64_t count(std::int64_t extent) const;
};

/// The positions of the operand that the first windows read: `first` to `end` (exclusive), and the padding `low` and
/// `high` that remains around them. Positions may lie outside the operand. Example: three windows of size 3, stride 1
/// and low padding 1 read positions -1 to 4 (exclusive), and no padding remains.
struct Reach {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};
/// Returns what the first `windows` windows read; nothing if that is only padding or gaps between dilated elements.
std::optional<Reach> reach_of(const Window& w, std::int64_t windows);

/// Returns the position in the operand that tap `tap` of window `window` reads. Adds to `inside` the guards under which
/// it is an element, rather than padding or a gap between dilated elements.
Index tap_position(const Window& w, Index window, Index tap, std::int64_t extent, std::vector<Guard>& inside);

/// True for cumulative reductions: window i covers all positions up to i, or all positions from i on.
bool is_scan(const Window& w, std::int64_t extent);

/// reduce_window decomposed into blocks (ir/ops/window_blocks.cpp): the entries that then hold, and the decomposition
/// for an operand in n chunks along `dim`.
std::vector<Entry> windows_in_blocks(const OpInstance& op);
std::optional<Function> windows_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

/// Returns the monoid by which select_and_scatter combines, if its region `scatter` is one.
std::optional<Monoid> scattered_monoid(const OpInstance& op);
/// select_and_scatter decomposed into the taps of its windows (ir/ops/scatter_by_taps.cpp), which are compared and moved
/// one by one: the entries that then hold, and the decomposition for a tiled operand or source.
std::vector<Entry> scatter_entries_by_taps(const OpInstance& op);
std::optional<Function> scatter_by_taps(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);
/// The same on a padded dimension (OpDecl::padded) of a finite operand. As many windows follow the original ones as step
/// over all of it; these add nothing.
std::optional<Function> scatter_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size);

/// Returns low and high padding of dimension k from the attribute "padding"; zeros if that is absent or empty.
std::pair<std::int64_t, std::int64_t> padding_of(const OpInstance& op, std::size_t k);

/// Returns the window along dimension k as the attributes give it. Absent ones mean 1, or no padding.
Window window_of(const OpInstance& op, std::size_t k, const char* base_dilations = "base_dilations",
                 const char* window_dilations = "window_dilations");

struct ConvolutionNumbers;
/// Returns the window of a convolution along spatial dimension k. Its size is that of the kernel.
Window convolution_window(const OpInstance& op, const ConvolutionNumbers& n, std::size_t k);
/// Whether a convolution counts the taps along spatial dimension k from the end (window_reversal).
bool is_window_reversed(const OpInstance& op, std::size_t k);

/// Whether strides divide the dimension into pieces of `stride` elements, each of which contains one window: no window
/// then reads across the boundary of a chunk that consists of complete pieces.
bool is_cut_by_strides(const Window& w, std::int64_t extent);

}  // namespace partir::ops
