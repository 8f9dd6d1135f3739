#include "simulate/kernel_cost.h"

#include <algorithm>
#include <cmath>

namespace partir {
namespace {

double padded(double size, std::int64_t tile) {
  const auto t = static_cast<double>(tile);
  return size > 0 ? std::ceil(size / t) * t / size : 1;
}

/// The factor by which padding to the device's tile increases the work of a product. Example: 100 rows with a tile of
/// 128 contribute a factor of 1.28.
double padding_of(const MatrixShape& s, const Device& device) {
  const double rows_first = padded(s.rows, device.tile[0]) * padded(s.columns, device.tile[1]);
  const double columns_first = padded(s.rows, device.tile[1]) * padded(s.columns, device.tile[0]);
  // Either operand may be the one that is held in the matrix unit.
  return padded(s.depth, device.tile[2]) * std::min(rows_first, columns_first);
}

}  // namespace

const KernelCosts::Arithmetic& KernelCosts::arithmetic(const OperationCost& cost) {
  const auto [it, fresh] = known_.try_emplace(&cost);
  Arithmetic& out = it->second;
  if (!fresh) return out;
  if (cost.matrix) {
    const auto rate = device_.matrix_rate(cost.matrix->numbers, cost.matrix->precision);
    if (!rate) {
      out.missing = cost.matrix->numbers;
      return out;
    }
    if (!rate->emulation.empty()) emulations_.insert(rate->emulation);
    out.matrix_flops = cost.operations;
    out.matrix_peak = rate->peak;
    const MatrixShape& shape = cost.matrix->shape;
    const auto on_units = [&](double operations, const MatrixShape& s) {
      out.at_peak = operations * rate->operations * (rate->on_vector_units ? 1 : padding_of(s, device_)) / rate->peak;
      out.seconds = out.at_peak / ((rate->on_vector_units ? 1 : device_.matrix_efficiency.at(operations)) * products_);
    };
    on_units(cost.operations, shape);
    if (!shape.grouped) return out;
    // Groups are computed one by one, as a convolution without groups whose kernel is zero between groups, or, with few
    // features each (depthwise), outside matrix units.
    const Arithmetic by_groups = out;
    on_units(cost.operations * shape.batch,
             {.rows = shape.rows, .columns = shape.columns * shape.batch, .depth = shape.depth * shape.batch});
    if (by_groups.seconds < out.seconds) out = by_groups;
    if (const auto vector = device_.vector_rate(cost.type))
      out.seconds = std::min(out.seconds, cost.operations * vector->operations / vector->peak);
    return out;
  }
  if (cost.flops() == 0) return out;
  const auto rate = device_.vector_rate(cost.type);
  if (!rate) {
    out.missing = name_of(cost.type);
    return out;
  }
  if (!rate->emulation.empty()) emulations_.insert(rate->emulation);
  out.seconds = (cost.operations + cost.special * device_.special) * rate->operations / rate->peak;
  return out;
}

KernelCost KernelCosts::of(const Block& block, const FusedBlock& fused, const Kernel& kernel,
                           const AttentionKernels* attention, bool masked) {
  KernelCost out;
  out.launch = device_.launch;
  const double bytes = kernel.bytes();
  if (bytes > 0) out.memory = bytes / (device_.memory_bandwidth * device_.memory_efficiency.at(bytes));
  if (kernel.kind == Kernel::Kind::copy) return out;
  if (kernel.attention && kernel.kind != Kernel::Kind::matrix) out.launch = 0;
  for (const std::size_t i : kernel.ops) {
    const Arithmetic& work = arithmetic(*fused.costs[i]);
    if (!work.missing.empty() && !missing_) missing_ = {work.missing, &block.ops[i]};
    double seconds = work.seconds;
    if (kernel.attention && attention != nullptr) {
      if (attention->efficiency > 0) seconds = work.at_peak / attention->efficiency;
      if (masked && attention->skips_masked) seconds /= 2;
    }
    out.compute += seconds;
    out.matrix_flops += work.matrix_flops;
    out.matrix_peak = std::max(out.matrix_peak, work.matrix_peak);
  }
  return out;
}

}  // namespace partir
