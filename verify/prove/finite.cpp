// Abstract interpretation of canonical forms over the set {finite, -inf, inf, NaN} (finite.h). Constant subterms are
// evaluated.
#include "verify/prove/finite.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "ir/float_format.h"
#include "ir/ops/common.h"
#include "semantics/domain.h"
#include "verify/prove/expr_detail.h"

namespace partir::prove {
namespace {

using Value = std::complex<double>;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool has_non_finite(ElementType type) { return is_float(type) || is_complex(type); }

NonFinite of_value(const Value& v, ElementType type) {
  if (std::isfinite(v.real()) && std::isfinite(v.imag())) return {};
  if (is_complex(type)) return NonFinite::any();
  return {v.real() < 0, v.real() > 0, std::isnan(v.real())};
}

Value value_of(const Literal& l) { return is_float(l.type.element) ? Value(l.as_double(0)) : l.as_complex(0); }

/// Applies a function to concrete numbers in the program's own types.
std::optional<Value> applied_to(const Factor& f, const std::vector<Value>& args) {
  std::vector<Scalar> scalars(args.size());
  std::vector<const Scalar*> at;
  for (std::size_t k = 0; k < args.size(); ++k) {
    const ElementType type = f.args[k]->type;
    if (is_integer(type)) {
      scalars[k] = native_domain().from_index(
          wrap(static_cast<std::uint64_t>(static_cast<std::int64_t>(args[k].real())), type), type);
    } else {
      scalars[k].f = args[k].real();
      scalars[k].im = args[k].imag();
    }
    at.push_back(&scalars[k]);
  }
  Scalar out;
  native_domain().apply(f.fn, f.args[0]->type, f.type, at.data(), 1, &out);
  return native_domain().to_complex(out, f.type);
}

std::optional<Value> constant_of(const Expr& e);

/// Returns the approximate value of a constant factor; nothing for others.
std::optional<Value> constant_of(const Factor& f) {
  if (is(f, Symbol::lowest)) return -kInfinite;
  if (is(f, Symbol::highest)) return kInfinite;
  if (is(f, Symbol::literal)) return value_of(*f.literal);
  if (f.kind != Factor::Kind::apply || !has_non_finite(f.type)) return std::nullopt;
  const bool reciprocal = f.symbol == Symbol::reciprocal;
  if (f.symbol != Symbol::function && !reciprocal) return std::nullopt;
  std::vector<Value> args;
  for (const ExprPtr& arg : f.args) {
    const auto value = is_number(arg->type) ? constant_of(*arg) : std::nullopt;
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  if (reciprocal) return args[0] == 0.0 ? Value(kInfinite) : 1.0 / args[0];
  return applied_to(f, args);
}

std::optional<Value> constant_of(const Expr& e) {
  Value sum = 0;
  for (const Term& t : e.terms) {
    if (!t.ranges.empty()) return std::nullopt;
    Value product = static_cast<double>(t.coefficient);
    for (const Factor& f : t.factors) {
      const auto value = constant_of(f);
      if (!value) return std::nullopt;
      product *= *value;
    }
    sum += product;
  }
  return sum;
}

/// An index as a float may overflow: narrow formats end below 2^17.
NonFinite of_index(const Factor& f, Context& c) {
  if (!is_float(f.type)) return {};
  const FloatFormat& format = float_format(f.type);
  if (format.exponent_bits >= 8 || format.special == FloatFormat::Special::finite) return {};
  std::int64_t held = 1;
  while (std::isfinite(round_to(static_cast<double>(2 * held), f.type))) held *= 2;
  const Poly& p = f.indices[0];
  return c.non_negative(Poly(held) - p) && c.non_negative(p + Poly(held)) ? NonFinite{} : NonFinite::any();
}

NonFinite negative(NonFinite x) { return {x.highest, x.lowest, x.nan}; }

NonFinite of_sum(NonFinite a, NonFinite b) {
  NonFinite out = a | b;
  out.nan = out.nan || (a.lowest && b.highest) || (a.highest && b.lowest);
  return out;
}

/// Functions of infinities follow their limits; functions not listed here may return anything.
NonFinite of_function(const Factor& f, Context& c) {
  std::vector<NonFinite> args;
  NonFinite all;
  for (const ExprPtr& arg : f.args) {
    args.push_back(non_finite(*arg, c));
    all = all | args.back();
  }
  if (all.none()) {
    const auto value = constant_of(f);
    return value ? of_value(*value, f.type) : NonFinite{};
  }
  if (is_complex(f.type) ||
      std::any_of(f.args.begin(), f.args.end(), [](const ExprPtr& arg) { return is_complex(arg->type); }))
    return NonFinite::any();
  switch (f.fn) {
    case ScalarFn::add: return of_sum(args[0], args[1]);
    case ScalarFn::subtract: return of_sum(args[0], negative(args[1]));
    case ScalarFn::negate: return negative(args[0]);
    case ScalarFn::exponential:
    case ScalarFn::exponential_minus_one: return {false, all.highest, all.nan};
    case ScalarFn::abs: return {false, all.lowest || all.highest, all.nan};
    case ScalarFn::logistic:
    case ScalarFn::tanh:
    case ScalarFn::erf:
    case ScalarFn::erfc:
    case ScalarFn::atan:
    case ScalarFn::sign: return {false, false, all.nan};
    case ScalarFn::floor:
    case ScalarFn::ceil:
    case ScalarFn::round_nearest_afz:
    case ScalarFn::round_nearest_even:
    case ScalarFn::cbrt: return all;
    case ScalarFn::select: return args[1] | args[2];
    case ScalarFn::convert: return ops::converts_monotonically(f.args[0]->type, f.type) ? all : NonFinite::any();
    default: return NonFinite::any();
  }
}

/// A maximum is -inf if all members are, or if it has none; it is inf if one member is.
NonFinite of_fold(const Factor& f, Context& c) {
  NonFinite some;
  bool bounded = false;  // some member exists at all sizes and is never the identity
  for (std::size_t k = 0; k < f.args.size(); ++k) {
    const NonFinite member = non_finite(*f.args[k], c);
    some = some | member;
    Factor alone;
    alone.args = {f.args[k]};
    alone.ranges = {f.ranges[k]};
    alone.conditions = {f.conditions[k]};
    bounded = bounded || (!(f.monoid == Monoid::max ? member.lowest : member.highest) && never_empty(alone, c));
  }
  if (!is_extremum(f)) return some.none() ? some : NonFinite::any();
  (f.monoid == Monoid::max ? some.lowest : some.highest) = !bounded;
  return some;
}

NonFinite of_factor(const Factor& f, Context& c) {
  const auto of_args = [&] {
    return std::all_of(f.args.begin(), f.args.end(), [&](const ExprPtr& arg) { return non_finite(*arg, c).none(); });
  };
  if (!has_non_finite(f.type)) return {};
  switch (f.kind) {
    case Factor::Kind::read:
    case Factor::Kind::guard:
    case Factor::Kind::guard_eq: return {};
    case Factor::Kind::index: return of_index(f, c);
    case Factor::Kind::fold: return of_fold(f, c);
    case Factor::Kind::opaque:
      if (f.symbol == Symbol::dense) return f.number == 0 ? NonFinite{} : NonFinite::any();
      return of_args() ? NonFinite{} : NonFinite::any();
    case Factor::Kind::apply: break;
  }
  switch (f.symbol) {
    case Symbol::lowest: return {true, false, false};
    case Symbol::highest: return {false, true, false};
    case Symbol::literal: return of_value(value_of(*f.literal), f.type);
    case Symbol::function: return of_function(f, c);
    case Symbol::choose: return non_finite(*f.args[1], c) | non_finite(*f.args[2], c);
    case Symbol::reciprocal: {  // defined.h handles operands that are 0 at some indices only
      const auto value = constant_of(f);
      return of_args() && (!value || std::isfinite(value->real())) ? NonFinite{} : NonFinite::any();
    }
    default: return of_args() ? NonFinite{} : NonFinite::any();
  }
}

/// A product of one number and conditions is a choice, as is a sum of choices. Anything else that multiplies an
/// infinity may be 0, which gives NaN.
NonFinite of_term(const Term& t, Context& c) {
  NonFinite out;
  std::size_t numbers = 0;
  for (const Factor& f : t.factors) {
    numbers += is_choice(f) ? 0 : 1;
    out = out | of_factor(f, c);
  }
  return out.none() || (numbers == 1 && t.ranges.empty()) ? out : NonFinite::any();
}

}  // namespace

NonFinite non_finite(const Expr& e, Context& c) {
  NonFinite out;
  if (!has_non_finite(e.type)) return out;
  for (const Term& t : e.terms) out = out | of_term(t, c);
  return out;
}

bool may(Law law, ElementType type, std::initializer_list<const Expr*> operands, Context& c) {
  const bool finite = !has_non_finite(type) || std::all_of(operands.begin(), operands.end(), [&](const Expr* e) {
    return e->type == ElementType::index || non_finite(*e, c).none();
  });
  return finite && c.may_of_finite(law, type);
}

}  // namespace partir::prove
