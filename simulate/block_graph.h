// The use-def graph of one block as fusion needs it: the role of each operation in fusion, and the defining operation
// and the readers of each buffer. Built by simulate/kernels.cpp and read by simulate/fusion.cpp. Views share the buffer
// of the value they are a view of.
#pragma once

#include <span>
#include <vector>

#include "simulate/operation_cost.h"

namespace partir {

/// The role of an operation in fusion; simulate/kernels.h defines the roles.
enum class Part : std::uint8_t { view, recomputed, loop, fold, alone, terminator };

class BlockGraph {
 public:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  /// With `transposes_move`, a transpose that reorders elements is a kernel like any other, not a view.
  BlockGraph(const Function& function, const Block& block, OperationCosts& costs, bool transposes_move = false);

  [[nodiscard]] std::size_t size() const { return block_.ops.size(); }
  [[nodiscard]] const Op& op(std::size_t i) const { return block_.ops[i]; }
  /// The cost of an operation; default-constructed for views and terminators.
  [[nodiscard]] const OperationCost& cost(std::size_t i) const { return *costs_[i]; }
  /// The value whose buffer `v` is a view of; `v` itself if it has its own buffer.
  [[nodiscard]] ValueId root(ValueId v) const { return roots_[v.index()]; }
  /// True if the buffer is an operand of an optimization_barrier: no kernel may span the barrier.
  [[nodiscard]] bool barred(ValueId buffer) const { return barred_[buffer.index()]; }
  /// The operation of this block that defines the buffer, or none.
  [[nodiscard]] std::uint32_t maker(ValueId buffer) const { return makers_[buffer.index()]; }
  /// Positions of the operations that read the buffer, ascending. Reads through views and captures by regions count.
  [[nodiscard]] std::span<const std::uint32_t> readers(ValueId buffer) const;
  /// The buffers of the operands of operation `i`, followed by those that its regions capture.
  [[nodiscard]] std::span<const ValueId> reads(std::size_t i) const;
  /// Buffers that are read in this block but defined outside it, without duplicates.
  [[nodiscard]] const std::vector<ValueId>& inputs() const { return inputs_; }
  [[nodiscard]] std::vector<ValueId> take_roots() { return std::move(roots_); }
  [[nodiscard]] std::vector<const OperationCost*> take_costs() { return std::move(costs_); }

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
  std::vector<ValueId> reads_;           ///< of all operations, concatenated
  std::vector<std::uint32_t> reads_at_;  ///< by operation: index of its first read; one more entry at the end
  std::vector<std::uint32_t> readers_;   ///< of all values, concatenated
  std::vector<std::uint32_t> readers_at_;
};

/// Bytes of a value's buffer; 0 for tokens and other types without elements.
double bytes_of(const Function& function, ValueId v);
double elements_of(const Function& function, ValueId v);
/// True for a transpose that changes the order of elements in memory, i.e. of the dimensions longer than 1.
bool moves_elements(const Function& function, const Op& op);

}  // namespace partir
