// Which operations of a block run together, and what each kernel reads and writes: the fusion model.
//
//   views       reshape, transpose, optimization_barrier: no work, another name of their operand (layouts are free)
//   recomputed  constants, iota, broadcasts, scalars: made anew inside each reader, never stored for them
//   loops       operations element by element (their meaning folds nothing): one whose readers all lie in one loop or
//               fold kernel runs inside it, and what is between them is never stored
//   folds       reductions and other meanings that combine a range: with the loops that only they read; a fold whose
//               latest input a loop kernel makes runs with that kernel, over the elements it has at hand
//   alone       matrix products, convolutions, library functions, collectives, control: read and write memory
//
// Kernels run in the order of their last operations; an all_reduce or reduce_scatter right behind what makes its
// operand (the program may have it where its result is used, at the end of the step).
//
// A kernel reads each buffer once, as much of it as its operations touch (from their meanings), and writes each value
// that another kernel, or the caller, reads. dynamic_update_slice and scatter change their operand in place when
// nobody reads it later.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simulate/operation_cost.h"

namespace partir {

struct Kernel {
  enum class Kind : std::uint8_t { loop, fold, matrix, library, collective, control };
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
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  [[nodiscard]] double bytes() const;
};

struct FusedBlock {
  std::vector<Kernel> kernels;    ///< in the order in which they run
  std::vector<ValueId> returned;  ///< buffers of what the terminator returns
  std::unordered_map<ValueId, ValueId> view_of;
  [[nodiscard]] ValueId buffer(ValueId v) const;
};

/// Takes out of a block's kernels the traffic of what attention kernels never store
/// (SimulationOptions::fused_attention); such buffers are left without a writer and a reader.
void fuse_attention(const Function& function, const Block& block, FusedBlock& fused);

/// `writable`: whether an argument's buffer may be written (it is donated, or carried by a loop).
FusedBlock fuse(const Function& function, const Block& block, OperationCosts& costs,
                const std::function<bool(ValueId)>& writable);

}  // namespace partir
