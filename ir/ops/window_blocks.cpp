// Decomposes reduce_window into blocks (ir/ops/window.h). The windows of each block read its own positions and a few of
// its neighbours'. Scans (cumulative reductions) run inside each block, and the results are combined with the total of
// all blocks before it.
#include <algorithm>

#include "ir/ops/blocks.h"
#include "ir/ops/window.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

/// The most blocks that the windows of one block may reach, for monoids other than sum.
constexpr std::int64_t kMostBlocks = 5;

/// Whether the initial value is known to be the monoid's identity.
bool starts_from_identity(const OpInstance& op) {
  return op.splats.size() == 2 && is_identity(op.splats[1], *op.monoid());
}

/// Whether the operation combines the elements of one operand by a monoid, in their own type. Products that start from
/// a value other than 1 are excluded: how often windows read that value beyond the ends depends on the window.
bool is_combination(const OpInstance& op) {
  const auto monoid = op.monoid();
  return op.results.size() == 1 && monoid && op.results[0]->element == op.operands[0]->element &&
         (monoid != Monoid::prod || starts_from_identity(op));
}

/// Builds the decomposition of a reduce_window into n blocks along a dimension.
class InBlocks {
 public:
  InBlocks(const OpInstance& op, Dim dim, std::int64_t n)
      : op_(op), dim_(dim), n_(n), window_(window_of(op, dim)), d_(op), blocks_(d_, dim, n) {}

  std::optional<Function> windows() {
    const std::int64_t count = op_.results[0]->dims[dim_] / n_;
    const auto reach = reach_of(window_, count);
    if (!reach) return std::nullopt;
    // Each block that a window reaches is a case of the proof, and for monoids other than sum the cases multiply.
    const std::int64_t size = op_.operands[0]->dims[dim_] / n_;
    const std::int64_t reached = floor_divide(reach->end - 1, size) - floor_divide(reach->first, size) + 1;
    if (reached > kMostBlocks && op_.monoid() != Monoid::sum) return std::nullopt;
    std::vector<ValueId> operands;
    for (std::size_t k = 0; k < op_.results.size(); ++k) {
      const ValueId blocks = blocks_.split(d_.operand(k));
      operands.push_back(blocks_.places(blocks, reach->first, reach->end, d_.operand(op_.results.size() + k)));
    }
    Window w = window_;
    w.low = reach->low;
    w.high = reach->high;
    std::vector<ValueId> out = reduced(std::move(operands), w, count);
    for (ValueId& v : out) v = blocks_.merge(v);
    return d_.done(out);
  }

  /// Worked example, a cumulative sum of [1, 2, 3, 4] in 2 blocks: the scans of the blocks are [[1, 3], [3, 7]], their
  /// last elements [3, 7]. The sums of these over the blocks before each are [0, 3], so the result is [1, 3, 6, 10].
  Function scan() {
    Builder& b = d_.builder();
    const ValueId x = blocks_.split(d_.operand(0));
    const std::int64_t size = d_.type(x).dims[dim_ + 1];
    const bool forward = window_.high == 0;
    Window inside = window_;
    inside.size = size;
    (forward ? inside.low : inside.high) = size - 1;
    const ValueId scanned = reduced({x}, inside, size)[0];
    const std::int64_t end = forward ? size - 1 : 0;
    const ValueId last = b.slice_along(scanned, dim_ + 1, end, end + 1);
    std::vector<std::int64_t> line = d_.type(last).dims;
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(dim_) + 1);
    const ValueId totals = b.reshape(last, line);
    AttributeList attributes;
    std::vector<std::int64_t> window(line.size(), 1);
    std::vector<std::vector<std::int64_t>> padding(line.size(), {0, 0});
    window[dim_] = n_;
    padding[dim_] = forward ? std::vector{n_, std::int64_t{-1}} : std::vector{std::int64_t{-1}, n_};
    set(attributes, "padding", {DenseAttr{int_matrix(padding)}});
    set(attributes, "window_dimensions", {IntsAttr{std::move(window)}});
    const ValueId before = b.value("stablehlo.reduce_window", {totals, d_.operand(1)}, std::move(attributes),
                                   TensorType(d_.type(totals)), d_.regions());
    std::vector<std::int64_t> dims;
    for (std::size_t k = 0; k < line.size(); ++k) dims.push_back(static_cast<std::int64_t>(k <= dim_ ? k : k + 1));
    const ValueId everywhere = b.broadcast_in_dim(before, std::move(dims), d_.type(scanned).dims);
    return d_.done(blocks_.merge(b.elementwise(combiner_of(*op_.monoid()), {everywhere, scanned})));
  }

 private:
  /// Appends the operation on values in blocks, with window `w` along the positions in a block and `count` windows per
  /// block.
  std::vector<ValueId> reduced(std::vector<ValueId> operands, const Window& w, std::int64_t count) {
    const std::size_t rank = op_.operands[0].rank();
    AttributeList attributes = op_.attributes;
    for (const char* name : {"window_dimensions", "window_strides", "base_dilations", "window_dilations"}) {
      if (find(attributes, name) == nullptr) continue;
      std::vector<std::int64_t> list = op_.ints(name);
      list.resize(rank, 1);
      if (std::string_view(name) == "window_dimensions") list[dim_] = w.size;
      set(attributes, name, {IntsAttr{with_one(std::move(list), dim_, rank, 1)}});
    }
    std::vector<std::vector<std::int64_t>> padding;
    for (Dim k = 0; k < rank; ++k) {
      const auto [low, high] = padding_of(op_, k);
      if (k == dim_) padding.push_back({0, 0});
      padding.push_back(k == dim_ ? std::vector{w.low, w.high} : std::vector{low, high});
    }
    set(attributes, "padding", {DenseAttr{int_matrix(padding)}});
    std::vector<Type> results;
    for (const Type& t : op_.results) {
      TensorType type = *t;
      type.dims[dim_] = count;
      type.dims.insert(type.dims.begin() + static_cast<std::ptrdiff_t>(dim_), n_);
      results.emplace_back(std::move(type));
    }
    for (std::size_t k = 0; k < op_.results.size(); ++k) operands.push_back(d_.operand(op_.results.size() + k));
    return d_.builder()
        .append(op_.decl, std::move(operands), std::move(attributes), std::move(results), d_.regions())
        .results;
  }

  const OpInstance& op_;
  Dim dim_;
  std::int64_t n_;
  Window window_;
  Decomposition d_;
  Blocks blocks_;
};

/// True if block b of the windows starts at block b of the operand. (A dilated operand is accepted for sums only: that
/// the gaps between its elements contribute nothing is something that the prover shows for sums alone.)
bool blocks_align(const OpInstance& op, Dim dim) {
  const Window w = window_of(op, dim);
  if (w.base_dilation != 1 && op.monoid() != Monoid::sum) return false;
  const auto places = checked_multiply(op.operands[0]->dims[dim], w.base_dilation);
  const auto steps = checked_multiply(op.results[0]->dims[dim], w.stride);
  return places && steps && *places == *steps && *steps > 0;
}

}  // namespace

std::vector<Entry> windows_in_blocks(const OpInstance& op) {
  std::vector<Entry> out;
  if (!is_combination(op)) return out;
  const std::size_t n = op.results.size();
  for (Dim k = 0; k < op.operands[0].rank(); ++k) {
    if (!blocks_align(op, k) || (is_scan(window_of(op, k), op.operands[0]->dims[k]) && !starts_from_identity(op)))
      continue;
    Entry entry{std::vector<Action>(2 * n), std::vector<Action>(n, Action::tile(k))};
    std::fill_n(entry.operands.begin(), n, Action::tile(k));
    out.push_back(std::move(entry));
  }
  return out;
}

std::optional<Function> windows_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  if (!is_combination(op) || operand >= op.results.size() || n < 2 || !blocks_align(op, dim) ||
      op.operands[0]->dims[dim] % n != 0 || op.results[0]->dims[dim] % n != 0 || !is_closed(op))
    return std::nullopt;
  if (!is_scan(window_of(op, dim), op.operands[0]->dims[dim])) return InBlocks(op, dim, n).windows();
  // The total of each block contains the initial value once, so that must be the identity.
  return starts_from_identity(op) ? std::optional(InBlocks(op, dim, n).scan()) : std::nullopt;
}

}  // namespace partir::ops
