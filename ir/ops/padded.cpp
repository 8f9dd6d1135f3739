// Slices, updates, lookups and iotas on a padded dimension (ir/ops/padded.h). Worked example: a dynamic_slice takes 2
// of 6 elements, which are padded to 8. A start of 5 is clamped to 4 on 6 elements, but would be accepted on 8; so the
// padded form clamps it to 4 first.
#include "ir/ops/padded.h"

#include <algorithm>

#include "ir/cloner.h"
#include "ir/ops/common.h"
#include "ir/ops/decomposition.h"

namespace partir::ops {
namespace {

/// Returns the operation with an operand extended to `size` elements along `dim`.
OpInstance with_operand(const OpInstance& op, Dim dim, std::int64_t size, std::size_t operand = 0) {
  OpInstance out = op;
  out.operands[operand]->dims[dim] = size;
  return out;
}

/// Finishes the function `d`, which applies the operation to these operands and returns its first result.
Function single_op_function(Decomposition& d, const OpInstance& op, std::vector<ValueId> operands) {
  std::vector<Block> regions;
  if (op.regions != nullptr) {
    for (const Block& b : *op.regions) regions.push_back(Cloner(*op.function, d.builder().function()).block(b));
  }
  return d.done(
      d.builder().append(op.decl, std::move(operands), op.attributes, op.results, std::move(regions)).results.at(0));
}

std::vector<ValueId> operands_of(const Decomposition& d, const OpInstance& op) {
  std::vector<ValueId> out;
  for (std::size_t k = 0; k < op.operands.size(); ++k) out.push_back(d.operand(k));
  return out;
}

/// Returns `wanted`, or the largest number of the integer type if that is less.
std::int64_t saturated(std::int64_t wanted, ElementType type) {
  const unsigned bits = bit_width(type) - (is_signed(type) ? 1 : 0);
  return bits >= 63 ? wanted : std::min(wanted, (std::int64_t{1} << bits) - 1);
}

/// Returns `wide`, which is `op` (dynamic_slice or dynamic_update_slice) on an extended operand, with its start index
/// along `dim`, operand `start`, clamped as `op` clamps it for a slice of `size` elements.
Function with_clamped_start(const OpInstance& op, const OpInstance& wide, Dim dim, std::size_t start,
                            std::int64_t size) {
  Decomposition d(wide);
  std::vector<ValueId> operands = operands_of(d, wide);
  operands[start] = d.clamped_start(start, saturated(op.operands[0]->dims[dim] - size, op.operands[start]->element));
  return single_op_function(d, wide, std::move(operands));
}

/// For a scatter of one window of all dimensions at a place that is known and inside: where it begins in each dimension.
std::optional<std::vector<std::int64_t>> window_of_scatter(const OpInstance& op) {
  const LiteralPtr& start = op.splats.size() > 1 ? op.splats[1] : nullptr;
  const auto& scattered = op.ints("scatter_dims_to_operand_dims");
  const std::size_t rank = op.operands[0].rank();
  if (start == nullptr || op.operands[1]->elements() != static_cast<std::int64_t>(scattered.size()) ||
      op.ints("update_window_dims").size() != rank || op.operands[2].rank() != rank)
    return std::nullopt;
  std::vector<std::int64_t> out(rank, 0);
  for (const std::int64_t k : scattered) out.at(at(k)) = start->as_int(0);
  for (std::size_t k = 0; k < rank; ++k) {
    const std::int64_t slack = op.operands[0]->dims[k] - op.operands[2]->dims[k];
    if (out[k] < 0 || out[k] > slack) return std::nullopt;
  }
  return out;
}

/// Updates with padding are padded to the result's size. An update that replaces is selected where the window is; any
/// other has the monoid's identity everywhere else.
std::optional<Function> scatter_of_padded(const OpInstance& op, Dim dim, std::int64_t size) {
  const auto start = window_of_scatter(op);
  const Block& computation = op.regions->at(0);
  const bool replaces =
      computation.ops.size() == 1 && computation.ops[0].operands == std::vector{computation.arguments.at(1)};
  const auto monoid = op.operands[0]->element == op.results[0]->element ? op.monoid() : std::nullopt;
  const bool combines = monoid && identity_splat(TensorType{op.results[0]->element, {}}, *monoid) != nullptr;
  if (!start || !(replaces || combines)) return std::nullopt;
  OpInstance wide = op;
  wide.operands[2]->dims[dim] = size;
  const TensorType& result = *op.results[0];
  Decomposition d(wide);
  Builder& b = d.builder();
  std::vector<std::int64_t> high;
  for (Dim k = 0; k < result.rank(); ++k) high.push_back(result.dims[k] - (*start)[k] - wide.operands[2]->dims[k]);
  if (!replaces) {
    const ValueId identity = b.constant(identity_splat(TensorType{result.element, {}}, *monoid));
    const ValueId updates = d.masked(d.operand(2), dim, op.operands[2]->dims[dim], identity);
    return d.done(b.elementwise(computation.ops[0].name(), {d.operand(0), b.pad(updates, identity, *start, high)}));
  }
  const ValueId zero = b.constant(TensorType{result.element, {}}, 0);
  const ValueId updates = b.pad(d.operand(2), zero, *start, high);
  std::optional<ValueId> inside;
  for (Dim k = 0; k < result.rank(); ++k) {
    const std::int64_t own = op.operands[2]->dims[k];
    if (own == result.dims[k]) continue;
    const TensorType line{ElementType::i32, {result.dims[k]}};
    const ValueId place = b.iota(line, 0);
    const ValueId here = b.logical_and(b.compare("GE", place, b.constant(line, (*start)[k])),
                                       b.compare("LT", place, b.constant(line, (*start)[k] + own)));
    const ValueId spread = b.broadcast_in_dim(here, {static_cast<std::int64_t>(k)}, result.dims);
    inside = inside ? b.logical_and(*inside, spread) : spread;
  }
  return d.done(inside ? b.select(*inside, updates, d.operand(0)) : updates);
}

}  // namespace

std::optional<Function> slice_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand > 1) return std::nullopt;
  OpInstance wide = op;
  if (operand == 0) {
    wide.operands[0]->dims[dim] = size;
    Decomposition d(wide);
    return single_op_function(d, wide, operands_of(d, wide));
  }
  // A result that takes one of each `stride` elements takes them of the operand, moved by whole strides along this
  // dimension.
  const std::int64_t stride = op.ints("strides")[dim];
  const std::int64_t whole = op.operands[0]->dims[dim];
  const std::int64_t first = op.ints("start_indices")[dim] % stride;
  const std::int64_t start = op.ints("start_indices")[dim] - first;
  if (size * stride != whole) return std::nullopt;
  wide.results[0]->dims[dim] = size;
  for (const auto& [name, value] : {std::pair("start_indices", first), {"limit_indices", whole}}) {
    std::vector<std::int64_t> list = op.ints(name);
    list[dim] = value;
    set(wide.attributes, name, {IntsAttr{std::move(list)}});
  }
  Decomposition d(wide);
  ValueId x = d.operand(0);
  if (start != 0) {
    Builder& b = d.builder();
    std::vector<std::int64_t> high(wide.results[0].rank(), 0);
    high[dim] = start;
    const ValueId zero = b.constant(TensorType{wide.results[0]->element, {}}, 0);
    x = b.pad(b.slice_along(x, dim, start, whole), zero, std::vector<std::int64_t>(high.size(), 0), high);
  }
  return single_op_function(d, wide, {x});
}

bool is_nearly_whole(const OpInstance& op, Dim dim) {
  if (!op.decl->traits.cuts || !op.decl->traits.rearranges) return false;
  const std::int64_t stride = op.ints("strides")[dim];
  const std::int64_t size = op.operands[0]->dims[dim];
  const std::int64_t taken = op.results[0]->dims[dim] * stride;
  return 4 * taken >= 3 * size && (stride != 1 || taken != size);
}

std::optional<Function> concatenate_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (at(op.integer("dimension")) != dim) return std::nullopt;
  const bool of_result = operand == op.operands.size();
  OpInstance wide = of_result ? op : with_operand(op, dim, size, operand);
  const TensorType& result = *op.results[0];
  if (of_result && size <= result.dims[dim]) return std::nullopt;
  Decomposition d(wide);
  std::vector<ValueId> operands = operands_of(d, wide);
  Builder& b = d.builder();
  if (of_result) {
    TensorType rest = result;
    rest.dims[dim] = size - result.dims[dim];
    wide.results[0]->dims[dim] = size;
    wide.operands.emplace_back(rest);
    operands.push_back(b.constant(rest, 0));
  } else {
    operands[operand] = b.slice_along(operands[operand], dim, 0, op.operands[operand]->dims[dim]);
    wide.operands[operand] = op.operands[operand];
  }
  return single_op_function(d, wide, std::move(operands));
}

bool joins_along(const OpInstance& op, Dim dim) {
  return op.decl->padded == concatenate_padded && at(op.integer("dimension")) == dim;
}

bool is_most_of(const TensorType& part, const TensorType& whole, Dim dim) {
  return 4 * part.dims[dim] >= 3 * whole.dims[dim];
}

std::optional<Function> reverse_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand != 0 || !contains(op.ints("dimensions"), static_cast<std::int64_t>(dim))) return std::nullopt;
  OpInstance wide = with_operand(op, dim, size);
  wide.results[0]->dims[dim] = size;
  Decomposition d(wide);
  Builder& b = d.builder();
  std::vector<std::int64_t> low(wide.operands[0].rank(), 0);
  std::vector<std::int64_t> high = low;
  low[dim] = size - op.operands[0]->dims[dim];
  high[dim] = -low[dim];
  const ValueId zero = b.constant(TensorType{wide.operands[0]->element, {}}, 0);
  return single_op_function(d, wide, {b.pad(d.operand(0), zero, std::move(low), std::move(high))});
}

std::optional<Function> pad_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  std::vector<std::int64_t> high = op.ints("edge_padding_high");
  if (operand == op.operands.size()) {
    OpInstance wide = op;
    high[dim] += size - op.results[0]->dims[dim];
    wide.results[0]->dims[dim] = size;
    set(wide.attributes, "edge_padding_high", {IntsAttr{high}});
    Decomposition d(wide);
    return single_op_function(d, wide, operands_of(d, wide));
  }
  if (operand != 0) return std::nullopt;
  OpInstance wide = with_operand(op, dim, size);
  const std::int64_t own = op.operands[0]->dims[dim];
  high[dim] -= (size - own) * (op.ints("interior_padding")[dim] + 1);
  set(wide.attributes, "edge_padding_high", {IntsAttr{high}});
  Decomposition d(wide);
  return single_op_function(d, wide, {d.masked(d.operand(0), dim, own, d.operand(1)), d.operand(1)});
}

std::optional<Function> dynamic_slice_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand != 0) return std::nullopt;
  return with_clamped_start(op, with_operand(op, dim, size), dim, dim + 1, op.results[0]->dims[dim]);
}

std::optional<Function> update_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand != 0) return std::nullopt;
  OpInstance wide = with_operand(op, dim, size);
  wide.results[0]->dims[dim] = size;
  return with_clamped_start(op, wide, dim, dim + 2, op.operands[1]->dims[dim]);
}

std::optional<Function> gather_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  const auto& map = op.ints("start_index_map");
  if (operand != 0 || !contains(map, static_cast<std::int64_t>(dim))) return std::nullopt;
  OpInstance wide = with_operand(op, dim, size);
  set(wide.attributes, "indices_are_sorted", {false});  // of other indices than the operation's
  Decomposition d(wide);
  std::vector<ValueId> operands = operands_of(d, wide);
  Builder& b = d.builder();
  // Clamp each component of an index as the original operation does.
  const TensorType indices = d.type(operands[1]);
  std::vector<std::int64_t> last;
  for (const std::int64_t k : map)
    last.push_back(saturated(op.operands[0]->dims[at(k)] - op.ints("slice_sizes")[at(k)], indices.element));
  const std::int64_t vector = op.integer("index_vector_dim");
  std::vector<ValueId> high;
  TensorType component = indices;
  if (at(vector) < indices.rank()) component.dims[at(vector)] = 1;
  for (const std::int64_t n : last) high.push_back(b.constant(component, n));
  const ValueId bounds = high.size() == 1 ? high[0] : b.concatenate(high, at(vector));
  operands[1] = b.clamp(b.constant(indices, 0), operands[1], bounds);
  return single_op_function(d, wide, std::move(operands));
}

std::optional<Function> scatter_into_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (op.results.size() != 1 || operand == 1 || operand > 2) return std::nullopt;
  if (operand == 2) return scatter_of_padded(op, dim, size);
  const bool single = contains(op.ints("inserted_window_dims"), static_cast<std::int64_t>(dim));
  if (!single && !window_of_scatter(op)) return std::nullopt;
  OpInstance wide = with_operand(op, dim, size);
  wide.results[0]->dims[dim] = size;
  Decomposition d(wide);
  return single_op_function(d, wide, operands_of(d, wide));
}

std::optional<Function> iota_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand != 0) return std::nullopt;
  OpInstance wide = op;
  wide.results[0]->dims[dim] = size;
  Decomposition d(wide);
  return single_op_function(d, wide, {});
}

}  // namespace partir::ops
