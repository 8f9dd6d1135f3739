// Seconds of a kernel on a device: a roofline, whose two roofs depend on the size of the operation.
//
//   arithmetic   matrix units: FLOPs / (peak x padding x matrix efficiency); the padding of rows, columns and depth to
//                the device's tile is work, too. Vector units: FLOPs / peak.
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
  ElementType matrix_type = ElementType::f32;
  double matrix_peak = 0;
  [[nodiscard]] bool bound_by_memory() const { return memory > compute; }
  [[nodiscard]] double seconds() const { return (memory > compute ? memory : compute) + launch; }
};

/// Rows, columns and depth of a matrix product or convolution, and how many there are.
struct MatrixShape {
  double batch = 1;
  double rows = 1;
  double columns = 1;
  double depth = 1;
};
MatrixShape matrix_shape(const Function& function, const Op& op, double flops);

/// Of a kernel without collectives and control.
KernelCost cost_of(const Function& function, const Block& block, const Kernel& kernel, const Device& device);

}  // namespace partir
