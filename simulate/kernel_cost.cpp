#include "simulate/kernel_cost.h"

#include <algorithm>
#include <cmath>

namespace partir {
namespace {

double padded(double size, std::int64_t tile) {
  const auto t = static_cast<double>(tile);
  return size > 0 ? std::ceil(size / t) * t / size : 1;
}

void matrix_seconds(const OperationCost& op, const Device& device, KernelCost& out) {
  const MatrixProduct& product = *op.matrix;
  const auto rate = device.matrix_rate(product.numbers, product.precision);
  if (!rate) {
    out.missing = product.numbers;
    return;
  }
  out.matrix_flops = op.operations;
  out.matrix_peak = rate->peak;
  out.emulation = rate->emulation;
  if (op.operations <= 0) return;
  const double operations = op.operations * rate->operations;
  if (rate->on_vector_units) {
    out.compute = operations / rate->peak;
    return;
  }
  const MatrixShape& s = product.shape;
  // Either operand may be the one that stays in the matrix unit.
  const double padding =
      padded(s.depth, device.tile[2]) * std::min(padded(s.rows, device.tile[0]) * padded(s.columns, device.tile[1]),
                                                 padded(s.rows, device.tile[1]) * padded(s.columns, device.tile[0]));
  out.compute = operations * padding / (rate->peak * device.matrix_efficiency.at(op.operations));
}

}  // namespace

KernelCost cost_of(const Function& function, const Block& block, const Kernel& kernel, OperationCosts& costs,
                   const Device& device) {
  KernelCost out;
  out.launch = device.launch;
  const double bytes = kernel.bytes();
  if (bytes > 0) out.memory = bytes / (device.memory_bandwidth * device.memory_efficiency.at(bytes));
  if (kernel.kind == Kernel::Kind::matrix) {
    matrix_seconds(costs.of(function, block.ops[kernel.ops[0]]), device, out);
    return out;
  }
  for (const std::size_t i : kernel.ops) {
    const OperationCost& op = costs.of(function, block.ops[i]);
    if (op.flops() == 0) continue;
    const auto rate = device.vector_rate(op.type);
    if (!rate) {
      out.missing = name_of(op.type);
      return out;
    }
    out.compute += (op.operations + op.special * device.special) * rate->operations / rate->peak;
    if (!rate->emulation.empty()) out.emulation = rate->emulation;
  }
  return out;
}

}  // namespace partir
