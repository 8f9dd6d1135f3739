// Windows that slide over an operand: what convolution-like operations share.
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
  std::int64_t low = 0;  ///< padding, negative to cut
  std::int64_t high = 0;
  std::int64_t base_dilation = 1;    ///< of the operand
  std::int64_t window_dilation = 1;  ///< between the taps

  /// How many windows fit on `extent` elements (specification: num_windows).
  [[nodiscard]] std::int64_t count(std::int64_t extent) const;
};

/// What so many windows from the first place on read: places from `first` up to `end`, and the padding that is left
/// there. Three windows of size 3, stride 1, padding 1: places -1 to 4, no padding.
struct Reach {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};
/// Nothing where they read padding alone.
std::optional<Reach> reach_of(const Window& w, std::int64_t windows);

/// Where tap `tap` of window `window` stands in the operand; adds to `inside` what must hold for it to be an element.
Index tap_position(const Window& w, Index window, Index tap, std::int64_t extent, std::vector<Guard>& inside);

/// Window i is all places up to i, or all from i on.
bool is_scan(const Window& w, std::int64_t extent);

/// reduce_window in blocks: entries that then hold, and how it is written (ir/ops/window_blocks.cpp).
std::vector<Entry> windows_in_blocks(const OpInstance& op);
std::optional<Function> windows_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n);

/// Low and high padding of dimension k by the attribute "padding"; zeros without it.
std::pair<std::int64_t, std::int64_t> padding_of(const OpInstance& op, std::size_t k);

/// The window along dimension k by the attributes; what an attribute does not say is 1, or no padding.
Window window_of(const OpInstance& op, std::size_t k, const char* base_dilations = "base_dilations",
                 const char* window_dilations = "window_dilations");

struct ConvolutionNumbers;
/// The window of a convolution along spatial dimension k, whose size the kernel's type says.
Window convolution_window(const OpInstance& op, const ConvolutionNumbers& n, std::size_t k);
/// Whether its taps are counted from the end.
bool is_window_reversed(const OpInstance& op, std::size_t k);

/// Whether strides cut the dimension into pieces with a window each: pieces are on a device as a whole.
bool is_cut_by_strides(const Window& w, std::int64_t extent);

}  // namespace partir::ops
