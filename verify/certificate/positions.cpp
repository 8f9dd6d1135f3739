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
  if (op.results.size() != 1 || !op.regions.empty() || !f.type(op.results[0]).is_tensor()) return false;
  const TensorType& type = f.tensor(op.results[0]);
  if (type.rank() > 1 || !is_integer(type.element) || bit_width(type.element) < 32) return false;
  const auto fits = [](std::int64_t v) { return v >= 0 && v < (std::int64_t{1} << 31); };
  constexpr std::int64_t kMostEntries = 1 << 16;
  if (op.name() == "stablehlo.constant" && type.rank() == 1 && type.elements() <= kMostEntries) {
    const DenseAttr* dense = partir::find(op.attributes, "value")->as<DenseAttr>();
    if (dense == nullptr) return false;
    Values table;
    for (std::int64_t k = 0; k < type.elements(); ++k) table.push_back(dense->literal->as_int(k));
    tables_[op.results[0]] = std::move(table);
    return true;
  }
  auto out = type.elements() == 1 ? integers(op) : std::nullopt;
  if (!out || !std::all_of(out->begin(), out->end(), fits)) return false;
  known_[op.results[0]] = std::move(*out);
  return true;
}

std::optional<Positions::Values> Positions::integers(const Op& op) const {
  const auto devices = static_cast<std::size_t>(devices_);
  const auto operand = [&](std::size_t k) { return k < op.operands.size() ? find(op.operands[k]) : nullptr; };
  Values out(devices);
  if (op.name() == "stablehlo.partition_id") {
    for (std::size_t d = 0; d < devices; ++d) out[d] = static_cast<std::int64_t>(d);
    return out;
  }
  if (op.name() == "stablehlo.constant") {
    const DenseAttr* dense = partir::find(op.attributes, "value")->as<DenseAttr>();
    if (dense == nullptr) return std::nullopt;
    std::fill(out.begin(), out.end(), dense->literal->as_int(0));
    return out;
  }
  // Both sides have one element and a type that represents the integer, so its value is unchanged.
  if (op.name() == "stablehlo.reshape" || op.name() == "stablehlo.convert")
    return operand(0) != nullptr ? std::optional(*operand(0)) : std::nullopt;
  if (op.name() == "stablehlo.dynamic_slice") {
    const auto table = tables_.find(op.operands[0]);
    const Values* at = operand(1);
    if (table == tables_.end() || table->second.empty() || at == nullptr) return std::nullopt;
    const auto last = static_cast<std::int64_t>(table->second.size()) - 1;
    for (std::size_t d = 0; d < devices; ++d)
      out[d] = table->second[static_cast<std::size_t>(std::min((*at)[d], last))];
    return out;
  }
  if (op.operands.size() != 2 || operand(0) == nullptr || operand(1) == nullptr) return std::nullopt;
  for (std::size_t d = 0; d < devices; ++d) {
    const auto value = computed(op.name(), (*operand(0))[d], (*operand(1))[d]);
    if (!value) return std::nullopt;
    out[d] = *value;
  }
  return out;
}

const std::vector<std::int64_t>* Positions::find(ValueId value) const {
  const auto it = known_.find(value);
  return it == known_.end() ? nullptr : &it->second;
}

}  // namespace partir
