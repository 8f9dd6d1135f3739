#include "verify/validate/signs.h"

#include <algorithm>
#include <unordered_map>

#include "ir/float_format.h"
#include "ir/op_decl.h"

namespace partir::validate {
namespace {

Sign least(const std::vector<Sign>& of) { return of.empty() ? Sign::any : *std::min_element(of.begin(), of.end()); }
Sign greatest(const std::vector<Sign>& of) { return of.empty() ? Sign::any : *std::max_element(of.begin(), of.end()); }

Sign of_literal(const Literal& l) {
  const std::int64_t count = l.splat ? 1 : l.type.elements();
  Sign out = Sign::positive;
  for (std::int64_t k = 0; k < count; ++k) {
    const double v = l.as_double(k);
    out = std::min(out, v > 0 ? Sign::positive : v == 0 ? Sign::not_negative : Sign::any);
  }
  return out;
}

enum class Rule : std::uint8_t { same, sum, product, quotient, maximum, positive, not_negative, root, first, convert };

const std::unordered_map<std::string, Rule>& rules() {
  static const std::unordered_map<std::string, Rule> table = {{"stablehlo.exponential", Rule::positive},
                                                              {"stablehlo.logistic", Rule::positive},
                                                              {"stablehlo.abs", Rule::not_negative},
                                                              {"stablehlo.add", Rule::sum},
                                                              {"stablehlo.multiply", Rule::product},
                                                              {"stablehlo.divide", Rule::quotient},
                                                              {"stablehlo.maximum", Rule::maximum},
                                                              {"stablehlo.minimum", Rule::same},
                                                              {"stablehlo.sqrt", Rule::root},
                                                              {"stablehlo.rsqrt", Rule::root},
                                                              {"stablehlo.broadcast_in_dim", Rule::same},
                                                              {"stablehlo.reshape", Rule::same},
                                                              {"stablehlo.transpose", Rule::same},
                                                              {"stablehlo.reverse", Rule::same},
                                                              {"stablehlo.slice", Rule::same},
                                                              {"stablehlo.concatenate", Rule::same},
                                                              {"stablehlo.pad", Rule::same},
                                                              {"stablehlo.convert", Rule::convert},
                                                              {"stablehlo.dynamic_slice", Rule::first},
                                                              {"stablehlo.gather", Rule::first},
                                                              {"stablehlo.optimization_barrier", Rule::same},
                                                              {"sdy.sharding_constraint", Rule::same}};
  return table;
}

}  // namespace

std::optional<std::string> accuracy_of(const Op& op) {
  const Attribute* asked = find(op.attributes, "result_accuracy");
  if (asked == nullptr) return std::nullopt;
  std::string text = asked->str();
  if (text.find("mode<DEFAULT>") != std::string::npos) return std::nullopt;
  return op.name() + " with the accuracy " + std::move(text);
}

Sign sign_of_results(const Function& function, const Op& op, const std::vector<Sign>& operands) {
  if (op.results.size() != 1 || !function.type(op.results[0]).is_tensor() ||
      !is_float(function.tensor(op.results[0]).element) || accuracy_of(op))
    return Sign::any;
  if (op.name() == "stablehlo.constant") {
    const Attribute* value = find(op.attributes, "value");
    const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
    return dense != nullptr ? of_literal(*dense->literal) : Sign::any;
  }
  if (op.name() == "stablehlo.select") return std::min(operands[1], operands[2]);
  const Collective& exchange = op.decl->collective;
  const bool collective = exchange.kind.has_value();
  if (collective && !exchange.combines)  // zeros where nothing comes
    return exchange.may_leave_zeros() ? std::min(operands[0], Sign::not_negative) : operands[0];
  if (op.name() == "stablehlo.reduce" || (collective && !exchange.may_leave_zeros())) {
    const auto monoid = instance_of(function, op).monoid();
    if (function.tensor(op.operands[0]).elements() == 0) return Sign::any;
    const Sign init = collective ? operands[0] : operands[1];
    if (monoid == Monoid::sum) return least(operands) == Sign::any ? Sign::any : std::max(operands[0], init);
    if (monoid == Monoid::max) return collective ? operands[0] : greatest(operands);
    if (monoid == Monoid::prod || monoid == Monoid::min) return least(operands);
    return Sign::any;
  }
  const auto it = rules().find(op.name());
  if (it == rules().end()) return Sign::any;
  switch (it->second) {
    case Rule::positive: return Sign::positive;
    case Rule::not_negative: return std::max(operands[0], Sign::not_negative);
    case Rule::sum: return least(operands) == Sign::any ? Sign::any : greatest(operands);
    case Rule::product:
      if (op.operands[0] == op.operands[1]) return std::max(operands[0], Sign::not_negative);
      return least(operands);
    case Rule::quotient: return operands[1] == Sign::positive ? operands[0] : Sign::any;
    case Rule::maximum: return greatest(operands);
    case Rule::root:
    case Rule::first: return operands[0];
    case Rule::convert: {
      // A positive number that the type does not represent may be rounded to zero.
      if (operands[0] != Sign::positive) return operands[0];
      const auto type = [&](ValueId v) { return function.tensor(v).element; };
      return holds_all_of(type(op.results[0]), type(op.operands[0])) ? Sign::positive : Sign::not_negative;
    }
    case Rule::same: return least(operands);
  }
  return Sign::any;
}

}  // namespace partir::validate
