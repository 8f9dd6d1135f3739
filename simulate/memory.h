// Memory over a block: buffers live from the kernel that writes them to the last that reads them.
//
// Arguments are the caller's and live throughout, and so do a function's results that no donated argument takes: they
// have buffers of their own from the start, as in XLA's buffer assignment. A result that a donated argument aliases is
// written into the argument's buffer when nobody reads that later. A loop kernel writes into an operand of the same
// size that dies with it; dynamic_update_slice and scatter write in place (simulate/kernels.h); collectives do not, and
// those that are combined hold all operands and all results at once.
#pragma once

#include "simulate/kernels.h"
#include "simulate/memory_kinds.h"

namespace partir {

struct LiveBuffer {
  ValueId value;
  double bytes = 0;
};

struct BlockMemory {
  MemoryByKind arguments{};  ///< the caller's
  MemoryByKind peak{};       ///< arguments included
  double peak_bytes = 0;     ///< sum of `peak`
  double argument_bytes = 0;
  double allocated_bytes =
      0;  ///< of arguments, results and one allocation of all other buffers (simulate/allocation.h)
  std::size_t peak_kernel = 0;
  std::vector<MemoryByKind> by_kernel;  ///< while it runs
  std::vector<LiveBuffer> live;         ///< at the peak beside the arguments, largest first
};

struct MemoryContext {
  const ValueKinds* kinds = nullptr;  ///< null: totals alone, without kinds, timeline and live buffers
  /// By argument of the block: the returned value that is to be written into its buffer.
  std::vector<std::optional<std::size_t>> into;
  /// For control kernels: what their regions take beside the values of this block. By kernel; empty: none.
  std::vector<const BlockMemory*> inner;
  /// By kernel: the one together with which it runs, itself or a later one (collectives that are combined): until then
  /// what it reads is held, and what it writes is not there yet. Empty: each by itself.
  std::vector<std::size_t> together;
  bool is_function = false;
  /// BufferRules: of arguments that a result takes over, those read by kernels that it does not wait for are copied.
  bool copied_donations = false;
  /// BufferRules: a kernel writes into a dying operand of its result's type alone, and not in another order.
  bool same_shape_reuse = false;
};

BlockMemory memory_of(const Function& function, const Block& block, const FusedBlock& fused,
                      const MemoryContext& context);

}  // namespace partir
