// Seconds of a kernel on a device: a roofline, whose two roofs depend on the size of the operation.
//
//   arithmetic   matrix units: FLOPs / (peak x padding x matrix efficiency); the padding of rows, columns and depth to
//                the device's tile is work, too. Vector units: operations / peak, special functions (exponentials,
//                roots, quotients) times what the device says one takes.
//   attention    products in attention kernels: FLOPs / (peak x padding x the kernels' efficiency), of which a mask
//   leaves
//                half where they skip what it empties; what runs between the products is part of that
//   memory       bytes read and written / (bandwidth x memory efficiency)
//
// The longer of the two is the kernel's time, after a launch.
#pragma once

#include <set>

#include "simulate/device.h"
#include "simulate/kernels.h"
#include "simulate/software.h"

namespace partir {

struct KernelCost {
  double compute = 0;  ///< seconds at the arithmetic roof
  double memory = 0;   ///< seconds at the memory roof
  double launch = 0;
  double matrix_flops = 0;
  double matrix_peak = 0;
  [[nodiscard]] bool bound_by_memory() const { return memory > compute; }
  [[nodiscard]] double seconds() const { return (memory > compute ? memory : compute) + launch; }
};

/// Costs of kernels on one device; equal operations are worked out once.
class KernelCosts {
 public:
  /// Both outlive it. The addresses of costs in the table are what operations are known by.
  /// `products`: what a step reaches of the speed of matrix products by themselves (Device::sustained,
  /// Software::products).
  KernelCosts(const Device& device, OperationCosts& operations, double products)
      : device_(device), operations_(operations), products_(products) {}

  /// Of a kernel without collectives and control. `attention`: of kernels marked so; `masked`: under a mask.
  KernelCost of(const Function& function, const Block& block, const Kernel& kernel, const AttentionKernels* attention,
                bool masked);

  /// "f8E4M3FN as bf16": what stood in for types that the device has no units for.
  [[nodiscard]] const std::set<std::string>& emulations() const { return emulations_; }
  /// The first operation met with a type that the device neither has nor emulates: type, operation.
  [[nodiscard]] const std::optional<std::pair<std::string, const Op*>>& missing() const { return missing_; }
  void forget_missing() { missing_.reset(); }

 private:
  struct Arithmetic {
    double seconds = 0;
    double at_peak = 0;  ///< seconds of a product without the efficiency of its size
    double matrix_flops = 0;
    double matrix_peak = 0;
    std::string missing;
  };
  const Arithmetic& arithmetic(const Function& function, const Op& op);

  const Device& device_;
  OperationCosts& operations_;
  double products_;
  std::unordered_map<const OperationCost*, Arithmetic> known_;
  std::set<std::string> emulations_;
  std::optional<std::pair<std::string, const Op*>> missing_;
};

}  // namespace partir
