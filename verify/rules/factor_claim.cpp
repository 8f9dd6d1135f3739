// Writes the claims for a factor of a sharding rule (factor_claim.h).
#include "verify/rules/factor_claim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/ops/common.h"
#include "verify/rules/symbolic_op.h"

namespace partir::rules {
namespace {

/// Returns the action that tiles the dimension of a tensor that has the factor (#any if there is none). Adds the
/// factors listed before it in that dimension to `before`.
Action action_on(const TensorFactors& tensor, FactorIndex factor, std::vector<FactorIndex>& before) {
  for (Dim d = 0; d < tensor.size(); ++d) {
    const auto it = std::find(tensor[d].begin(), tensor[d].end(), factor);
    if (it == tensor[d].end()) continue;
    for (auto other = tensor[d].begin(); other != it; ++other) {
      if (std::find(before.begin(), before.end(), *other) == before.end()) before.push_back(*other);
    }
    return Action::tile(d);
  }
  return Action::any();
}

/// Returns the monoids that may combine the results of a reduction: the operation's own, or else sum, then all others.
std::vector<Monoid> monoids_of(const OpInstance& op) {
  std::vector<Monoid> out = {op.monoid().value_or(Monoid::sum)};
  for (const Monoid m : ops::kMonoids) {
    if (m != out[0]) out.push_back(m);
  }
  return out;
}

bool combines_all(Monoid m, const OpInstance& op) {
  return std::all_of(op.results.begin(), op.results.end(), [&](const Type& t) { return ops::combines(m, t->element); });
}

std::string claim_text(const OpInstance& op, const SymbolicOp& s, const Entry& entry, FactorIndex factor) {
  std::string arguments;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    if (s.is_constant[k]) continue;
    arguments +=
        fmt::format("{}%x{}: {} {}", arguments.empty() ? "" : ", ", k, s.operand_types[k], entry.operands[k].str());
  }
  std::string results;
  for (std::size_t k = 0; k < op.results.size(); ++k)
    results += fmt::format("{}{} {}", k == 0 ? "" : ", ", s.result_types[k], entry.results[k].str());
  const std::string where = s.where.empty() ? "" : fmt::format("where {} ", fmt::join(s.where, ", "));
  return fmt::format("entry @{} tiles {} {}({}) -> ({}) {{\n{}  return {} : {}\n}}\n", factor_name(factor),
                     symbol_name(factor), where, arguments, results, s.body, fmt::join(s.values, ", "),
                     fmt::join(s.result_types, ", "));
}

}  // namespace

std::vector<Reading> readings(const OpInstance& op, const ShardingRule& rule, FactorIndex factor) {
  Reading plain;
  for (const TensorFactors& t : rule.operands) plain.entry.operands.push_back(action_on(t, factor, plain.sharded_away));
  for (const TensorFactors& t : rule.results) plain.entry.results.push_back(action_on(t, factor, plain.sharded_away));
  if (op.decl->meaning == nullptr || !has_meaning(op)) {
    plain.reason = op.decl->name + " has no meaning in index notation";
    return {plain};
  }
  const auto s = symbolic_op(op, rule, factor, plain.sharded_away);
  if (!s) {
    plain.reason = fmt::format(
        "the rule does not say which part of a dimension the factor is ({} is well-formed at no "
        "other sizes of it)",
        op.decl->name);
    return {plain};
  }
  const auto write = [&](Reading& r) { r.claim = claim_text(op, *s, r.entry, factor); };
  if (rule.kind(factor) != FactorKind::reduction) {
    write(plain);
    return {plain};
  }
  std::vector<Reading> out;
  for (const Monoid m : monoids_of(op)) {
    if (!combines_all(m, op)) continue;
    Reading r = plain;
    for (Action& a : r.entry.results) a = Action::partial(m);
    write(r);
    out.push_back(std::move(r));
  }
  if (!out.empty()) return out;
  plain.reason = "no monoid combines results of these types";
  return {plain};
}

}  // namespace partir::rules
