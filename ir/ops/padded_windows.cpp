// Windows over a padded dimension (ir/ops/padded.h). If an original window reads beyond the original end, the elements
// there are replaced by the value that it reads in the operation's own padding; more windows follow the original ones.
#include <algorithm>

#include "ir/cloner.h"
#include "ir/ops/common.h"
#include "ir/ops/convolution_numbers.h"
#include "ir/ops/decomposition.h"
#include "ir/ops/padded.h"
#include "ir/ops/window.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

/// A window whose high padding fits a longer dimension, and the number of windows there.
struct FittedWindow {
  Window window;
  std::int64_t windows = 0;
};

/// Sets the high padding so that there are `windows` windows over `size` elements.
FittedWindow fitted(Window w, std::int64_t size, std::int64_t windows) {
  const std::int64_t reached = (windows - 1) * w.stride + (w.size - 1) * w.window_dilation + 1;
  w.high = reached - w.low - ((size - 1) * w.base_dilation + 1);
  return {w, windows};
}

/// Fits as many windows as step over all of a dimension that is extended to `size`. Example: a dimension of 14 elements
/// with 12 windows of stride 1 is extended to 16 elements, and has 16 windows then. Nothing if strides do not divide
/// the extended dimension, or if there are more original windows than that.
std::optional<FittedWindow> extended(const Window& w, std::int64_t windows, std::int64_t size) {
  const auto places = checked_multiply(size, w.base_dilation);
  if (!places || *places % w.stride != 0 || *places / w.stride < windows) return std::nullopt;
  return fitted(w, size, *places / w.stride);
}

/// Whether one of the first `windows` windows reads position `extent`, the end of the dimension, or a later one.
bool reads_beyond_end(const Window& w, std::int64_t windows, std::int64_t extent) {
  return (windows - 1) * w.stride + (w.size - 1) * w.window_dilation - w.low >= extent * w.base_dilation;
}

/// Whether the convolution computes the gradient of a kernel, judged by sizes: its kernel is longer than its result, so
/// the taps step over the input rather than the windows.
bool is_kernel_gradient(const Window& w, std::int64_t extent, std::int64_t windows) {
  return windows * w.stride < w.size * w.window_dilation && 2 * w.size * w.window_dilation > extent * w.base_dilation;
}

/// The operation's attributes with the padding of `w` along dimension k, out of `dimensions`.
AttributeList with_padding(const OpInstance& op, std::size_t dimensions, std::size_t k, const Window& w) {
  AttributeList out = op.attributes;
  std::vector<std::vector<std::int64_t>> padding;
  for (std::size_t s = 0; s < dimensions; ++s) {
    const auto [low, high] = padding_of(op, s);
    padding.push_back(s == k ? std::vector{w.low, w.high} : std::vector{low, high});
  }
  set(out, "padding", {DenseAttr{int_matrix(padding)}});
  return out;
}

}  // namespace

std::optional<Function> windows_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  const bool of_result = operand == op.operands.size();
  if ((operand != 0 && !of_result) || op.results.size() != 1) return std::nullopt;
  const std::int64_t extent = op.operands[0]->dims[dim];
  const std::int64_t windows = op.results[0]->dims[dim];
  Window w = window_of(op, dim);
  if (of_result && (is_scan(w, extent) || size < windows)) return std::nullopt;
  if (is_scan(w, extent)) {  // the longer scan combines the initial value more often, so that must be the identity
    if (!op.monoid() || op.splats.size() != 2 || !is_identity(op.splats[1], *op.monoid())) return std::nullopt;
    w.size = size;
    (w.high == 0 ? w.low : w.high) = size - 1;
  }
  const auto wide = of_result ? fitted(w, extent, size) : extended(w, windows, size);
  if (!wide) return std::nullopt;
  OpInstance out = op;
  if (!of_result) out.operands[0]->dims[dim] = size;
  out.results[0]->dims[dim] = wide->windows;
  out.attributes = with_padding(op, op.operands[0].rank(), dim, wide->window);
  std::vector<std::int64_t> sizes = op.ints("window_dimensions");
  sizes[dim] = wide->window.size;
  set(out.attributes, "window_dimensions", {IntsAttr{std::move(sizes)}});
  Decomposition d(out);
  ValueId x = d.operand(0);
  if (!of_result && reads_beyond_end(w, windows, extent)) x = d.masked(x, dim, extent, d.operand(1));
  Cloner cloner(*op.function, d.builder().function());
  std::vector<Block> regions;
  for (const Block& b : *op.regions) regions.push_back(cloner.block(b));
  return d.done(
      d.builder().append(op.decl, {x, d.operand(1)}, out.attributes, out.results, std::move(regions)).results.at(0));
}

std::optional<Function> convolution_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  const auto numbers = convolution_numbers(op);
  if (!numbers) return std::nullopt;
  const bool of_result = operand == op.operands.size();
  const auto& spatial = of_result ? numbers->out.spatial : operand == 0 ? numbers->lhs.spatial : numbers->rhs.spatial;
  const auto it = std::find(spatial.begin(), spatial.end(), dim);
  if (it == spatial.end()) return std::nullopt;
  const auto k = static_cast<std::size_t>(it - spatial.begin());
  const Dim in_dim = numbers->lhs.spatial[k];
  const Dim out_dim = numbers->out.spatial[k];
  const std::int64_t extent = op.operands[0]->dims[in_dim];
  const std::int64_t windows = op.results[0]->dims[out_dim];
  const Window w = convolution_window(op, *numbers, k);
  const bool of_kernel = operand == 1;
  if ((of_result && size < windows) || (of_kernel && is_window_reversed(op, k))) return std::nullopt;
  Window taps = w;
  if (of_kernel) taps.size = size;
  const bool of_gradient = operand == 0 && is_kernel_gradient(w, extent, windows);
  std::optional<FittedWindow> wide;
  if (of_kernel) {
    wide = fitted(taps, extent, windows);
  } else if (of_result) {
    wide = fitted(w, extent, size);
  } else if (of_gradient) {
    wide = fitted(w, size, windows);
  } else if (in_dim == out_dim) {
    wide = extended(w, windows, size);
  }
  if (!wide) return std::nullopt;
  OpInstance out = op;
  (of_result ? out.results[0] : out.operands[operand])->dims[dim] = size;
  out.results[0]->dims[out_dim] = wide->windows;
  out.attributes = with_padding(op, spatial.size(), k, wide->window);
  Decomposition d(out);
  std::vector<ValueId> operands = {d.operand(0), d.operand(1)};
  // Elements beyond the original end of the input become zeros, as in the padding, if original windows, or additional
  // taps of the kernel, read them. Elements beyond the end of the kernel become zeros, too.
  if (of_kernel || of_gradient || (operand == 0 && reads_beyond_end(w, windows, extent)))
    operands[operand] = d.masked(operands[operand], dim, of_kernel ? w.size : extent,
                                 d.builder().constant({op.operands[operand]->element, {}}, 0));
  return d.done(d.builder().append(op.decl, operands, out.attributes, out.results).results.at(0));
}

}  // namespace partir::ops
