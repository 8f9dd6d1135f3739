#include "ir/ops/decomposition.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/ops/common.h"

namespace partir::ops {
namespace {

/// The attributes of a lookup whose indices have `rank` dimensions.
AttributeList lookup_attributes(const Decomposition::Lists& lists, std::size_t rank) {
  AttributeList out;
  std::size_t vector_dim = rank;
  for (const auto& [name, values] : lists) {
    const std::string_view what = name;
    const bool maps = what == "start_index_map" || what == "scatter_dims_to_operand_dims";
    if (maps && values.size() > 1) vector_dim = rank - 1;
    if (!values.empty()) set(out, name, {IntsAttr{values}});  // an empty list is left out: absent lists read as empty
  }
  set(out, "index_vector_dim", {IntAttr{static_cast<std::int64_t>(vector_dim), ""}});
  return out;
}

}  // namespace

Decomposition::Decomposition(const OpInstance& op) : op_(op), builder_(function_, function_.body) {
  function_.name = "main";
  for (const Type& type : op.operands) builder_.argument(type);
}

Function Decomposition::done(std::vector<ValueId> results) {
  builder_.give(std::move(results));
  return std::move(function_);
}

std::vector<Block> Decomposition::regions() {
  Cloner cloner(*op_.function, function_);
  std::vector<Block> out;
  for (const Block& r : *op_.regions) out.push_back(cloner.block(r));
  return out;
}

ValueId Decomposition::gather(ValueId x, ValueId indices, const Lists& lists, std::vector<std::int64_t> sizes,
                              bool sorted, const TensorType& result) {
  AttributeList attributes = lookup_attributes(lists, type(indices).rank());
  set(attributes, "indices_are_sorted", {sorted});
  set(attributes, "slice_sizes", {IntsAttr{std::move(sizes)}});
  return builder_.value("stablehlo.gather", {x, indices}, std::move(attributes), result);
}

ValueId Decomposition::scatter(ValueId x, ValueId indices, ValueId updates, const Lists& lists, bool unique,
                               std::vector<Block> computation) {
  AttributeList attributes = lookup_attributes(lists, type(indices).rank());
  set(attributes, "indices_are_sorted", {unique});
  set(attributes, "unique_indices", {unique});
  return builder_.value("stablehlo.scatter", {x, indices, updates}, std::move(attributes), type(x),
                        std::move(computation));
}

ValueId Decomposition::moved(ValueId x) { return moved_back(x, {*moved_as(type(x).element), type(x).dims}); }

ValueId Decomposition::moved_back(ValueId x, const TensorType& to) {
  return type(x) == to ? x : builder_.value("stablehlo.bitcast_convert", {x}, {}, to);
}

ValueId Decomposition::masked(ValueId x, Dim dim, std::int64_t end, ValueId scalar) {
  const TensorType of = type(x);
  const TensorType line{ElementType::i32, {of.dims[dim]}};
  const ValueId inside = builder_.compare("LT", builder_.iota(line, 0), builder_.constant(line, end));
  return builder_.select(builder_.broadcast_in_dim(inside, {static_cast<std::int64_t>(dim)}, of.dims), x,
                         builder_.broadcast_in_dim(scalar, {}, of.dims));
}

const Op* mask_of(const Function& decomposition, ValueId v, std::size_t k) {
  const auto by = [&](ValueId of, const char* name) {
    return find_op(decomposition.body, [&](const Op& o) { return o.results == std::vector{of} && o.name() == name; });
  };
  const Op* select = by(v, "stablehlo.select");
  if (select == nullptr || select->operands[1] != decomposition.arguments().at(k)) return nullptr;
  const char* broadcast = "stablehlo.broadcast_in_dim";
  return by(select->operands[0], broadcast) && by(select->operands[2], broadcast) ? select : nullptr;
}

ValueId Decomposition::distances(ValueId start, std::int64_t size) {
  const TensorType line{type(start).element, {size}};
  const ValueId starts = builder_.broadcast_in_dim(start, {}, line.dims);
  return builder_.subtract(builder_.iota(line, 0), starts);
}

ValueId Decomposition::block_starts(const TensorType& wide, std::int64_t size) {
  const TensorType line = wide.with_dims({wide.dims[0]});
  const ValueId block = builder_.iota(line, 0);
  return builder_.broadcast_in_dim(builder_.multiply(block, builder_.constant(line, size)), {0}, wide.dims);
}

ValueId Decomposition::clamped_start(std::size_t k, std::int64_t slack) {
  const TensorType i = type(operand(k));
  const ValueId low = builder_.constant(i, 0);
  return builder_.clamp(low, operand(k), builder_.constant(i, slack));
}

bool is_closed(const OpInstance& op) {
  if (op.regions == nullptr || op.regions->size() != 1) return false;
  const Block& body = op.regions->front();
  std::unordered_set<ValueId> known(body.arguments.begin(), body.arguments.end());
  return std::all_of(body.ops.begin(), body.ops.end(), [&](const Op& o) {
    known.insert(o.results.begin(), o.results.end());
    return o.regions.empty() &&
           std::all_of(o.operands.begin(), o.operands.end(), [&](ValueId v) { return known.contains(v); });
  });
}

std::optional<ElementType> moved_as(ElementType type) {
  if (is_integer(type)) return type;
  if (!is_float(type)) return std::nullopt;
  switch (bit_width(type)) {
    case 8: return ElementType::ui8;
    case 16: return ElementType::ui16;
    case 32: return ElementType::ui32;
    case 64: return ElementType::ui64;
    default: return std::nullopt;
  }
}

bool counts(ElementType type, std::int64_t size) {
  return (type == ElementType::i32 || type == ElementType::i64) && size > 1 && size < (std::int64_t{1} << 30);
}

std::vector<std::int64_t> numbers(std::size_t count, std::int64_t from) {
  std::vector<std::int64_t> out(count);
  std::iota(out.begin(), out.end(), from);
  return out;
}

}  // namespace partir::ops
