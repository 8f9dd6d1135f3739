// The step of a device-local program on a device: its kernels in time, and its memory.
//
// With overlap: kernels run one after another; on each link, and each dimension of a torus, collectives run one after
// another, each as soon as its operands are there, at most a few ahead of their use; a kernel waits for what it reads.
// Collectives of one kind over one group that wait for each other run as one, up to a size (buckets). A kernel beside a
// collective is slowed by what that takes of the device. On links that decompose, the reduce_scatter half of an
// all_reduce (or a reduce_scatter) runs beside the matrix product that makes its operand, and the all_gather half
// beside the next matrix product, as far as these last.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulate/collectives.h"
#include "simulate/kernel_cost.h"
#include "simulate/memory.h"
#include "simulate/software.h"

namespace partir {

class TripCounts;

struct StepOptions {
  NetworkOptions network;
  Software software;
};

/// What a search asks of a state.
struct StepCost {
  double seconds = 0;      ///< of the step, with overlap
  double peak_bytes = 0;   ///< of memory that is live at once, arguments included
  double slack_bytes = 0;  ///< what an allocator needs beside that (slack_of)
};

struct BlockTiming;

/// A region of a loop, or the longest of a branch.
struct RegionTiming {
  std::unique_ptr<BlockTiming> timing;
  double times = 1;  ///< of one run of the operation
};

struct KernelTiming {
  double before = 0;   ///< seconds into the block without overlap
  double start = 0;    ///< seconds into the block with overlap
  double seconds = 0;  ///< by itself
  KernelCost cost;     ///< of what is neither collective nor control
  const CollectiveTime* collective = nullptr;
  double copies = 0;                  ///< seconds of the software's copies for a collective, among the kernels
  std::vector<RegionTiming> regions;  ///< of control
};

struct BlockTiming {
  const Block* block = nullptr;
  FusedBlock fused;
  std::vector<KernelTiming> kernels;  ///< as fused.kernels
  BlockMemory memory;
  double sequential = 0;  ///< seconds without overlap
  double overlapped = 0;
};

/// Bytes that a step needs beside what is live at once in program order: results of gathers that are issued early, as
/// many as the software prefetches, and the gaps between buffers in an allocation (simulate/allocation.h).
double slack_of(const BlockTiming& timing, std::size_t prefetch);

/// Costs steps of any number of programs on one device and mesh; what was worked out for one is kept for the next.
class StepModel {
 public:
  /// Errors: links and topologies that do not fit (Network::of).
  static Result<std::unique_ptr<StepModel>> of(Device device, Mesh mesh, StepOptions options);

  /// Seconds and peak memory alone, of a function of local types with collectives: of StableHLO, or spmd.* as lowering
  /// leaves them (SpmdProgram::function). No names, events or notes. Errors: a type that the device does not compute
  /// with. Example: t32_train's 18,000 operations take 10 to 30 ms once most are known.
  Result<StepCost> cost(const Function& function);

  /// All of it; with kinds of memory, timeline and live buffers when `kinds` is given. Errors likewise.
  Result<BlockTiming> timing(const Function& function, const ValueKinds* kinds);

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] OperationCosts& operations() { return operations_; }
  /// Of all programs so far.
  [[nodiscard]] const std::set<std::string>& emulations() const { return kernel_costs_->emulations(); }

 private:
  StepModel(Device device, Mesh mesh, StepOptions options);
  friend class BlockStep;

  Device device_;
  Mesh mesh_;
  StepOptions options_;
  Network network_;
  OperationCosts operations_;
  std::unique_ptr<KernelCosts> kernel_costs_;
  std::unique_ptr<Collectives> collectives_;
};

}  // namespace partir
