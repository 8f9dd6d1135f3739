// Windows over a dimension that goes on behind its end (ir/ops/padded.h): what they would read there is what they read
// in their padding, and as many more windows follow.
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

/// The window over more elements, and how many windows that makes.
struct Longer {
  Window window;
  std::int64_t windows = 0;
};

/// Nothing where windows do not step over all that they are slid over.
std::optional<Longer> longer(Window w, std::int64_t extent, std::int64_t windows, std::int64_t size) {
  const auto places = checked_multiply(size, w.base_dilation);
  if (!places || windows * w.stride != extent * w.base_dilation || *places % w.stride != 0) return std::nullopt;
  Longer out{w, *places / w.stride};
  const std::int64_t reached = (out.windows - 1) * w.stride + (w.size - 1) * w.window_dilation + 1;
  out.window.high = reached - w.low - ((size - 1) * w.base_dilation + 1);
  return out;
}

/// Whether one of so many windows reads at the end of the dimension or behind it.
bool reads_behind(const Window& w, std::int64_t windows, std::int64_t extent) {
  return (windows - 1) * w.stride + (w.size - 1) * w.window_dilation - w.low >= extent * w.base_dilation;
}

/// What stands behind `end` replaced by a scalar.
ValueId masked(Decomposition& d, ValueId x, Dim dim, std::int64_t end, ValueId scalar) {
  Builder& b = d.builder();
  const TensorType type = d.type(x);
  const TensorType line{ElementType::i32, {type.dims[dim]}};
  const ValueId inside = b.compare("LT", b.iota(line, 0), b.constant(line, end));
  return b.select(b.broadcast_in_dim(inside, {static_cast<std::int64_t>(dim)}, type.dims), x,
                  b.broadcast_in_dim(scalar, {}, type.dims));
}

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
  if (operand != 0 || op.results.size() != 1) return std::nullopt;
  const std::int64_t extent = op.operands[0]->dims[dim];
  const std::int64_t windows = op.results[0]->dims[dim];
  Window w = window_of(op, dim);
  if (is_scan(w, extent)) {  // a scan of all: the initial value, which it then meets more often, is the identity
    if (!op.monoid() || op.splats.size() != 2 || !is_identity(op.splats[1], *op.monoid())) return std::nullopt;
    w.size = size;
    (w.high == 0 ? w.low : w.high) = size - 1;
  }
  const auto wide = longer(w, extent, windows, size);
  if (!wide) return std::nullopt;
  OpInstance out = op;
  out.operands[0]->dims[dim] = size;
  out.results[0]->dims[dim] = wide->windows;
  out.attributes = with_padding(op, op.operands[0].rank(), dim, wide->window);
  std::vector<std::int64_t> sizes = op.ints("window_dimensions");
  sizes[dim] = wide->window.size;
  set(out.attributes, "window_dimensions", {IntsAttr{std::move(sizes)}});
  Decomposition d(out);
  ValueId x = d.operand(0);
  if (reads_behind(w, windows, extent)) x = masked(d, x, dim, extent, d.operand(1));
  Cloner cloner(*op.function, d.builder().function());
  std::vector<Block> regions;
  for (const Block& b : *op.regions) regions.push_back(cloner.block(b));
  return d.done(
      d.builder().append(op.decl, {x, d.operand(1)}, out.attributes, out.results, std::move(regions)).results.at(0));
}

std::optional<Function> convolution_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  const auto numbers = convolution_numbers(op);
  if (operand != 0 || !numbers) return std::nullopt;
  const auto& spatial = numbers->lhs.spatial;
  const auto it = std::find(spatial.begin(), spatial.end(), dim);
  if (it == spatial.end()) return std::nullopt;
  const auto k = static_cast<std::size_t>(it - spatial.begin());
  const Dim out_dim = numbers->out.spatial[k];
  const std::int64_t extent = op.operands[0]->dims[dim];
  const std::int64_t windows = op.results[0]->dims[out_dim];
  const Window w = convolution_window(op, *numbers, k);
  const auto wide = longer(w, extent, windows, size);
  if (!wide || out_dim != dim) return std::nullopt;
  OpInstance out = op;
  out.operands[0]->dims[dim] = size;
  out.results[0]->dims[dim] = wide->windows;
  out.attributes = with_padding(op, spatial.size(), k, wide->window);
  Decomposition d(out);
  ValueId x = d.operand(0);
  if (reads_behind(w, windows, extent))
    x = masked(d, x, dim, extent, d.builder().constant({op.operands[0]->element, {}}, 0));
  return d.done(d.builder().append(op.decl, {x, d.operand(1)}, out.attributes, out.results).results.at(0));
}

}  // namespace partir::ops
