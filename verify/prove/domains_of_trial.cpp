// Decides which trials of a claim are meaningful: those in which no operation of the source leaves its domain or
// overflows (trial.h).
#include <algorithm>
#include <cmath>

#include "ir/continuity.h"
#include "ir/op_decl.h"
#include "semantics/interpreter.h"
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

bool are_finite(const std::vector<const Tensor*>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const Tensor* t) { return is_finite(*t); });
}

/// True if an operation divides integers by 0, or overflows in a division.
bool divides_integers_badly(const Op& op, const std::vector<const Tensor*>& operands) {
  const bool divides = op.name() == "stablehlo.divide" || op.name() == "stablehlo.remainder";
  return divides && is_integer(operands[1]->type->element) && divides_badly(*operands[0], *operands[1]);
}

/// True if an operation's results are numbers if its operands are, and integers are not divided by zero.
bool stays_in_real_domain(const Op& op, const std::vector<const Tensor*>& operands,
                          const std::vector<Tensor>& results) {
  if (divides_integers_badly(op, operands)) return false;
  return operands.empty() || !are_finite(operands) || std::all_of(results.begin(), results.end(), is_finite);
}

/// Likewise, and a NaN is not a number either where operands are infinite. (Infinities may come from constants.)
bool stays_in_domain(const Op& op, const std::vector<const Tensor*>& operands, const std::vector<Tensor>& results) {
  return stays_in_real_domain(op, operands, results) &&
         std::all_of(results.begin(), results.end(), [](const Tensor& t) {
           if (is_finite(t)) return true;
           return is_float(t.type->element) &&
                  std::none_of(t.data.begin(), t.data.end(), [](const Scalar& s) { return std::isnan(s.f); });
         });
}

/// True if an operation divides numbers, none of them by 0: every quotient is defined, but may overflow.
bool divides_by_no_zero(const Op& op, const std::vector<const Tensor*>& operands) {
  if (op.name() != "stablehlo.divide" || !is_float(operands[1]->type->element)) return false;
  const auto& divisors = operands[1]->data;
  return std::none_of(divisors.begin(), divisors.end(), [](const Scalar& s) { return s.f == 0; });
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

/// True if the function is exact for complex numbers whose parts are small integers.
bool is_exact_on_integers(ScalarFn fn) {
  const bool divides = fn == ScalarFn::divide || fn == ScalarFn::abs || fn == ScalarFn::sign;
  return !divides && rounding_of(fn) != Rounding::several;
}

/// Notes which functions of complex numbers a block applies.
void note_complex(const Function& f, const Block& block, bool& rounds, bool& jumps) {
  for (const Op& op : block.ops) {
    for (const Block& inner : op.regions) note_complex(f, inner, rounds, jumps);
    const OpInstance instance = instance_of(f, op);
    if (!has_meaning(instance)) continue;
    const Meaning meaning = meaning_of(instance);
    for (const ScalarTerm& t : meaning.scalars) {
      if (t.kind != ScalarTerm::Kind::apply) continue;
      const ElementType in = meaning.at(t.args[0]).type;
      if (!is_complex(in)) continue;
      rounds = rounds || !is_exact_on_integers(t.fn);
      jumps = jumps || continuity_of(t.fn, in, t.type) != Continuity::continuous;
    }
  }
}

/// True if `holds` for every operation that a device executes, also in loops. Also true if the function cannot be run.
template <class Holds>
bool all_operations(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices,
                    const Holds& holds) {
  bool all = true;
  const auto results = PreparedFunction(function, trial_domain())
                           .run_spmd(inputs, devices, 0,
                                     [&](const Op& op, const std::vector<const Tensor*>& operands,
                                         const std::vector<Tensor>& of) { all = all && holds(op, operands, of); });
  return !results || all;
}

}  // namespace

bool stays_in_domains(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                      const Devices& devices) {
  return all_operations(function, inputs, devices, stays_in_domain);
}

bool stays_in_real_domains(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                           const Devices& devices) {
  return all_operations(function, inputs, devices, stays_in_real_domain);
}

bool overflows(const Function& function, const std::vector<std::vector<Tensor>>& inputs, const Devices& devices) {
  return !all_operations(
      function, inputs, devices,
      [&](const Op& op, const std::vector<const Tensor*>& operands, const std::vector<Tensor>& results) {
        if (operands.empty() || !are_finite(operands)) return true;
        if (std::all_of(results.begin(), results.end(), is_finite)) return true;
        return !divides_by_no_zero(op, operands) && has_partial_function(function, op);
      });
}

bool is_decided_by_complex_rounding(const Function& function) {
  bool rounds = false;
  bool jumps = false;
  note_complex(function, function.body, rounds, jumps);
  return rounds && jumps;
}

bool has_finite_result(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                       const Devices& devices) {
  const auto results = run_spmd(function, inputs, devices, native_domain());
  if (!results) return true;
  return std::any_of(results->begin(), results->end(),
                     [](const auto& device) { return std::any_of(device.begin(), device.end(), is_finite); });
}

}  // namespace partir::prove
