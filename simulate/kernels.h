// The fusion model: which operations of a block run as one kernel, and what each kernel reads and writes. The step
// simulation (simulate/step.h) times the kernels, and simulate/memory.h computes the lifetimes of their buffers. Each
// operation has one of these roles:
//
//   views       reshape, transpose, optimization_barrier: no work, an alias of their operand (layouts are free). A
//               barrier's operand is stored and read by other kernels: as in XLA, no kernel spans a barrier
//   recomputed  constants, iota, broadcasts, scalars: recomputed inside each reader, never stored for it; also a cheap
//               operation that reads no more than it yields, if its readers are in kernels that cannot be merged
//   loops       elementwise operations (their meaning has no fold): fused into the kernels of their readers
//   folds       reductions and other meanings that combine a range: fused with the loops that only they read; if a loop
//               kernel defines a fold's latest input, the fold runs in it if both iterate over as many elements
//   epilogues   if the device supports it, a kernel that is the only reader of a product runs in the product's kernel
//   alone       matrix products, convolutions, library functions, collectives, control flow: read and write memory
//
// A kernel may have several results. If several kernels read one operation, they become one kernel provided that they
// iterate over as many elements and no dependency path between them passes through another kernel (multi-output
// fusion); the same holds for kernels that read the same buffer (sibling fusion). XLA does both (InstructionFusion,
// MultiOutputFusion). Example: sin(x w) and cos(x w), both returned, are one kernel that reads x and w once, not two
// that read a stored product.
//
// Kernels run in the order of their last operations, or earlier if another kernel reads their result; an all_reduce or
// reduce_scatter runs right after the kernel that defines its operand (the program may have it where its result is
// used, at the end of the step).
//
// A kernel reads each buffer once, as much of it as its operations access (from their meanings), and writes each value
// that another kernel or the caller reads. dynamic_update_slice and scatter update their operand in place if nothing
// reads it later. A returned value is copied if it is an argument, is returned twice, or is a transposed view of a
// value that is stored in another order.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "simulate/buffer_rules.h"
#include "simulate/fusion.h"

namespace partir {

struct Kernel {
  static constexpr std::size_t npos = std::numeric_limits<std::size_t>::max();
  enum class Kind : std::uint8_t { loop, fold, matrix, library, collective, control, copy };
  Kind kind = Kind::loop;
  std::vector<std::size_t> ops;  ///< positions in the block, ascending; without views and recomputed operations
  struct Access {
    ValueId buffer;
    double bytes = 0;
  };
  std::vector<Access> reads;
  std::vector<Access> writes;         ///< values that are stored
  std::vector<std::size_t> in_place;  ///< by write: k if it updates the buffer of reads[k] in place, else npos
  double flops = 0;
  std::size_t matrix = npos;  ///< the matrix product among `ops`, for kernels of kind matrix
  bool attention = false;     ///< part of an attention kernel, which stores no intermediate results (fuse_attention)
  [[nodiscard]] double bytes() const;
};

struct FusedBlock {
  std::vector<Kernel> kernels;    ///< in execution order
  std::vector<ValueId> returned;  ///< buffers of what the terminator returns
  double copied_results = 0;      ///< bytes of results that are copies of arguments or of other results
  std::vector<ValueId> roots;     ///< by value: the value whose buffer it is a view of; itself if it has its own buffer
  std::vector<const OperationCost*> costs;  ///< by operation; default-constructed for views and terminators
  /// By kernel: the last kernel of the group of collectives that it is combined with; itself if it is not combined.
  /// Empty: the step simulation decides which to combine (BufferRules::combines_first).
  std::vector<std::size_t> together;
  [[nodiscard]] ValueId buffer(ValueId v) const { return roots[v.index()]; }
};

struct FusionContext {
  /// By value: whether an argument's buffer may be overwritten (it is donated, or loop-carried). Empty: none may.
  std::vector<bool> writable;
  /// By result of a function's body: the donated argument whose buffer it takes over. Empty for other blocks: only the
  /// results of a function have buffers of their own.
  std::vector<std::optional<ValueId>> homes;
  bool is_function = false;
  Epilogue epilogue = Epilogue::none;
  /// as_compiled has reordered operands already, so `ordered_operands` only makes transposes count as work.
  BufferRules rules;
};

FusedBlock fuse(const Function& function, const Block& block, OperationCosts& costs, const FusionContext& context);

/// Removes the reads and writes of values that attention kernels never store: results of batched products that are
/// larger than both operands together (the scores), and what loops and folds derive from them at the same size. No
/// kernel reads or writes such a buffer afterwards. Returns true if a mask (a select) is among these operations.
bool fuse_attention(const Function& function, const Block& block, FusedBlock& fused);

}  // namespace partir
