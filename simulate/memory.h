// Computes the memory over a block: a buffer is live from the kernel that writes it to the last kernel that reads it.
// Called by simulate/step.cpp on the kernels of simulate/kernels.h.
//
// Arguments belong to the caller and are live throughout, and so are the results of a function that do not take over a
// donated argument: their buffers exist from the start, as in XLA's buffer assignment. A result that aliases a donated
// argument is written into the argument's buffer if nothing reads the argument later. A loop kernel writes into an
// operand of the same size whose last use it is; dynamic_update_slice and scatter write in place (simulate/kernels.h).
// Collectives do neither, and collectives that are combined hold all their operands and results at the same time.
#pragma once

#include "simulate/kernels.h"
#include "simulate/memory_kinds.h"

namespace partir {

struct LiveBuffer {
  ValueId value;
  double bytes = 0;
};

struct BlockMemory {
  MemoryByKind arguments{};  ///< bytes of arguments, which belong to the caller
  MemoryByKind peak{};       ///< including arguments
  double peak_bytes = 0;     ///< sum of `peak`
  double argument_bytes = 0;
  double allocated_bytes =
      0;  ///< of arguments, results and one allocation of all other buffers (simulate/allocation.h)
  std::size_t peak_kernel = 0;
  std::vector<MemoryByKind> by_kernel;  ///< while the kernel runs
  std::vector<LiveBuffer> live;         ///< live at the peak in addition to arguments, largest first
};

struct MemoryContext {
  const ValueKinds* kinds = nullptr;  ///< null: compute totals only, without kinds, by_kernel and live
  /// By argument of the block: the index of the returned value that is to be written into its buffer.
  std::vector<std::optional<std::size_t>> into;
  /// By kernel: for control flow, the memory of its regions beyond the values of this block. Empty: none.
  std::vector<const BlockMemory*> inner;
  /// By kernel: the last kernel of the group of combined collectives that it runs with, or itself. What it reads stays
  /// live until that kernel, and what it writes becomes live there. Empty: no kernels are combined.
  std::vector<std::size_t> together;
  bool is_function = false;
  /// BufferRules::copied_donations: donated arguments are copied if kernels read them that the result does not wait
  /// for.
  bool copied_donations = false;
  /// BufferRules::same_shape_reuse: a kernel writes into a dying operand only if the types are equal and it keeps the
  /// order of elements.
  bool same_shape_reuse = false;
};

BlockMemory memory_of(const Function& function, const Block& block, const FusedBlock& fused,
                      const MemoryContext& context);

}  // namespace partir
