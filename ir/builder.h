// Creates operations. All code that constructs operations uses Builder, which infers the result types of array
// operations from their operands and gives every operation a new id of its function.
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
  /// Makes later calls append to another block. Returns the previous block.
  Block* move_to(Block& block);
  /// Sets the place and location of operations created by later calls.
  void from(Place place, std::shared_ptr<const SourceLocation> location = nullptr);

  /// Creates an operation without operands and results, which is not appended to a block.
  Op make(std::string_view name);
  Op make(const OpDecl* decl);
  /// Appends any operation. The reference is valid until the block grows.
  Op& append(Op op);
  Op& append(const OpDecl* decl, std::vector<ValueId> operands, AttributeList attributes, std::vector<Type> results,
             std::vector<Block> regions = {});
  /// Appends an operation with a single result and returns the result.
  ValueId value(std::string_view name, std::vector<ValueId> operands, AttributeList attributes, Type result,
                std::vector<Block> regions = {});
  /// Makes `as` the only result of the last operation. `as` must have the same type and no other definition.
  void rename_result(ValueId as) { block_->ops.back().results = {as}; }

  /// Adds an argument to the current block.
  ValueId argument(Type type);
  /// Appends "func.return", the terminator of a function's body.
  void give(std::vector<ValueId> values);
  /// Returns a block that applies `decl` to two scalars, the computation of a reduction.
  Block combiner(const OpDecl* decl, ElementType element);

  // --- Array operations (specification, the sections of these names) -------------------------------------------------
  ValueId constant(LiteralPtr literal);
  /// A constant whose elements all equal `number`, which the element type must represent exactly.
  ValueId constant(const TensorType& type, std::int64_t number);
  ValueId iota(const TensorType& type, Dim dim);
  ValueId partition_id();
  ValueId add(ValueId a, ValueId b) { return elementwise("stablehlo.add", {a, b}); }
  ValueId subtract(ValueId a, ValueId b) { return elementwise("stablehlo.subtract", {a, b}); }
  ValueId multiply(ValueId a, ValueId b) { return elementwise("stablehlo.multiply", {a, b}); }
  ValueId divide(ValueId a, ValueId b) { return elementwise("stablehlo.divide", {a, b}); }
  ValueId remainder(ValueId a, ValueId b) { return elementwise("stablehlo.remainder", {a, b}); }
  ValueId logical_and(ValueId a, ValueId b) { return elementwise("stablehlo.and", {a, b}); }
  /// The operands and the result have the same type.
  ValueId elementwise(std::string_view name, std::vector<ValueId> operands);
  /// `direction`: "EQ", "NE", "GE", "GT", "LE" or "LT".
  ValueId compare(std::string_view direction, ValueId a, ValueId b);
  ValueId select(ValueId predicate, ValueId then, ValueId otherwise);
  ValueId clamp(ValueId low, ValueId x, ValueId high);
  ValueId convert(ValueId x, ElementType element);
  ValueId reshape(ValueId x, std::vector<std::int64_t> dims);
  /// Dimension k of x becomes dimension dims[k] of the result, whose shape is `shape`.
  ValueId broadcast_in_dim(ValueId x, std::vector<std::int64_t> dims, std::vector<std::int64_t> shape);
  /// Omitted strides are 1.
  ValueId slice(ValueId x, std::vector<std::int64_t> starts, std::vector<std::int64_t> limits,
                std::vector<std::int64_t> strides = {});
  /// Slices [start, limit) of one dimension; the other dimensions are kept.
  ValueId slice_along(ValueId x, Dim dim, std::int64_t start, std::int64_t limit);
  /// Omitted interior padding is 0.
  ValueId pad(ValueId x, ValueId filling, std::vector<std::int64_t> low, std::vector<std::int64_t> high,
              std::vector<std::int64_t> interior = {});
  ValueId dynamic_slice(ValueId x, const std::vector<ValueId>& starts, std::vector<std::int64_t> sizes);
  ValueId dynamic_update_slice(ValueId x, ValueId update, const std::vector<ValueId>& starts);
  ValueId concatenate(const std::vector<ValueId>& parts, Dim dim);
  /// Reduces `dims` by the named combiner ("stablehlo.add").
  ValueId reduce(ValueId x, ValueId init, std::vector<std::int64_t> dims, std::string_view combiner);

 private:
  [[nodiscard]] const TensorType& type(ValueId v) const { return function_.tensor(v); }

  Function& function_;
  Block* block_;
  Place place_;
  std::shared_ptr<const SourceLocation> location_;
};

}  // namespace partir
