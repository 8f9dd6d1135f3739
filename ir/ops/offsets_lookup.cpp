// Decompositions of gathers and scatters into blocks of the dimension that the indices address (ir/ops/offsets.h): an
// index minus the start of a block is a position in that block, or out of its range. Worked example: index 3 into 4
// elements in 2 blocks is position 3 of block 0, which is out of range, and position 1 of block 1.
#include "ir/ops/common.h"
#include "ir/ops/decomposition.h"
#include "ir/ops/offsets.h"

namespace partir::ops {
namespace {

/// The type with one more dimension, of this size, in front.
TensorType with_front(std::int64_t size, const TensorType& t) {
  std::vector<std::int64_t> dims = t.dims;
  dims.insert(dims.begin(), size);
  return t.with_dims(std::move(dims));
}

/// Dimension numbers after a dimension has been inserted at `from`: those from there on grow by 1. Example: {0, 2} and
/// 1 give {0, 3}.
std::vector<std::int64_t> shifted(std::vector<std::int64_t> values, std::int64_t from) {
  for (std::int64_t& v : values) v += v >= from ? 1 : 0;
  return values;
}

/// The component of the indices that addresses dimension `dim`; nullopt if there is none, or if there are several and
/// they are not the last dimension of the indices.
std::optional<std::int64_t> component_of(const OpInstance& op, const std::vector<std::int64_t>& map, Dim dim) {
  const auto it = std::find(map.begin(), map.end(), static_cast<std::int64_t>(dim));
  const bool last = op.integer("index_vector_dim") + 1 == static_cast<std::int64_t>(op.operands[1].rank());
  return it != map.end() && (map.size() == 1 || last) ? std::optional(it - map.begin()) : std::nullopt;
}

/// The batching dimensions of an operand that is split into blocks along `dim`, in increasing order, and the
/// corresponding dimensions of the indices. The number of the block is one of them, dimension 0 of the indices.
struct Batching {
  std::vector<std::int64_t> operand;
  std::vector<std::int64_t> indices;
};
Batching batching(const std::vector<std::int64_t>& operand, const std::vector<std::int64_t>& indices,
                  std::int64_t vector_dim, std::int64_t dim) {
  Batching out;
  const auto block = [&] {
    out.operand.push_back(dim);
    out.indices.push_back(0);
  };
  for (std::size_t j = 0; j < operand.size(); ++j) {
    if (operand[j] > dim && !contains(out.operand, dim)) block();
    out.operand.push_back(operand[j] + (operand[j] > dim ? 1 : 0));
    out.indices.push_back(indices[j] + (indices[j] > vector_dim ? 0 : 1));
  }
  if (!contains(out.operand, dim)) block();
  return out;
}

struct IndexBlocks {
  ValueId places;   ///< [n, …]: for each block, the index along the dimension minus the start of the block
  ValueId indices;  ///< the same with the other components of the indices, [n, …, components], if there are others
  ValueId x;        ///< operand 0 with the dimension split into [n, size / n]
};

/// Splits operand 0 into n blocks along `dim`, and clamps the component of the indices, operand 1, that addresses it to
/// the range from `low` to `high`.
IndexBlocks in_blocks(Decomposition& d, const OpInstance& op, Dim dim, std::int64_t component, std::int64_t n,
                      std::int64_t low, std::int64_t high) {
  const TensorType& x = *op.operands[0];
  const TensorType& given = *op.operands[1];
  std::vector<std::int64_t> dims = given.dims;
  const auto vector_dim = at(op.integer("index_vector_dim"));
  const std::int64_t components = vector_dim < dims.size() ? dims[vector_dim] : 1;
  if (vector_dim < dims.size()) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(vector_dim));
  Builder& b = d.builder();
  const ValueId one =
      components == 1 ? d.operand(1) : b.slice_along(d.operand(1), vector_dim, component, component + 1);
  const ValueId index = b.reshape(one, std::move(dims));
  const TensorType i = d.type(index);
  const ValueId lowest = b.constant(i, low);
  const ValueId clamped = b.clamp(lowest, index, b.constant(i, high));
  const TensorType wide = with_front(n, i);
  const ValueId everywhere = b.broadcast_in_dim(clamped, numbers(i.rank(), 1), wide.dims);
  const ValueId places = b.subtract(everywhere, d.block_starts(wide, x.dims[dim] / n));
  std::vector<std::int64_t> blocked = x.dims;
  blocked[dim] /= n;
  blocked.insert(blocked.begin() + static_cast<std::ptrdiff_t>(dim), n);
  IndexBlocks out{places, places, b.reshape(d.operand(0), std::move(blocked))};
  if (components == 1) return out;
  std::vector<std::int64_t> column = wide.dims;
  column.push_back(1);
  const ValueId all = b.broadcast_in_dim(d.operand(1), numbers(given.rank(), 1), with_front(n, given).dims);
  std::vector<ValueId> columns;
  if (component > 0) columns.push_back(b.slice_along(all, given.rank(), 0, component));
  columns.push_back(b.reshape(places, std::move(column)));
  if (component + 1 < components) columns.push_back(b.slice_along(all, given.rank(), component + 1, components));
  out.indices = b.concatenate(columns, given.rank());
  return out;
}

}  // namespace

std::optional<Function> lookup_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& x = *op.operands[0];
  const TensorType& out = *op.results[0];
  const auto k = static_cast<std::int64_t>(dim);
  const auto& collapsed = op.ints("collapsed_slice_dims");
  const auto& map = op.ints("start_index_map");
  const auto component = component_of(op, map, dim);
  if (operand != 0 || n < 2 || !component || !contains(collapsed, k) || op.ints("slice_sizes")[dim] != 1 ||
      !moved_as(x.element) || x.dims[dim] % n != 0 || out.elements() == 0 ||
      !counts(op.operands[1]->element, x.dims[dim]))
    return std::nullopt;
  std::vector<std::int64_t> sizes = op.ints("slice_sizes");
  sizes.insert(sizes.begin() + k, 1);
  std::vector<std::int64_t> batch = {0};  // dimensions of `rows` that come from the indices
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(out.rank()); ++i) {
    if (!contains(op.ints("offset_dims"), i)) batch.push_back(i + 1);
  }
  const Batching both = batching(op.ints("operand_batching_dims"), op.ints("start_indices_batching_dims"),
                                 op.integer("index_vector_dim"), k);
  Decomposition d(op);
  Builder& b = d.builder();
  const IndexBlocks blocks = in_blocks(d, op, dim, *component, n, 0, x.dims[dim] - 1);
  const ValueId rows = d.gather(blocks.x, blocks.indices,
                                {{"offset_dims", shifted(op.ints("offset_dims"), 0)},
                                 {"collapsed_slice_dims", shifted(collapsed, k)},
                                 {"operand_batching_dims", both.operand},
                                 {"start_indices_batching_dims", both.indices},
                                 {"start_index_map", shifted(map, k)}},
                                std::move(sizes), false, with_front(n, out));
  const ValueId bits = d.moved(rows);
  const TensorType wide = d.type(blocks.places);
  const ValueId first = b.constant(wide, 0);
  const ValueId end = b.constant(wide, x.dims[dim] / n);
  const ValueId inside = b.logical_and(b.compare("GE", blocks.places, first), b.compare("LT", blocks.places, end));
  const ValueId mask = b.broadcast_in_dim(inside, std::move(batch), d.type(bits).dims);
  const ValueId zeros = b.constant(TensorType(d.type(bits)), 0);
  const ValueId mine = b.select(mask, bits, zeros);
  const ValueId zero = b.constant({d.type(bits).element, {}}, 0);
  return d.done(d.moved_back(b.reduce(mine, zero, {0}, "stablehlo.add"), out));
}

std::optional<Function> updates_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  if (op.results.size() != 1 || operand != 0 || n < 2) return std::nullopt;
  const TensorType& x = *op.operands[0];
  const TensorType& update = *op.operands[2];
  const auto k = static_cast<std::int64_t>(dim);
  const auto& inserted = op.ints("inserted_window_dims");
  const auto& map = op.ints("scatter_dims_to_operand_dims");
  const auto component = component_of(op, map, dim);
  if (!is_closed(op) || !component || !contains(inserted, k) || x != op.results[0] || update.element != x.element ||
      x.dims[dim] % n != 0 || update.elements() == 0 || !counts(op.operands[1]->element, x.dims[dim]))
    return std::nullopt;
  const Batching both = batching(op.ints("input_batching_dims"), op.ints("scatter_indices_batching_dims"),
                                 op.integer("index_vector_dim"), k);
  Decomposition d(op);
  Builder& b = d.builder();
  const IndexBlocks blocks = in_blocks(d, op, dim, *component, n, -1, x.dims[dim]);
  const ValueId updates = b.broadcast_in_dim(d.operand(2), numbers(update.rank(), 1), with_front(n, update).dims);
  const ValueId updated = d.scatter(blocks.x, blocks.indices, updates,
                                    {{"update_window_dims", shifted(op.ints("update_window_dims"), 0)},
                                     {"inserted_window_dims", shifted(inserted, k)},
                                     {"input_batching_dims", both.operand},
                                     {"scatter_indices_batching_dims", both.indices},
                                     {"scatter_dims_to_operand_dims", shifted(map, k)}},
                                    false, d.regions());
  return d.done(b.reshape(updated, x.dims));
}

}  // namespace partir::ops
