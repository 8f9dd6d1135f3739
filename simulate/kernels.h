// Which operations of a block run together, and what each kernel reads and writes: the fusion model.
//
//   views       reshape, transpose, optimization_barrier: no work, another name of their operand (layouts are free);
//               what a barrier hands on is stored, and read by other kernels (XLA fuses nothing across it)
//   recomputed  constants, iota, broadcasts, scalars: made anew inside each reader, never stored for them; also a cheap
//               operation whose readers lie in kernels that cannot run as one, if its operands are no larger than it
//   loops       operations element by element (their meaning folds nothing): each runs inside its readers' kernel
//   folds       reductions and other meanings that combine a range: with the loops that only they read; a fold whose
//               latest input a loop kernel makes runs with that kernel, over the elements it has at hand
//   epilogues   where the device says so, a kernel that alone reads a product runs behind it in the product's kernel
//   alone       matrix products, convolutions, library functions, collectives, control: read and write memory
//
// A kernel may have several results. Readers of one operation in several kernels become one kernel where they run over
// as many elements and nothing between them lies outside (multi-output fusion); so do kernels that read the same buffer
// (sibling fusion). Both are XLA's (InstructionFusion, MultiOutputFusion). Example: sin(x w) and cos(x w), both
// returned, are one kernel that reads x and w once, not two that read a stored product.
//
// Kernels run in the order of their last operations, or as soon as somebody reads them; an all_reduce or reduce_scatter
// right behind what makes its operand (the program may have it where its result is used, at the end of the step).
//
// A kernel reads each buffer once, as much of it as its operations touch (from their meanings), and writes each value
// that another kernel, or the caller, reads. dynamic_update_slice and scatter change their operand in place when
// nobody reads it later. A returned value that is a transposed view of something stored otherwise, an argument, or
// returned twice, is copied.
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
  std::vector<std::size_t> ops;  ///< positions in the block, ascending; views and what is recomputed left out
  struct Access {
    ValueId buffer;
    double bytes = 0;
  };
  std::vector<Access> reads;
  std::vector<Access> writes;         ///< values that get a buffer
  std::vector<std::size_t> in_place;  ///< writes whose buffer is that of reads[k], by write: k, or none (npos)
  double flops = 0;
  std::size_t matrix = npos;  ///< the product among `ops`, of kind matrix
  bool attention = false;     ///< part of an attention kernel, which stores nothing between (fuse_attention)
  [[nodiscard]] double bytes() const;
};

struct FusedBlock {
  std::vector<Kernel> kernels;    ///< in the order in which they run
  std::vector<ValueId> returned;  ///< buffers of what the terminator returns
  double copied_results = 0;      ///< bytes of results that are copies of arguments or of other results
  std::vector<ValueId> roots;     ///< by value: the value whose buffer it is a view of, itself where it has one
  /// By kernel: the last of those that it is combined with, itself where it is alone. Empty: the step decides
  /// (BufferRules::combines_first).
  std::vector<std::size_t> together;
  [[nodiscard]] ValueId buffer(ValueId v) const { return roots[v.index()]; }
};

struct FusionContext {
  /// By value: whether an argument's buffer may be written (it is donated, or carried by a loop). Empty: none.
  std::vector<bool> writable;
  /// By result of a function's body: the donated argument whose buffer it takes. Of other blocks empty: only a
  /// function's results have buffers of their own.
  std::vector<std::optional<ValueId>> homes;
  bool is_function = false;
  Epilogue epilogue = Epilogue::none;
  BufferRules rules;  ///< of `rules.ordered_operands`, that transposes are work; the function is ordered already
};

FusedBlock fuse(const Function& function, const Block& block, OperationCosts& costs, const FusionContext& context);

/// Takes out of a block's kernels the traffic of what attention kernels never store: results of batched products that
/// are larger than both operands together, and what loops and folds make of them at that size. Such buffers are left
/// without a writer and a reader. Returns whether a mask (a select) is among what is made of them.
bool fuse_attention(const Function& function, const Block& block, FusedBlock& fused);

}  // namespace partir
