#include "search/bound.h"

#include <algorithm>
#include <limits>

#include "ir/control_flow.h"
#include "simulate/operation_cost.h"

namespace partir {
namespace {

class Bound {
 public:
  Bound(const State& state, const Device& device, const Software& software)
      : s_(state), device_(device), software_(software), trips_(state.function()) {}

  double block(const Block& block) {
    double out = 0;
    for (const Op& op : block.ops) {
      if (is_matrix(op)) out += product(op);
      if (!runs_regions(op)) continue;
      std::vector<double> regions;
      for (const Block& b : op.regions) regions.push_back(this->block(b));
      if (op.name() == "stablehlo.while") {
        for (const double seconds : regions) out += seconds * static_cast<double>(trips_.of(op).value_or(1));
      } else if (!regions.empty()) {
        out += *std::min_element(regions.begin(), regions.end());
      }
    }
    return out;
  }

 private:
  /// The numbers of parts into which axes can divide the operation: products of sizes of axes that some entry accepts.
  std::vector<double> divisions(const Op& op) {
    std::vector<double> out{1};
    const Form& form = s_.global_form(s_.site_of(op.id));
    for (const auto& axis : s_.mesh().axes()) {
      // A tactic may pad a dimension that the axis does not divide, if each device has two positions of it.
      const auto takes = [&](const Entry& e) {
        bool tiles = false;
        bool is_even = true;
        bool is_small = false;
        for (std::size_t k = 0; k < e.operands.size(); ++k) {
          if (!e.operands[k].is_tile()) continue;
          tiles = true;
          const std::int64_t size = s_.function().type(op.operands[k])->dims[e.operands[k].dim];
          is_even = is_even && size % axis.size == 0;
          is_small = is_small || size < 2 * axis.size;
        }
        if (!tiles || e.has_partial_operand()) return false;
        return is_even ? form.localized(e, axis.size) != nullptr : !is_small;
      };
      if (std::none_of(form.entries().begin(), form.entries().end(), takes)) continue;
      const std::size_t count = out.size();
      for (std::size_t k = 0; k < count; ++k) out.push_back(out[k] * static_cast<double>(axis.size));
    }
    return out;
  }

  double product(const Op& op) {
    const OperationCost& cost = costs_.of(s_.function(), op);
    if (!cost.matrix) return 0;
    const auto rate = device_.matrix_rate(cost.matrix->numbers, cost.matrix->precision);
    if (!rate) return 0;
    double argument_bytes = 0;  // bytes of operands that are arguments, which no kernel of the step computes
    for (const ValueId v : op.operands) {
      if (s_.argument_number(v)) argument_bytes += static_cast<double>(s_.function().type(v).bytes());
    }
    const double products = device_.sustained * software_.products_on(device_.name);
    const AttentionKernels* attention = software_.attention_on(device_.name);
    double best = std::numeric_limits<double>::infinity();
    for (const double parts : divisions(op)) {
      const double flops = cost.operations / parts;
      const double at_peak = flops * rate->operations / rate->peak;
      double seconds = at_peak / (rate->on_vector_units ? products : device_.matrix_efficiency.at(flops) * products);
      if (attention != nullptr) {
        if (attention->efficiency > 0) seconds = std::min(seconds, at_peak / attention->efficiency);
        if (attention->skips_masked) seconds /= 2;
      }
      best = std::min(best, seconds);
    }
    const double read = argument_bytes / static_cast<double>(s_.mesh().devices());
    return std::max(best, read / device_.memory_bandwidth) + device_.launch;
  }

  const State& s_;
  const Device& device_;
  const Software& software_;
  TripCounts trips_;
  OperationCosts costs_;
};

}  // namespace

double lower_bound_seconds(const State& state, const Device& device, const Software& software) {
  return Bound(state, device, software).block(state.function().body);
}

}  // namespace partir
