#include "verify/certificate/positions.h"

#include <algorithm>

#include "ir/op_decl.h"

namespace partir {
namespace {

std::optional<std::int64_t> computed(const std::string& name, std::int64_t a, std::int64_t b) {
  if (name == "stablehlo.add") return a + b;
  if (name == "stablehlo.subtract") return a - b;
  if (name == "stablehlo.multiply") return a * b;
  if (b == 0) return std::nullopt;
  if (name == "stablehlo.divide") return a / b;
  if (name == "stablehlo.remainder") return a % b;
  return std::nullopt;
}

}  // namespace

bool Positions::follow(const Function& f, const Op& op) {
  if (op.results.size() != 1 || !op.regions.empty()) return false;
  if (!f.type(op.results[0]).is_tensor()) return false;
  const TensorType& type = f.tensor(op.results[0]);
  if (type.rank() != 0 || !is_integer(type.element) || bit_width(type.element) < 32) return false;
  std::vector<std::int64_t> out(static_cast<std::size_t>(devices_));
  if (op.name() == "stablehlo.partition_id") {
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = static_cast<std::int64_t>(d);
  } else if (op.name() == "stablehlo.constant") {
    const DenseAttr* dense = partir::find(op.attributes, "value")->as<DenseAttr>();
    if (dense == nullptr) return false;
    std::fill(out.begin(), out.end(), dense->literal->as_int(0));
  } else {
    if (op.operands.size() != 2) return false;
    const auto* a = find(op.operands[0]);
    const auto* b = find(op.operands[1]);
    if (a == nullptr || b == nullptr) return false;
    for (std::size_t d = 0; d < out.size(); ++d) {
      const auto value = computed(op.name(), (*a)[d], (*b)[d]);
      if (!value) return false;
      out[d] = *value;
    }
  }
  const auto fits = [](std::int64_t v) { return v >= 0 && v < (std::int64_t{1} << 31); };
  if (!std::all_of(out.begin(), out.end(), fits)) return false;
  known_[op.results[0]] = std::move(out);
  return true;
}

const std::vector<std::int64_t>* Positions::find(ValueId value) const {
  const auto it = known_.find(value);
  return it == known_.end() ? nullptr : &it->second;
}

}  // namespace partir
