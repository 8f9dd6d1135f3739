// Decides which trials of a claim are meaningful: those in which no operation of the source leaves its domain or
// overflows (trial.h).
#include <algorithm>
#include <cmath>
#include <map>

#include "ir/op_decl.h"
#include "verify/prove/trial.h"

namespace partir::prove {
namespace {

/// True if an integer is divided by 0, or the least integer by -1.
bool divides_badly(const Tensor& a, const Tensor& b) {
  const ElementType type = b.type->element;
  const auto is = [&](const Scalar& s, std::int64_t value) {
    return trial_domain().equal(s, trial_domain().from_index(value, type), type);
  };
  for (std::size_t k = 0; k < b.data.size(); ++k) {
    if (is(b.data[k], 0)) return true;
    if (!is_signed(type) || !is(b.data[k], -1)) continue;
    if (a.data[k].i == wrap(std::uint64_t{1} << (bit_width(type) - 1), type)) return true;
  }
  return false;
}

/// True if an operation's results are numbers if its operands are. Infinities may only come from constants.
bool stays_in_domain(const Op& op, const std::map<ValueId, const Tensor*>& of) {
  const bool divides = op.name() == "stablehlo.divide" || op.name() == "stablehlo.remainder";
  if (divides && is_integer(of.at(op.operands[1])->type->element) &&
      divides_badly(*of.at(op.operands[0]), *of.at(op.operands[1])))
    return false;
  const bool finite = std::all_of(op.operands.begin(), op.operands.end(),
                                  [&](ValueId v) { return of.contains(v) && is_finite(*of.at(v)); });
  return std::all_of(op.results.begin(), op.results.end(), [&](ValueId v) {
    const Tensor& t = *of.at(v);
    if (is_finite(t)) return true;
    if ((finite && !op.operands.empty()) || !is_float(t.type->element)) return false;
    return std::none_of(t.data.begin(), t.data.end(), [](const Scalar& s) { return std::isnan(s.f); });
  });
}

/// True if an operation applies a function that is not defined everywhere.
bool has_partial_function(const Function& f, const Op& op) {
  const OpInstance instance = instance_of(f, op);
  if (!has_meaning(instance)) return true;
  const Meaning meaning = meaning_of(instance);
  return std::any_of(meaning.scalars.begin(), meaning.scalars.end(), [](const ScalarTerm& t) {
    return t.kind == ScalarTerm::Kind::apply && real_laws_of(t.fn).domain == RealLaws::Domain::part;
  });
}

/// True if `holds` for every operation, with its values, on every device. Also true if the function cannot be run.
template <class Holds>
bool all_operations(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices,
                    const Holds& holds) {
  Function traced = function;
  Op& end = traced.body.ops.back();
  end.operands.clear();
  for (std::size_t o = 0; o + 1 < traced.body.ops.size(); ++o) {
    const Op& op = traced.body.ops[o];
    end.operands.insert(end.operands.end(), op.results.begin(), op.results.end());
  }
  const auto values = run_spmd(traced, inputs, devices, trial_domain());
  if (!values) return true;
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    std::map<ValueId, const Tensor*> of;
    for (std::size_t k = 0; k < inputs[d].size(); ++k) of[traced.arguments()[k]] = &inputs[d][k];
    for (std::size_t k = 0; k < (*values)[d].size(); ++k) of[end.operands[k]] = &(*values)[d][k];
    const auto& ops = traced.body.ops;
    if (!std::all_of(ops.begin(), ops.end() - 1, [&](const Op& op) { return holds(op, of); })) return false;
  }
  return true;
}

}  // namespace

bool stays_in_domains(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                      const Devices& devices) {
  return all_operations(function, inputs, devices, stays_in_domain);
}

bool overflows(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices) {
  return !all_operations(function, inputs, devices, [&](const Op& op, const std::map<ValueId, const Tensor*>& of) {
    const auto finite = [&](ValueId v) { return is_finite(*of.at(v)); };
    if (op.operands.empty() || !std::all_of(op.operands.begin(), op.operands.end(), finite)) return true;
    return std::all_of(op.results.begin(), op.results.end(), finite) || has_partial_function(function, op);
  });
}

bool has_finite_result(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                       const Devices& devices) {
  const auto results = run_spmd(function, inputs, devices, native_domain());
  if (!results) return true;
  return std::any_of(results->begin(), results->end(),
                     [](const auto& device) { return std::any_of(device.begin(), device.end(), is_finite); });
}

}  // namespace partir::prove
