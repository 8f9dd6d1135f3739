// Builds the decomposition of an operation: a function of the operation's operands that computes its results with other
// operations (ir/ops/offsets.h, merges.h, padded.h). Provides the steps that several decompositions share.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ir/builder.h"

namespace partir::ops {

/// A decomposition under construction.
class Decomposition {
 public:
  /// Starts a function whose arguments are the operation's operands.
  explicit Decomposition(const OpInstance& op);

  [[nodiscard]] ValueId operand(std::size_t k) const { return function_.body.arguments.at(k); }
  [[nodiscard]] const TensorType& type(ValueId v) const { return function_.tensor(v); }
  Builder& builder() { return builder_; }
  /// Finishes the function, which returns this value or these values.
  Function done(ValueId result) { return done(std::vector<ValueId>{result}); }
  Function done(std::vector<ValueId> results);
  /// Copies the operation's regions into the function. They must use no value from outside (is_closed).
  std::vector<Block> regions();

  /// Lists of dimension numbers, each with the name of its attribute.
  using Lists = std::vector<std::pair<const char*, std::vector<std::int64_t>>>;
  /// Appends a gather. If the indices have several components, these are the last dimension of `indices`. `sorted`
  /// states that the indices are sorted.
  ValueId gather(ValueId x, ValueId indices, const Lists& lists, std::vector<std::int64_t> sizes, bool sorted,
                 const TensorType& result);
  /// Appends a scatter that combines by the only block of `computation`; indices as for gather. `unique` states that
  /// the indices are sorted and distinct.
  ValueId scatter(ValueId x, ValueId indices, ValueId updates, const Lists& lists, bool unique,
                  std::vector<Block> computation);

  /// Bit-casts the value to the type in which adding zeros does not change it (moved_as).
  ValueId moved(ValueId x);
  /// Inverse of `moved`: bit-casts the value to `type`.
  ValueId moved_back(ValueId x, const TensorType& type);

  /// Replaces the elements of x from position `end` on, along `dim`, by a scalar.
  ValueId masked(ValueId x, Dim dim, std::int64_t end, ValueId scalar);
  /// Returns p - start for each position p of a dimension of this size; `start` is a scalar. Example: size 4 and start
  /// 2 give [-2, -1, 0, 1].
  ValueId distances(ValueId start, std::int64_t size);
  /// Returns a value of type `wide` whose row k holds k * size, the start of block k, everywhere. Example: type 2x2 and
  /// size 3 give [[0, 0], [3, 3]].
  ValueId block_starts(const TensorType& wide, std::int64_t size);
  /// Returns operand k, a scalar, clamped to the range from 0 to `slack`, as dynamic_slice clamps its start indices.
  ValueId clamped_start(std::size_t k, std::int64_t slack);

 private:
  const OpInstance& op_;
  Function function_;
  Builder builder_;
};

/// Returns the operation of a decomposition that computes v as masked(operand k); nullptr if none does.
const Op* mask_of(const Function& decomposition, ValueId v, std::size_t k);

/// Whether the operation has exactly one region, which uses no value from outside and contains no nested regions.
bool is_closed(const OpInstance& op);

/// Returns the type in which a value is added to zeros when each element is held by one device only: the type itself
/// for integers, the unsigned integer of the same width for floats. (Adding floats would change them: -0.0 + 0.0 is
/// 0.0, and 0 * inf is NaN.) Nothing for other types, and for floats whose width is not 8, 16, 32 or 64.
std::optional<ElementType> moved_as(ElementType type);

/// Whether the dimension has at least two positions and `type` represents the differences of any two: i32 or i64, and a
/// size below 2^30.
bool counts(ElementType type, std::int64_t size);

/// Returns `count` consecutive numbers, the first of which is `from`.
std::vector<std::int64_t> numbers(std::size_t count, std::int64_t from = 0);

}  // namespace partir::ops
