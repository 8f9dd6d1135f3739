#include "ir/builder.h"

#include <algorithm>
#include <utility>

#include "support/check.h"

namespace partir {
namespace {

Attribute list(std::vector<std::int64_t> values) { return {IntsAttr{std::move(values)}}; }

}  // namespace

Block* Builder::move_to(Block& block) { return std::exchange(block_, &block); }

void Builder::from(Place place, std::shared_ptr<const SourceLocation> location) {
  place_ = place;
  location_ = std::move(location);
}

Op Builder::make(std::string_view name) {
  const OpDecl* decl = find_decl(name);
  PARTIR_CHECK(decl != nullptr, "no operation of this name: " + std::string(name));
  return make(decl);
}

Op Builder::make(const OpDecl* decl) {
  Op op(function_.new_op(), decl);
  op.place = place_;
  op.location = location_;
  return op;
}

Op& Builder::append(Op op) {
  block_->ops.push_back(std::move(op));
  return block_->ops.back();
}

Op& Builder::append(const OpDecl* decl, std::vector<ValueId> operands, AttributeList attributes,
                    std::vector<Type> results, std::vector<Block> regions) {
  Op op = make(decl);
  op.operands = std::move(operands);
  op.attributes = std::move(attributes);
  op.regions = std::move(regions);
  op.results.reserve(results.size());
  for (Type& t : results) op.results.push_back(function_.add_value(std::move(t)));
  return append(std::move(op));
}

ValueId Builder::value(std::string_view name, std::vector<ValueId> operands, AttributeList attributes, Type result,
                       std::vector<Block> regions) {
  Op op = make(name);
  op.operands = std::move(operands);
  op.attributes = std::move(attributes);
  op.regions = std::move(regions);
  op.results = {function_.add_value(std::move(result))};
  return append(std::move(op)).results[0];
}

ValueId Builder::argument(Type type) {
  const ValueId v = function_.add_value(std::move(type));
  block_->arguments.push_back(v);
  return v;
}

void Builder::give(std::vector<ValueId> values) {
  Op op = make("func.return");
  op.operands = std::move(values);
  append(std::move(op));
}

Block Builder::combiner(const OpDecl* decl, ElementType element) {
  Block out;
  Block* const outside = move_to(out);
  const TensorType scalar{element, {}};
  const std::vector<ValueId> both = {argument(scalar), argument(scalar)};
  const ValueId result = append(decl, both, {}, {scalar}).results[0];
  Op end = make("stablehlo.return");
  end.operands = {result};
  append(std::move(end));
  block_ = outside;
  return out;
}

ValueId Builder::constant(LiteralPtr literal) {
  Type type = literal->type;
  return value("stablehlo.constant", {}, {{"value", {DenseAttr{std::move(literal)}}}}, std::move(type));
}

ValueId Builder::constant(const TensorType& type, std::int64_t number) { return constant(splat(type, number)); }

ValueId Builder::iota(const TensorType& type, Dim dim) {
  return value("stablehlo.iota", {}, {{"iota_dimension", {IntAttr{static_cast<std::int64_t>(dim), ""}}}}, type);
}

ValueId Builder::partition_id() { return value("stablehlo.partition_id", {}, {}, TensorType{ElementType::ui32, {}}); }

ValueId Builder::elementwise(std::string_view name, std::vector<ValueId> operands) {
  Type result = function_.type(operands.at(0));
  return value(name, std::move(operands), {}, std::move(result));
}

ValueId Builder::compare(std::string_view direction, ValueId a, ValueId b) {
  TensorType result{ElementType::i1, type(a).dims};
  return value("stablehlo.compare", {a, b}, {{"comparison_direction", {KeywordAttr{std::string(direction)}}}},
               std::move(result));
}

ValueId Builder::select(ValueId predicate, ValueId then, ValueId otherwise) {
  return value("stablehlo.select", {predicate, then, otherwise}, {}, type(then));
}

ValueId Builder::clamp(ValueId low, ValueId x, ValueId high) {
  return value("stablehlo.clamp", {low, x, high}, {}, type(x));
}

ValueId Builder::convert(ValueId x, ElementType element) {
  TensorType result{element, type(x).dims};
  return value("stablehlo.convert", {x}, {}, std::move(result));
}

ValueId Builder::reshape(ValueId x, std::vector<std::int64_t> dims) {
  Type result = type(x).with_dims(std::move(dims));
  return value("stablehlo.reshape", {x}, {}, std::move(result));
}

ValueId Builder::broadcast_in_dim(ValueId x, std::vector<std::int64_t> dims, std::vector<std::int64_t> shape) {
  Type result = type(x).with_dims(std::move(shape));
  return value("stablehlo.broadcast_in_dim", {x}, {{"broadcast_dimensions", list(std::move(dims))}}, std::move(result));
}

ValueId Builder::slice(ValueId x, std::vector<std::int64_t> starts, std::vector<std::int64_t> limits,
                       std::vector<std::int64_t> strides) {
  TensorType result = type(x);
  if (strides.empty()) strides.assign(result.rank(), 1);
  for (Dim d = 0; d < result.rank(); ++d)
    result.dims[d] = std::max<std::int64_t>(0, (limits[d] - starts[d] + strides[d] - 1) / strides[d]);
  AttributeList attributes = {{"start_indices", list(std::move(starts))},
                              {"limit_indices", list(std::move(limits))},
                              {"strides", list(std::move(strides))}};
  return value("stablehlo.slice", {x}, std::move(attributes), std::move(result));
}

ValueId Builder::slice_along(ValueId x, Dim dim, std::int64_t start, std::int64_t limit) {
  std::vector<std::int64_t> starts(type(x).rank(), 0);
  std::vector<std::int64_t> limits = type(x).dims;
  starts[dim] = start;
  limits[dim] = limit;
  return slice(x, std::move(starts), std::move(limits));
}

ValueId Builder::pad(ValueId x, ValueId filling, std::vector<std::int64_t> low, std::vector<std::int64_t> high,
                     std::vector<std::int64_t> interior) {
  TensorType result = type(x);
  if (interior.empty()) interior.assign(result.rank(), 0);
  for (Dim d = 0; d < result.rank(); ++d)
    result.dims[d] += low[d] + high[d] + std::max<std::int64_t>(result.dims[d] - 1, 0) * interior[d];
  AttributeList attributes = {{"edge_padding_low", list(std::move(low))},
                              {"edge_padding_high", list(std::move(high))},
                              {"interior_padding", list(std::move(interior))}};
  return value("stablehlo.pad", {x, filling}, std::move(attributes), std::move(result));
}

ValueId Builder::dynamic_slice(ValueId x, const std::vector<ValueId>& starts, std::vector<std::int64_t> sizes) {
  Type result = type(x).with_dims(sizes);
  std::vector<ValueId> operands = {x};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return value("stablehlo.dynamic_slice", std::move(operands), {{"slice_sizes", list(std::move(sizes))}},
               std::move(result));
}

ValueId Builder::dynamic_update_slice(ValueId x, ValueId update, const std::vector<ValueId>& starts) {
  std::vector<ValueId> operands = {x, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return value("stablehlo.dynamic_update_slice", std::move(operands), {}, type(x));
}

ValueId Builder::concatenate(const std::vector<ValueId>& parts, Dim dim) {
  TensorType result = type(parts.at(0));
  for (std::size_t k = 1; k < parts.size(); ++k) result.dims[dim] += type(parts[k]).dims[dim];
  return value("stablehlo.concatenate", parts, {{"dimension", {IntAttr{static_cast<std::int64_t>(dim), ""}}}},
               std::move(result));
}

ValueId Builder::reduce(ValueId x, ValueId init, std::vector<std::int64_t> dims, std::string_view combiner) {
  TensorType result{type(x).element, {}};
  for (Dim d = 0; d < type(x).rank(); ++d) {
    if (std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) == dims.end())
      result.dims.push_back(type(x).dims[d]);
  }
  std::vector<Block> regions;
  regions.push_back(this->combiner(find_decl(combiner), result.element));
  return value("stablehlo.reduce", {x, init}, {{"dimensions", list(std::move(dims))}}, std::move(result),
               std::move(regions));
}

}  // namespace partir
