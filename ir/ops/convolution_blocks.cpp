// Convolutions in blocks (ir/ops/convolution_blocks.h). Worked example: an input of 8 rows in 2 blocks, under windows
// of size 3, stride 1 and padding 1, has 4 windows per block, which read rows -1 to 5 (exclusive) of each block.
#include "ir/ops/convolution_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/ops/blocks.h"
#include "ir/ops/convolution_numbers.h"
#include "ir/ops/window.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

bool same_product(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  const auto left = checked_multiply(a, b);
  const auto right = checked_multiply(c, d);
  return left && right && *left == *right;
}

/// A convolution along spatial dimension k: its window and sizes there.
struct Along {
  ConvolutionNumbers numbers;
  std::size_t spatial = 0;
  Window window;
  bool reversed = false;
  std::int64_t input = 0;
  std::int64_t output = 0;

  Along(const OpInstance& op, std::size_t k) : numbers(*convolution_numbers(op)), spatial(k) {
    window = convolution_window(op, numbers, k);
    reversed = is_window_reversed(op, k);
    input = op.operands[0]->dims[numbers.lhs.spatial[k]];
    output = op.results[0]->dims[numbers.out.spatial[k]];
  }

  /// True if the windows step over all positions of the dilated input: block b of the windows then starts at block b of
  /// the input.
  [[nodiscard]] bool windows_in_blocks() const {
    return output > 0 && same_product(output, window.stride, input, window.base_dilation);
  }
  /// True if the taps step over all positions of the dilated input, and the windows do not.
  [[nodiscard]] bool taps_in_blocks() const {
    return output > 0 && !reversed && !windows_in_blocks() &&
           same_product(window.size, window.window_dilation, input, window.base_dilation);
  }
};

/// Formats the dimension numbers of one tensor, "[b, 0, 1, f]", with the number of the block as spatial dimension k.
std::string side_text(const ConvolutionSide& side, std::size_t k, char first, char second) {
  std::vector<std::string> names(side.spatial.size() + 2);
  names[side.first] = first;
  names[side.second] = second;
  for (std::size_t s = 0; s < side.spatial.size(); ++s) names[side.spatial[s]] = fmt::format("{}", s < k ? s : s + 1);
  names.insert(names.begin() + static_cast<std::ptrdiff_t>(side.spatial[k]), fmt::format("{}", k));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

/// The operation's attributes with the number of the block as a new spatial dimension k, and this padding along the one
/// after it.
AttributeList attributes_of(const OpInstance& op, const Along& a, std::int64_t low, std::int64_t high) {
  const std::size_t k = a.spatial;
  const std::size_t count = a.numbers.lhs.spatial.size();
  AttributeList out = op.attributes;
  set(out, "dimension_numbers",
      {RawAttr{fmt::format("#stablehlo.conv<{}x{}->{}>", side_text(a.numbers.lhs, k, 'b', 'f'),
                           side_text(a.numbers.rhs, k, 'i', 'o'), side_text(a.numbers.out, k, 'b', 'f'))}});
  for (const char* name : {"window_strides", "lhs_dilation", "rhs_dilation"}) {
    if (!op.ints(name).empty()) set(out, name, {IntsAttr{with_one(op.ints(name), k, count, 1)}});
  }
  std::vector<std::vector<std::int64_t>> padding;
  std::string reversal;
  for (std::size_t s = 0; s < count; ++s) {
    if (s == k) padding.push_back({0, 0});
    const auto [l, h] = padding_of(op, s);
    padding.push_back(s == k ? std::vector{low, high} : std::vector{l, h});
    if (s == k) reversal += reversal.empty() ? ": false" : ", false";
    reversal += fmt::format("{} {}", reversal.empty() ? ":" : ",", is_window_reversed(op, s));
  }
  set(out, "padding", {DenseAttr{int_matrix(padding)}});
  if (find(op.attributes, "window_reversal") != nullptr)
    set(out, "window_reversal", {RawAttr{"array<i1" + reversal + ">"}});
  return out;
}

}  // namespace

std::vector<Entry> convolution_entries_in_blocks(const OpInstance& op) {
  std::vector<Entry> out;
  const ConvolutionNumbers n = *convolution_numbers(op);
  for (std::size_t k = 0; k < n.lhs.spatial.size(); ++k) {
    const Along a(op, k);
    const Action input = Action::tile(n.lhs.spatial[k]);
    if (a.windows_in_blocks()) out.push_back({{input, Action::any()}, {Action::tile(n.out.spatial[k])}});
    if (a.taps_in_blocks()) out.push_back({{input, Action::tile(n.rhs.spatial[k])}, {Action::partial(Monoid::sum)}});
  }
  return out;
}

std::optional<Function> convolution_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const auto numbers = convolution_numbers(op);
  if (operand != 0 || n < 2 || !numbers) return std::nullopt;
  const auto it = std::find(numbers->lhs.spatial.begin(), numbers->lhs.spatial.end(), dim);
  if (it == numbers->lhs.spatial.end()) return std::nullopt;
  const Along a(op, static_cast<std::size_t>(it - numbers->lhs.spatial.begin()));
  const Window& w = a.window;
  const bool taps = a.taps_in_blocks();
  const std::int64_t windows = taps ? a.output : a.output / n;  // windows per block
  const std::int64_t size = taps ? w.size / n : w.size;         // taps per block
  if ((!taps && !a.windows_in_blocks()) || a.input % n != 0 || (taps ? w.size : a.output) % n != 0) return std::nullopt;
  Window of_block = w;
  of_block.size = size;
  const auto reach = reach_of(of_block, windows);
  if (!reach) return std::nullopt;
  Decomposition d(op);
  Builder& b = d.builder();
  Blocks input(d, dim, n);
  const ValueId rows = input.places(input.split(d.operand(0)), reach->first, reach->end);
  const ValueId kernel = Blocks(d, a.numbers.rhs.spatial[a.spatial], taps ? n : 1).split(d.operand(1));
  const Dim out_dim = a.numbers.out.spatial[a.spatial];
  TensorType out = *op.results[0];
  out.dims[out_dim] = windows;
  out.dims.insert(out.dims.begin() + static_cast<std::ptrdiff_t>(out_dim), taps ? 1 : n);
  const ValueId blocks =
      b.value("stablehlo.convolution", {rows, kernel}, attributes_of(op, a, reach->low, reach->high), std::move(out));
  return d.done(Blocks(d, out_dim, n).merge(blocks));
}

}  // namespace partir::ops
