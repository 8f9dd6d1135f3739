// Decompositions of gathers and scatters into blocks of the dimension that the indices address (ir/ops/offsets.h): an
// index minus the start of a block is a position in that block, or out of its range. Worked example: index 3 into 4
// elements in 2 blocks is position 3 of block 0, which is out of range, and position 1 of block 1.
#include <algorithm>

#include "ir/ops/common.h"
#include "ir/ops/decomposition.h"
#include "ir/ops/lookup_names.h"
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

/// Indices of which one component, along `vector_dim`, is another.
ValueId with_component(Builder& b, ValueId indices, Dim vector_dim, std::int64_t component, std::int64_t components,
                       ValueId other) {
  std::vector<ValueId> columns;
  if (component > 0) columns.push_back(b.slice_along(indices, vector_dim, 0, component));
  columns.push_back(other);
  if (component + 1 < components) columns.push_back(b.slice_along(indices, vector_dim, component + 1, components));
  return b.concatenate(columns, vector_dim);
}

/// The range to which indices are clamped.
struct Limits {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Splits operand 0 into n blocks along `dim`. The component of `indices`, which stands for operand 1, that addresses it
/// is clamped, unless it is known to be within the dimension.
IndexBlocks in_blocks(Decomposition& d, const OpInstance& op, ValueId indices, Dim dim, std::int64_t component,
                      std::int64_t n, const std::optional<Limits>& limits) {
  const TensorType& x = *op.operands[0];
  const TensorType& given = *op.operands[1];
  std::vector<std::int64_t> dims = given.dims;
  const auto vector_dim = at(op.integer("index_vector_dim"));
  const std::int64_t components = vector_dim < dims.size() ? dims[vector_dim] : 1;
  if (vector_dim < dims.size()) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(vector_dim));
  Builder& b = d.builder();
  const ValueId one = components == 1 ? indices : b.slice_along(indices, vector_dim, component, component + 1);
  const ValueId index = b.reshape(one, std::move(dims));
  const TensorType i = d.type(index);
  const ValueId clamped = limits ? b.clamp(b.constant(i, limits->low), index, b.constant(i, limits->high)) : index;
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
  const ValueId all = b.broadcast_in_dim(indices, numbers(given.rank(), 1), with_front(n, given).dims);
  out.indices = with_component(b, all, given.rank(), component, components, b.reshape(places, std::move(column)));
  return out;
}

/// A gather or scatter whose windows have several positions along `dim`, as one with an index for each of these
/// positions: the indices have one more dimension, `place`, of the positions in a window.
struct ByPositions {
  OpInstance op;
  Dim place = 0;
};

/// The dimension of the result or of the updates along which a window extends in dimension `dim` of operand 0.
std::int64_t window_dim(const OpInstance& op, const LookupNames& names, Dim dim) {
  std::size_t before = 0;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(dim); ++k)
    before += !contains(op.ints(names.single), k) && !contains(op.ints(names.operand_batching), k) ? 1 : 0;
  return op.ints(names.windows).at(before);
}

ByPositions by_positions(const OpInstance& given, const LookupNames& names, Dim dim, std::int64_t size) {
  ByPositions out{given, 0};
  const std::int64_t window = window_dim(given, names, dim);
  const auto& windows = given.ints(names.windows);
  for (std::int64_t i = 0; i < window; ++i) out.place += contains(windows, i) ? 0 : 1;
  const auto place = static_cast<std::int64_t>(out.place);
  AttributeList& attributes = out.op.attributes;
  std::vector<std::int64_t> single = given.ints(names.single);
  single.insert(std::upper_bound(single.begin(), single.end(), static_cast<std::int64_t>(dim)),
                static_cast<std::int64_t>(dim));
  std::vector<std::int64_t> left = windows;
  std::erase(left, window);
  std::vector<std::int64_t> dims = given.operands[1]->dims;
  dims.insert(dims.begin() + place, size);
  set(attributes, names.indices_batching, {IntsAttr{shifted(given.ints(names.indices_batching), place)}});
  set(attributes, names.single, {IntsAttr{std::move(single)}});
  set(attributes, names.windows, {IntsAttr{std::move(left)}});
  set(attributes, "index_vector_dim", {IntAttr{given.integer("index_vector_dim") + 1, ""}});
  out.op.operands[1] = given.operands[1]->with_dims(std::move(dims));
  return out;
}

/// Whether by_positions() applies: windows of fewer positions than the dimension has, and components of the indices that
/// are their last dimension.
bool has_windows_along(const OpInstance& op, const LookupNames& names, Dim dim, std::int64_t size) {
  return !contains(op.ints(names.single), static_cast<std::int64_t>(dim)) &&
         !contains(op.ints(names.operand_batching), static_cast<std::int64_t>(dim)) &&
         size < op.operands[0]->dims[dim] &&
         op.integer("index_vector_dim") + 1 >= static_cast<std::int64_t>(op.operands[1]->rank());
}

/// The indices of by_positions(): those of windows, clamped to `limits` if there are any, plus the position in the
/// window.
ValueId indices_of(Decomposition& d, const ByPositions& lookup, std::int64_t component,
                   const std::optional<Limits>& limits) {
  Builder& b = d.builder();
  const TensorType given = d.type(d.operand(1));
  const TensorType& wide = *lookup.op.operands[1];
  std::vector<std::int64_t> kept;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(wide.rank()); ++k) {
    if (k != static_cast<std::int64_t>(lookup.place)) kept.push_back(k);
  }
  const ValueId all = b.broadcast_in_dim(d.operand(1), std::move(kept), wide.dims);
  const auto vector_dim = at(lookup.op.integer("index_vector_dim"));
  const std::int64_t components = vector_dim < wide.rank() ? wide.dims[vector_dim] : 1;
  const ValueId one = components == 1 ? all : b.slice_along(all, vector_dim, component, component + 1);
  const TensorType type = d.type(one);
  const ValueId start = limits ? b.clamp(b.constant(type, limits->low), one, b.constant(type, limits->high)) : one;
  const ValueId position = b.add(start, b.iota(type, lookup.place));
  if (components == 1) return position;
  return with_component(b, all, vector_dim, component, components, position);
}

}  // namespace

std::optional<Function> lookup_by_blocks(const OpInstance& given, std::size_t operand, Dim dim, std::int64_t n) {
  if (operand != 0 || n < 2) return std::nullopt;
  const TensorType& x = *given.operands[0];
  const TensorType& out = *given.results[0];
  const auto k = static_cast<std::int64_t>(dim);
  const auto component = component_of(given, given.ints("start_index_map"), dim);
  const std::int64_t size = given.ints("slice_sizes")[dim];
  const bool is_single = contains(given.ints("collapsed_slice_dims"), k);
  // All devices send their part of the result, which should be less than gathering the operand.
  const bool has_windows = has_windows_along(given, kGatherNames, dim, size) && 2 * out.elements() <= x.elements();
  if (!component || (!is_single && !has_windows) || !moved_as(x.element) || x.dims[dim] % n != 0 ||
      out.elements() == 0 || !counts(given.operands[1]->element, x.dims[dim]))
    return std::nullopt;
  const ByPositions lookup = is_single ? ByPositions{given} : by_positions(given, kGatherNames, dim, size);
  const OpInstance& op = lookup.op;
  const auto& collapsed = op.ints("collapsed_slice_dims");
  const auto& map = op.ints("start_index_map");
  std::vector<std::int64_t> sizes = op.ints("slice_sizes");
  sizes[dim] = 1;
  sizes.insert(sizes.begin() + k, 1);
  std::vector<std::int64_t> batch = {0};  // dimensions of `rows` that come from the indices
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(out.rank()); ++i) {
    if (!contains(op.ints("offset_dims"), i)) batch.push_back(i + 1);
  }
  const Batching both = batching(op.ints("operand_batching_dims"), op.ints("start_indices_batching_dims"),
                                 op.integer("index_vector_dim"), k);
  Decomposition d(given);
  Builder& b = d.builder();
  const IndexBlocks blocks =
      is_single
          ? in_blocks(d, op, d.operand(1), dim, *component, n, Limits{0, x.dims[dim] - 1})
          : in_blocks(d, op, indices_of(d, lookup, *component, Limits{0, x.dims[dim] - size}), dim, *component, n, {});
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

std::optional<Function> updates_by_blocks(const OpInstance& given, std::size_t operand, Dim dim, std::int64_t n) {
  if (given.results.size() != 1 || operand != 0 || n < 2) return std::nullopt;
  const TensorType& x = *given.operands[0];
  const TensorType& update = *given.operands[2];
  const auto k = static_cast<std::int64_t>(dim);
  const auto component = component_of(given, given.ints("scatter_dims_to_operand_dims"), dim);
  if (!component) return std::nullopt;
  const bool is_single = contains(given.ints("inserted_window_dims"), k);
  const std::int64_t size = is_single || contains(given.ints("input_batching_dims"), k)
                                ? 1
                                : update.dims[at(window_dim(given, kScatterNames, dim))];
  // Of windows with several positions it is not shown that each position meets its updates in the same order.
  if (!is_single && (!has_windows_along(given, kScatterNames, dim, size) || size > 1)) return std::nullopt;
  const ByPositions positions = is_single ? ByPositions{given} : by_positions(given, kScatterNames, dim, size);
  const OpInstance& op = positions.op;
  const auto& inserted = op.ints("inserted_window_dims");
  const auto& map = op.ints("scatter_dims_to_operand_dims");
  if (!is_closed(given) || x != op.results[0] || update.element != x.element || x.dims[dim] % n != 0 ||
      update.elements() == 0 || !counts(op.operands[1]->element, x.dims[dim]))
    return std::nullopt;
  const Batching both = batching(op.ints("input_batching_dims"), op.ints("scatter_indices_batching_dims"),
                                 op.integer("index_vector_dim"), k);
  Decomposition d(given);
  Builder& b = d.builder();
  const IndexBlocks blocks = in_blocks(d, op, is_single ? d.operand(1) : indices_of(d, positions, *component, {}), dim,
                                       *component, n, Limits{-1, x.dims[dim]});
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
