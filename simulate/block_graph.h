// The operations of a block as fusion sees them: the part that each can take, who makes and who reads each buffer.
#pragma once

#include <span>
#include <vector>

#include "simulate/operation_cost.h"

namespace partir {

/// How an operation takes part in fusion (simulate/kernels.h).
enum class Part : std::uint8_t { view, recomputed, loop, fold, alone, terminator };

class BlockGraph {
 public:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  /// `transposes_move`: a transpose that puts elements in another order is work like any other, not a view.
  BlockGraph(const Function& function, const Block& block, OperationCosts& costs, bool transposes_move = false);

  [[nodiscard]] std::size_t size() const { return block_.ops.size(); }
  [[nodiscard]] const Op& op(std::size_t i) const { return block_.ops[i]; }
  /// Of an operation that is a view or a terminator, nothing is known.
  [[nodiscard]] const OperationCost& cost(std::size_t i) const { return *costs_[i]; }
  /// The value whose buffer a value is a view of; itself where it has one.
  [[nodiscard]] ValueId root(ValueId v) const { return roots_[v.index()]; }
  /// Whether an optimization_barrier hands a buffer on, across which nothing runs as one kernel.
  [[nodiscard]] bool barred(ValueId buffer) const { return barred_[buffer.index()]; }
  /// The operation of this block that makes a buffer, or none.
  [[nodiscard]] std::uint32_t maker(ValueId buffer) const { return makers_[buffer.index()]; }
  /// Operations of this block that read a buffer, in order; views are looked through, captures are reads.
  [[nodiscard]] std::span<const std::uint32_t> readers(ValueId buffer) const;
  /// Buffers that an operation reads, by operand, and what its regions capture.
  [[nodiscard]] std::span<const ValueId> reads(std::size_t i) const;
  /// Buffers that are read here and made elsewhere, each once.
  [[nodiscard]] const std::vector<ValueId>& inputs() const { return inputs_; }
  [[nodiscard]] std::vector<ValueId> take_roots() { return std::move(roots_); }

  std::vector<Part> parts;  ///< by operation

 private:
  void classify(OperationCosts& costs, bool transposes_move);
  void link();

  const Function& f_;
  const Block& block_;
  std::vector<const OperationCost*> costs_;
  std::vector<ValueId> roots_;         ///< by value
  std::vector<bool> barred_;           ///< by value
  std::vector<std::uint32_t> makers_;  ///< by value
  std::vector<ValueId> inputs_;
  std::vector<ValueId> reads_;           ///< of all operations
  std::vector<std::uint32_t> reads_at_;  ///< by operation: where its reads begin
  std::vector<std::uint32_t> readers_;   ///< of all values
  std::vector<std::uint32_t> readers_at_;
};

/// Bytes of a value's buffer; 0 for tokens and other types without elements.
double bytes_of(const Function& function, ValueId v);
double elements_of(const Function& function, ValueId v);
/// Whether an operation lays its operand's elements out in another order: a transpose of dimensions longer than 1.
bool moves_elements(const Function& function, const Op& op);

}  // namespace partir
