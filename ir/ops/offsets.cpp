// Decompositions of slices, updates and iotas that work position by position (ir/ops/offsets.h). The element at
// position p of the dimension has distance p - start from the start of the slice; it belongs to the slice if that
// distance is at least 0 and below the size of the slice. Worked example: the slice [b, c] of [a, b, c, d] starts at 1;
// the distances are [-1, 0, 1, 2], so b is added to element 0 of the result and c to element 1.
#include "ir/ops/offsets.h"

#include "ir/ops/blocks.h"
#include "ir/ops/common.h"
#include "ir/ops/decomposition.h"

namespace partir::ops {
namespace {

TensorType with_dim(const TensorType& t, Dim d, std::int64_t size) {
  std::vector<std::int64_t> dims = t.dims;
  dims[d] = size;
  return t.with_dims(std::move(dims));
}

std::vector<std::int64_t> all_but(std::size_t rank, Dim d) {
  std::vector<std::int64_t> out = numbers(rank);
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(d));
  return out;
}

/// Returns the start indices, which are the operands from `first` on, with the one of dimension `dim` replaced by 0.
std::vector<ValueId> starts_except(Decomposition& d, const OpInstance& op, std::size_t first, Dim dim) {
  std::vector<ValueId> out;
  for (std::size_t k = first; k < op.operands.size(); ++k) {
    out.push_back(k - first == dim ? d.builder().constant(*op.operands[k], 0) : d.operand(k));
  }
  return out;
}

/// Returns the function that slices y from `start` along `dim`, as a scatter: each element is added to zeros at its
/// distance. The distances of elements before and after the slice are out of range, so the scatter drops these
/// elements.
Function slice_by_scatter(Decomposition& d, const OpInstance& op, Dim dim, ValueId start, ValueId y) {
  const ValueId distances = d.distances(start, d.type(y).dims[dim]);
  const ValueId bits = d.moved(y);
  const TensorType out{d.type(bits).element, op.results[0]->dims};
  const ValueId zeros = d.builder().constant(out, 0);
  const auto k = static_cast<std::int64_t>(dim);
  const Decomposition::Lists lists = {{"update_window_dims", all_but(out.rank(), dim)},
                                      {"inserted_window_dims", {k}},
                                      {"scatter_dims_to_operand_dims", {k}}};
  // Distances are sorted and distinct. The scatter states this only for constant starts (a static slice): for others it
  // cannot be seen from the program alone.
  const bool promised = op.decl->traits.rearranges;
  std::vector<Block> added;
  added.push_back(d.builder().combiner(find_decl("stablehlo.add"), d.type(zeros).element));
  return d.done(d.moved_back(d.scatter(zeros, distances, bits, lists, promised, std::move(added)), *op.results[0]));
}

Function dynamic_slice_by_scatter(const OpInstance& op, Dim dim) {
  const TensorType& x = *op.operands[0];
  const TensorType y = with_dim(*op.results[0], dim, x.dims[dim]);
  Decomposition d(op);
  const ValueId start = d.clamped_start(dim + 1, x.dims[dim] - op.results[0]->dims[dim]);
  const ValueId part =
      y == x ? d.operand(0) : d.builder().dynamic_slice(d.operand(0), starts_except(d, op, 1, dim), y.dims);
  return slice_by_scatter(d, op, dim, start, part);
}

Function static_slice_by_scatter(const OpInstance& op, Dim dim) {
  const TensorType& x = *op.operands[0];
  const TensorType y = with_dim(*op.results[0], dim, x.dims[dim]);
  Decomposition d(op);
  ValueId part = d.operand(0);
  if (y != x) {
    std::vector<std::int64_t> starts = op.ints("start_indices");
    std::vector<std::int64_t> limits = op.ints("limit_indices");
    std::vector<std::int64_t> strides = op.ints("strides");
    starts[dim] = 0;
    limits[dim] = x.dims[dim];
    strides[dim] = 1;
    part = d.builder().slice(part, std::move(starts), std::move(limits), std::move(strides));
  }
  const ValueId start = d.builder().constant({ElementType::i32, {}}, op.ints("start_indices")[dim]);
  return slice_by_scatter(d, op, dim, start, part);
}

}  // namespace

std::optional<Function> slice_by_sum(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& x = *op.operands[0];
  const bool is_static = op.decl->traits.rearranges;
  const bool one_by_one = !is_static || op.ints("strides")[dim] == 1;
  if (operand != 0 || n < 2 || !one_by_one || !moved_as(x.element) || x.dims[dim] % n != 0 ||
      op.results[0]->dims[dim] > x.dims[dim] / n || op.results[0]->dims[dim] == x.dims[dim] ||
      op.results[0]->elements() == 0)
    return std::nullopt;
  if (!counts(is_static ? ElementType::i32 : op.operands[1]->element, x.dims[dim])) return std::nullopt;
  return is_static ? static_slice_by_scatter(op, dim) : dynamic_slice_by_scatter(op, dim);
}

std::optional<Function> slice_of_block(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const std::int64_t whole = op.operands[0]->dims[dim];
  const std::int64_t size = op.results[0]->dims[dim];
  std::vector<std::int64_t> starts = op.ints("start_indices");
  std::vector<std::int64_t> strides = op.ints("strides");
  if (operand != 0 || n < 2 || size == 0 || size % n != 0 || whole % size != 0 || whole / size < 2 ||
      starts[dim] % size != 0 || strides[dim] != 1)
    return std::nullopt;
  std::vector<std::int64_t> limits = op.ints("limit_indices");
  const auto at = static_cast<std::ptrdiff_t>(dim);
  starts.insert(starts.begin() + at, starts[dim] / size);
  starts[dim + 1] = 0;
  limits.insert(limits.begin() + at, starts[dim] + 1);
  limits[dim + 1] = size;
  strides.insert(strides.begin() + at, 1);
  Decomposition d(op);
  Blocks blocks(d, dim, whole / size);
  const ValueId split = blocks.split(d.operand(0));
  return d.done(blocks.merge(d.builder().slice(split, std::move(starts), std::move(limits), std::move(strides))));
}

std::optional<Function> update_by_mask(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& x = *op.operands[0];
  const TensorType& update = *op.operands[1];
  if (operand != 0 || n < 2 || update.elements() == 0 || update.dims[dim] == x.dims[dim] ||
      !counts(op.operands[2]->element, x.dims[dim]))
    return std::nullopt;
  const TensorType y = with_dim(update, dim, x.dims[dim]);
  Decomposition d(op);
  Builder& b = d.builder();
  const ValueId start = d.clamped_start(dim + 2, x.dims[dim] - update.dims[dim]);
  const std::vector<ValueId> starts = y != x ? starts_except(d, op, 2, dim) : std::vector<ValueId>();
  const ValueId part = y != x ? b.dynamic_slice(d.operand(0), starts, y.dims) : d.operand(0);
  const ValueId distances = d.distances(start, x.dims[dim]);
  const auto k = static_cast<std::int64_t>(dim);
  const ValueId spread =
      d.gather(d.operand(1), distances,
               {{"offset_dims", all_but(x.rank(), dim)}, {"collapsed_slice_dims", {k}}, {"start_index_map", {k}}},
               with_dim(update, dim, 1).dims, false, y);
  const TensorType places = d.type(distances);
  const ValueId first = b.constant(places, 0);
  const ValueId last = b.constant(places, update.dims[dim] - 1);
  const ValueId inside = b.logical_and(b.compare("GE", distances, first), b.compare("LE", distances, last));
  const ValueId changed = b.select(b.broadcast_in_dim(inside, {k}, y.dims), spread, part);
  return d.done(y == x ? changed : b.dynamic_update_slice(d.operand(0), changed, starts));
}

std::optional<Function> iota_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& out = *op.results[0];
  const bool along = operand == 0 && at(op.integer("iota_dimension")) == dim;
  const std::int64_t size = along ? out.dims[dim] : 0;
  // The decomposition has n block starts and the positions of one block, which must be fewer than all positions.
  if (n < 2 || !counts(ElementType::i32, size) || size % n != 0 || n + size / n >= size) return std::nullopt;
  const TensorType blocks{ElementType::i32, {n, size / n}};
  Decomposition d(op);
  Builder& b = d.builder();
  const ValueId starts = d.block_starts(blocks, size / n);
  ValueId positions = b.reshape(b.add(starts, b.iota(blocks, 1)), {size});
  if (out.element != ElementType::i32) positions = b.convert(positions, out.element);
  return d.done(b.broadcast_in_dim(positions, {static_cast<std::int64_t>(dim)}, out.dims));
}

}  // namespace partir::ops
