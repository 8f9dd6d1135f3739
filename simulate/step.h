// Simulates a step of a device-local program on a device: the timing of its kernels and collectives, and its memory.
// The search (search/) uses StepModel::cost; simulate/simulate.h turns the timing into a report.
//
// With overlap, kernels run one after another. On each link (each dimension of a torus), collectives run one after
// another, each as soon as its operands are ready, but only a limited number ahead of their first use; a kernel waits
// for the values it reads. Queued collectives of one kind over one group run as one, up to a size (bucket). A kernel
// that runs concurrently with a collective is slowed down by the share of the device that the collective occupies. On
// links that decompose, the reduce_scatter half of an all_reduce (or a reduce_scatter) overlaps with the matrix product
// that defines its operand, and the all_gather half with the next matrix product, for at most the duration of these.
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

/// The cost of a program for the search.
struct StepCost {
  double seconds = 0;      ///< of the step, with overlap
  double peak_bytes = 0;   ///< live bytes at the peak, including arguments
  double slack_bytes = 0;  ///< additional bytes that an allocator needs (slack_of)
};

struct BlockTiming;

/// A region of a loop, or the longest region of a branch.
struct RegionTiming {
  std::unique_ptr<BlockTiming> timing;
  double times = 1;  ///< executions per execution of the operation
};

struct KernelTiming {
  double before = 0;   ///< seconds into the block without overlap
  double start = 0;    ///< seconds into the block with overlap
  double seconds = 0;  ///< duration on its own
  KernelCost cost;     ///< of kernels other than collectives and control flow
  const CollectiveTime* collective = nullptr;
  double copies = 0;                  ///< seconds of copies by the software for a collective, which run as kernels
  std::vector<RegionTiming> regions;  ///< of control flow
};

struct BlockTiming {
  const Block* block = nullptr;
  FusedBlock fused;
  std::vector<KernelTiming> kernels;  ///< in the order of fused.kernels
  BlockMemory memory;
  double sequential = 0;  ///< seconds without overlap
  double overlapped = 0;
};

/// Bytes that a step needs beyond what is live in program order: the results of gathers that are issued early, up to
/// `prefetch` of them, and the gaps between buffers in an allocation (simulate/allocation.h).
double slack_of(const BlockTiming& timing, std::size_t prefetch);

/// Computes the costs of steps of any number of programs on one device and mesh; costs of operations and collectives
/// are cached across programs.
class StepModel {
 public:
  /// Errors: links and topologies that do not fit the mesh (Network::of).
  static Result<std::unique_ptr<StepModel>> of(Device device, Mesh mesh, StepOptions options);

  /// Computes only seconds and memory of a function with local types and collectives, either of StableHLO or spmd.* as
  /// lowering emits them (SpmdProgram::function). Errors: a type that the device cannot compute with. Example: the
  /// 18,000 operations of t32_train take 10 to 30 ms once most costs are cached.
  Result<StepCost> cost(const Function& function);

  /// Computes the complete timing; with kinds of memory, by_kernel and live buffers if `kinds` is given. Errors as for
  /// cost.
  Result<BlockTiming> timing(const Function& function, const ValueKinds* kinds);

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] OperationCosts& operations() { return operations_; }
  /// The emulations used by all programs so far (KernelCosts::emulations).
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
