// Makes operations: the one place where they are put together by hand. Result types of array operations follow from the
// operands; every operation gets an id of its function.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ir/op_decl.h"
#include "ir/program.h"

namespace partir {

/// Appends operations to a block of a function.
///
///   Builder b(function, function.body);
///   const ValueId id = b.partition_id();                       // tensor<ui32>
///   const ValueId row = b.remainder(id, b.constant({ElementType::ui32, {}}, 4));
///   b.give({row});
class Builder {
 public:
  Builder(Function& function, Block& block) : function_(function), block_(&block) {}

  [[nodiscard]] Function& function() const { return function_; }
  /// Appends to another block from here on. Returns the one before.
  Block* move_to(Block& block);
  /// Where operations made from here on say they come from.
  void from(Place place, std::shared_ptr<const SourceLocation> location = nullptr);

  /// An operation of this name apart from any block: no operands, no results yet.
  Op make(std::string_view name);
  Op make(const OpDecl* decl);
  /// Any operation. The reference holds until the block grows.
  Op& append(Op op);
  Op& append(const OpDecl* decl, std::vector<ValueId> operands, AttributeList attributes, std::vector<Type> results,
             std::vector<Block> regions = {});
  /// One of a single result.
  ValueId value(std::string_view name, std::vector<ValueId> operands, AttributeList attributes, Type result,
                std::vector<Block> regions = {});
  /// The last operation's only result is this value, of the same type, which nothing else defines.
  void rename_result(ValueId as) { block_->ops.back().results = {as}; }

  /// A value of the function that is no operation's result.
  ValueId argument(Type type);
  /// The terminator of the function's body, "func.return".
  void give(std::vector<ValueId> values);
  /// A block "combiner(%a, %b)" on scalars of this type, as reductions have it.
  Block combiner(const OpDecl* decl, ElementType element);

  // --- Array operations (specification, the sections of these names) --------------------------------------------------
  ValueId constant(LiteralPtr literal);
  /// All elements are this number, exactly, in an integer, boolean, floating-point or complex type.
  ValueId constant(const TensorType& type, std::int64_t number);
  ValueId iota(const TensorType& type, Dim dim);
  ValueId partition_id();
  ValueId add(ValueId a, ValueId b) { return elementwise("stablehlo.add", {a, b}); }
  ValueId subtract(ValueId a, ValueId b) { return elementwise("stablehlo.subtract", {a, b}); }
  ValueId multiply(ValueId a, ValueId b) { return elementwise("stablehlo.multiply", {a, b}); }
  ValueId divide(ValueId a, ValueId b) { return elementwise("stablehlo.divide", {a, b}); }
  ValueId remainder(ValueId a, ValueId b) { return elementwise("stablehlo.remainder", {a, b}); }
  ValueId logical_and(ValueId a, ValueId b) { return elementwise("stablehlo.and", {a, b}); }
  /// Operands and result of one type.
  ValueId elementwise(std::string_view name, std::vector<ValueId> operands);
  /// `direction`: "EQ", "NE", "GE", "GT", "LE" or "LT".
  ValueId compare(std::string_view direction, ValueId a, ValueId b);
  ValueId select(ValueId predicate, ValueId then, ValueId otherwise);
  ValueId clamp(ValueId low, ValueId x, ValueId high);
  ValueId convert(ValueId x, ElementType element);
  ValueId reshape(ValueId x, std::vector<std::int64_t> dims);
  /// Dimension k of x becomes dimension dims[k] of the result, which has this shape.
  ValueId broadcast_in_dim(ValueId x, std::vector<std::int64_t> dims, std::vector<std::int64_t> shape);
  /// Without strides, each is 1.
  ValueId slice(ValueId x, std::vector<std::int64_t> starts, std::vector<std::int64_t> limits,
                std::vector<std::int64_t> strides = {});
  /// From `start` to `limit` along one dimension, all of the others.
  ValueId slice_along(ValueId x, Dim dim, std::int64_t start, std::int64_t limit);
  /// Without interior padding, there is none.
  ValueId pad(ValueId x, ValueId filling, std::vector<std::int64_t> low, std::vector<std::int64_t> high,
              std::vector<std::int64_t> interior = {});
  ValueId dynamic_slice(ValueId x, const std::vector<ValueId>& starts, std::vector<std::int64_t> sizes);
  ValueId dynamic_update_slice(ValueId x, ValueId update, const std::vector<ValueId>& starts);
  ValueId concatenate(const std::vector<ValueId>& parts, Dim dim);
  /// Over these dimensions, by the named combiner ("stablehlo.add").
  ValueId reduce(ValueId x, ValueId init, std::vector<std::int64_t> dims, std::string_view combiner);

 private:
  [[nodiscard]] const TensorType& type(ValueId v) const { return function_.tensor(v); }

  Function& function_;
  Block* block_;
  Place place_;
  std::shared_ptr<const SourceLocation> location_;
};

}  // namespace partir
