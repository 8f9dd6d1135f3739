#include "simulate/kernel_cost.h"

#include <algorithm>
#include <cmath>

#include "ir/ops/convolution_numbers.h"

namespace partir {
namespace {

double padded(double size, std::int64_t tile) {
  const auto t = static_cast<double>(tile);
  return std::ceil(size / t) * t / size;
}

std::string precision_of(const Op& op) {
  const Attribute* config = find(op.attributes, "precision_config");
  const std::string text = config != nullptr ? config->str() : "";
  if (text.find("HIGHEST") != std::string::npos) return "HIGHEST";
  return text.find("HIGH") != std::string::npos ? "HIGH" : "DEFAULT";
}

}  // namespace

MatrixShape matrix_shape(const Function& function, const Op& op, double flops) {
  MatrixShape out;
  const auto elements = [&](ValueId v) { return std::max(1.0, static_cast<double>(function.type(v).elements())); };
  const double result = elements(op.results[0]);
  out.depth = std::max(1.0, flops / (2 * result));
  if (op.name() == "stablehlo.convolution") {
    const auto numbers = ops::convolution_numbers(instance_of(function, op));
    if (numbers)
      out.columns = std::max(1.0, static_cast<double>(function.type(op.results[0]).dims.at(numbers->out.second)));
    out.rows = result / out.columns;
    return out;
  }
  const Attribute* dims = find(op.attributes, "lhs_batching_dimensions");
  if (const IntsAttr* batching = dims != nullptr ? dims->as<IntsAttr>() : nullptr) {
    for (const std::int64_t d : batching->values)
      out.batch *=
          std::max(1.0, static_cast<double>(function.type(op.operands[0]).dims.at(static_cast<std::size_t>(d))));
  }
  out.rows = std::max(1.0, elements(op.operands[0]) / (out.batch * out.depth));
  out.columns = std::max(1.0, elements(op.operands[1]) / (out.batch * out.depth));
  return out;
}

KernelCost cost_of(const Function& function, const Block& block, const Kernel& kernel, const Device& device) {
  KernelCost out;
  out.launch = device.launch;
  const double bytes = kernel.bytes();
  if (bytes > 0) out.memory = bytes / (device.memory_bandwidth * device.memory_efficiency.at(bytes));
  const Op& first = block.ops[kernel.ops[0]];
  if (kernel.kind == Kernel::Kind::matrix) {
    out.matrix_flops = kernel.flops;
    out.matrix_type = function.type(first.operands[0]).element;
    out.matrix_peak = device.peak(out.matrix_type, precision_of(first));
    const MatrixShape s = matrix_shape(function, first, kernel.flops);
    // Either operand may be the one that stays in the matrix unit.
    const double padding =
        padded(s.depth, device.tile[2]) * std::min(padded(s.rows, device.tile[0]) * padded(s.columns, device.tile[1]),
                                                   padded(s.rows, device.tile[1]) * padded(s.columns, device.tile[0]));
    if (kernel.flops > 0)
      out.compute = kernel.flops * padding / (out.matrix_peak * device.matrix_efficiency.at(kernel.flops));
    return out;
  }
  ElementType type = ElementType::f32;
  for (const std::size_t i : kernel.ops) {
    for (const ValueId v : block.ops[i].results) {
      if (is_float(function.type(v).element)) type = function.type(v).element;
    }
  }
  out.compute = kernel.flops / device.vector(type);
  return out;
}

}  // namespace partir
