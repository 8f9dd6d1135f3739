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

/// Returns the operation with operand 0 extended to `size` elements along `dim`.
OpInstance with_operand(const OpInstance& op, Dim dim, std::int64_t size) {
  OpInstance out = op;
  out.operands[0]->dims[dim] = size;
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

}  // namespace

std::optional<Function> slice_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand > 1) return std::nullopt;
  OpInstance wide = op;
  if (operand == 0) {
    wide.operands[0]->dims[dim] = size;
    Decomposition d(wide);
    return single_op_function(d, wide, operands_of(d, wide));
  }
  // A result as long as the operand is the operand, sliced along the other dimensions, and then moved along this one.
  const std::int64_t start = op.ints("start_indices")[dim];
  if (op.ints("strides")[dim] != 1 || size != op.operands[0]->dims[dim]) return std::nullopt;
  wide.results[0]->dims[dim] = size;
  for (const auto& [name, value] : {std::pair("start_indices", std::int64_t{0}), {"limit_indices", size}}) {
    std::vector<std::int64_t> list = op.ints(name);
    list[dim] = value;
    set(wide.attributes, name, {IntsAttr{std::move(list)}});
  }
  Decomposition d(wide);
  if (start == 0) return single_op_function(d, wide, operands_of(d, wide));
  Builder& b = d.builder();
  ValueId x = d.operand(0);
  if (wide.results[0] != wide.operands[0]) x = b.append(op.decl, {x}, wide.attributes, wide.results).results.at(0);
  std::vector<std::int64_t> high(wide.results[0].rank(), 0);
  high[dim] = start;
  const ValueId zero = b.constant(TensorType{wide.results[0]->element, {}}, 0);
  return d.done(b.pad(b.slice_along(x, dim, start, size), zero, std::vector<std::int64_t>(high.size(), 0), high));
}

bool is_nearly_whole(const OpInstance& op, Dim dim) {
  return op.decl->traits.cuts && op.decl->traits.rearranges && op.ints("strides")[dim] == 1 &&
         4 * op.results[0]->dims[dim] >= 3 * op.operands[0]->dims[dim] &&
         op.results[0]->dims[dim] != op.operands[0]->dims[dim];
}

std::optional<Function> pad_of_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand != 0 || op.ints("interior_padding")[dim] != 0) return std::nullopt;
  OpInstance wide = with_operand(op, dim, size);
  const std::int64_t own = op.operands[0]->dims[dim];
  std::vector<std::int64_t> high = op.ints("edge_padding_high");
  high[dim] -= size - own;
  set(wide.attributes, "edge_padding_high", {IntsAttr{high}});
  Decomposition d(wide);
  std::vector<ValueId> operands = operands_of(d, wide);
  Builder& b = d.builder();
  const TensorType line{ElementType::i32, {size}};
  const ValueId inside = b.compare("LT", b.iota(line, 0), b.constant(line, own));
  const auto& dims = wide.operands[0]->dims;
  operands[0] = b.select(b.broadcast_in_dim(inside, {static_cast<std::int64_t>(dim)}, dims), operands[0],
                         b.broadcast_in_dim(operands[1], {}, dims));
  return single_op_function(d, wide, std::move(operands));
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
  const OpInstance wide = with_operand(op, dim, size);
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
  const bool single = contains(op.ints("inserted_window_dims"), static_cast<std::int64_t>(dim));
  if (operand != 0 || op.results.size() != 1 || !single) return std::nullopt;
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
