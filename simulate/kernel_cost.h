// Seconds of a kernel on a device: a roofline model whose peaks depend on the size of the operation. Called by
// simulate/step.cpp for each kernel that is neither a collective nor control flow.
//
//   arithmetic   matrix units: FLOPs / (peak x matrix efficiency) x padding; rows, columns and depth are padded to the
//                device's tile. Vector units: operations / peak; special functions (exponentials, roots, quotients)
//                count as many operations as the device file states.
//   attention    products in attention kernels: FLOPs / (peak x the kernels' efficiency) x padding; half of that if
//                they skip blocks that a mask makes empty. The work between the products is part of the efficiency.
//   memory       bytes read and written / (bandwidth x memory efficiency)
//
// A kernel takes its launch time plus the larger of arithmetic and memory time.
#pragma once

#include <set>

#include "simulate/device.h"
#include "simulate/kernels.h"
#include "simulate/software.h"

namespace partir {

struct KernelCost {
  double compute = 0;  ///< arithmetic time in seconds
  double memory = 0;   ///< memory time in seconds
  double launch = 0;
  double matrix_flops = 0;
  double matrix_peak = 0;
  [[nodiscard]] bool bound_by_memory() const { return memory > compute; }
  [[nodiscard]] double seconds() const { return (memory > compute ? memory : compute) + launch; }
};

/// Costs of kernels on one device; the arithmetic of equal operations is computed once.
class KernelCosts {
 public:
  /// The device must outlive the object; operations are identified by the addresses of their costs, which must stay
  /// valid. `products` is the fraction of the speed of isolated matrix products that a whole step reaches
  /// (Device::sustained times Software::products).
  KernelCosts(const Device& device, double products) : device_(device), products_(products) {}

  /// The cost of a kernel of `fused` other than a collective or control flow. `attention` applies to kernels that are
  /// part of an attention kernel; `masked` states whether the attention is masked.
  KernelCost of(const Block& block, const FusedBlock& fused, const Kernel& kernel, const AttentionKernels* attention,
                bool masked);

  /// The emulations used so far, such as "f8E4M3FN as bf16".
  [[nodiscard]] const std::set<std::string>& emulations() const { return emulations_; }
  /// The first operation seen whose type the device neither supports nor emulates: (type, operation).
  [[nodiscard]] const std::optional<std::pair<std::string, const Op*>>& missing() const { return missing_; }
  void forget_missing() { missing_.reset(); }

 private:
  struct Arithmetic {
    double seconds = 0;
    double at_peak = 0;  ///< seconds of a product at full matrix efficiency
    double matrix_flops = 0;
    double matrix_peak = 0;
    std::string missing;
  };
  const Arithmetic& arithmetic(const OperationCost& cost);

  const Device& device_;
  double products_;
  std::unordered_map<const OperationCost*, Arithmetic> known_;
  std::set<std::string> emulations_;
  std::optional<std::pair<std::string, const Op*>> missing_;
};

}  // namespace partir
