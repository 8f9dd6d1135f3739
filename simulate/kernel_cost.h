// Seconds of a kernel on a device: a roofline, whose two roofs depend on the size of the operation.
//
//   arithmetic   matrix units: FLOPs / (peak x padding x matrix efficiency); the padding of rows, columns and depth to
//                the device's tile is work, too. Vector units: operations / peak, special functions (exponentials,
//                roots, quotients) times what the device says one takes.
//   memory       bytes read and written / (bandwidth x memory efficiency)
//
// The longer of the two is the kernel's time, after a launch.
#pragma once

#include "simulate/device.h"
#include "simulate/kernels.h"

namespace partir {

struct KernelCost {
  double compute = 0;  ///< seconds at the arithmetic roof
  double memory = 0;   ///< seconds at the memory roof
  double launch = 0;
  double matrix_flops = 0;
  double matrix_peak = 0;
  std::string emulation;  ///< "f8E4M3FN as bf16": what stands in for a type without a unit
  std::string missing;    ///< a type that the device neither has nor emulates: no seconds
  [[nodiscard]] bool bound_by_memory() const { return memory > compute; }
  [[nodiscard]] double seconds() const { return (memory > compute ? memory : compute) + launch; }
};

/// Of a kernel without collectives and control.
KernelCost cost_of(const Function& function, const Block& block, const Kernel& kernel, OperationCosts& costs,
                   const Device& device);

}  // namespace partir
