// An operation written in others (ir/ops/offsets.h): a function of its operands in the making, and the steps that
// several decompositions share.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ir/builder.h"

namespace partir::ops {

class Decomposition {
 public:
  /// A function of the operation's operands.
  explicit Decomposition(const OpInstance& op);

  [[nodiscard]] ValueId operand(std::size_t k) const { return function_.body.arguments.at(k); }
  [[nodiscard]] const TensorType& type(ValueId v) const { return function_.tensor(v); }
  Builder& builder() { return builder_; }
  /// The function that returns this value, or these.
  Function done(ValueId result) { return done(std::vector<ValueId>{result}); }
  Function done(std::vector<ValueId> results);
  /// Copies of the operation's regions, which must be closed.
  std::vector<Block> regions();

  /// Names of dimension numbers and their lists.
  using Lists = std::vector<std::pair<const char*, std::vector<std::int64_t>>>;
  /// The index vector of all indices is their last dimension, of size 1 and left out. `sorted`: the indices are.
  ValueId gather(ValueId x, ValueId indices, const Lists& lists, std::vector<std::int64_t> sizes, bool sorted,
                 const TensorType& result);
  /// `unique`: the indices are sorted and differ.
  ValueId scatter(ValueId x, ValueId indices, ValueId updates, const Lists& lists, bool unique,
                  std::string_view combiner);

  /// The value in the type in which it can be added to zeros and stays what it is (moved_as).
  ValueId moved(ValueId x);
  /// Back from there.
  ValueId moved_back(ValueId x, const TensorType& type);

  /// p - start for the positions p of a dimension of this size; `start` is a scalar: [-2, -1, 0, 1] for 4 and 2.
  ValueId distances(ValueId start, std::int64_t size);
  /// k * size for each block k, as rows of this type: [[0, 0], [3, 3]] for 2 x 2 and 3.
  ValueId block_starts(const TensorType& wide, std::int64_t size);
  /// The operand, no less than 0 and at most `slack`: where a slice starts.
  ValueId clamped_start(std::size_t k, std::int64_t slack);

 private:
  const OpInstance& op_;
  Function function_;
  Builder builder_;
};

/// Whether an operation's only region reads nothing from outside.
bool is_closed(const OpInstance& op);

/// The type in which parts that are no device's but one are added up: integers as they are, floats as their bits. (A
/// sum of floats is no movement: -0.0 + 0.0 is 0.0, and 0 * inf is NaN.) Nothing for what has no such bits.
std::optional<ElementType> moved_as(ElementType type);

/// Whether there are several positions in a dimension of this size, and differences of two are numbers of the type.
bool counts(ElementType type, std::int64_t size);

/// The numbers from `from` on, so many.
std::vector<std::int64_t> numbers(std::size_t count, std::int64_t from = 0);

}  // namespace partir::ops
