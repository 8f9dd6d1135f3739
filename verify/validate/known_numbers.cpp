// Functions of known numbers: computed where the program's own result is certain, in whatever precision and order the
// machine computes.
#include <array>
#include <cmath>

#include "ir/float_format.h"
#include "semantics/domain.h"
#include "verify/validate/algebra.h"

namespace partir::validate {

Element from_double(double v) {
  if (std::isnan(v)) return Element::special(Special::nan);
  if (std::isinf(v)) return Element::special(v > 0 ? Special::plus_infinity : Special::minus_infinity);
  return Element::number(v);
}

namespace {

/// The result of a function of known numbers as a known element, if the type represents it exactly. A number too large
/// for the type becomes the infinity that the program computes. Nothing if the type would round it: it then stays an
/// unknown real number.
std::optional<Element> of_type(double value, ElementType type) {
  const double rounded = round_to(value, type);
  if (rounded == value) return Element::number(value);
  if (std::isnan(rounded)) return Element::special(Special::nan);
  if (std::isinf(rounded)) return Element::special(rounded > 0 ? Special::plus_infinity : Special::minus_infinity);
  return std::nullopt;
}

bool is_exact_product(double a, double b, ElementType type) {
  const double p = a * b;
  return std::isfinite(p) && std::fma(a, b, -p) == 0 && round_to(p, type) == p;
}

double as_double(Element e) {
  if (e.is(Element::Kind::number)) return e.as_number();
  if (e.is(Special::minus_infinity)) return -HUGE_VAL;
  if (e.is(Special::plus_infinity)) return HUGE_VAL;
  return std::nan("");
}

}  // namespace

std::optional<Element> Algebra::concrete(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args) {
  if (is_complex(in) || is_complex(type)) return std::nullopt;
  std::array<Scalar, 3> scalars;
  std::array<const Scalar*, 3> pointers{};
  bool any_special = false;
  for (std::size_t k = 0; k < args.size(); ++k) {
    if (args[k].is(Element::Kind::integer))
      scalars[k].i = args[k].as_int();
    else if (is_float(in))
      scalars[k].f = as_double(args[k]);
    else
      return std::nullopt;
    any_special = any_special || args[k].is(Element::Kind::special);
    pointers[k] = &scalars[k];
  }
  Scalar out;
  if (!is_float(in)) {
    if (!is_integer(in) && in != ElementType::i1 && in != ElementType::index) return std::nullopt;
    if (fn == ScalarFn::bitcast && is_float(type)) {
      native_domain().apply(fn, in, type, pointers.data(), 1, &out);
      return from_double(out.f);
    }
    native_domain().apply(fn, in, type, pointers.data(), 1, &out);
    return is_float(type) ? from_double(out.f) : Element::integer(out.i);
  }
  const double a = scalars[0].f;
  const double b = args.size() > 1 ? scalars[1].f : 0;
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::subtract: {
      const double c = fn == ScalarFn::add ? b : -b;
      const double s = a + c;
      if (any_special) return from_double(s);
      if (exact_sum(a, c, s)) return of_type(s, type);
      return std::nullopt;
    }
    case ScalarFn::multiply:
      // Inside a larger operation the machine decides whether a product is rounded.
      if (inside_ > 0 && !any_special && !is_exact_product(a, b, type)) return std::nullopt;
      [[fallthrough]];
    case ScalarFn::divide:
      if (fn == ScalarFn::divide && b == 0) return std::nullopt;  // an infinity by the sign of the zero, or NaN
      if (fn == ScalarFn::divide && inside_ > 0 && !any_special && !is_exact_product(a / b, b, type))
        return std::nullopt;
      [[fallthrough]];
    case ScalarFn::convert:
    case ScalarFn::reduce_precision:
    case ScalarFn::bitcast:
    case ScalarFn::order_key:
      // Rounded as by the program or a constant folder: 1 / 768 is not the rational number but the nearest of the type.
      native_domain().apply(fn, in, type, pointers.data(), 1, &out);
      return is_float(type) ? from_double(out.f) : Element::integer(out.i);
    default: break;
  }
  f64_domain().apply(fn, in, type, pointers.data(), 1, &out);
  const bool exact = rounding_of(fn) == Rounding::none;  // so is the double, if the arguments are
  if (!is_float(type)) return exact ? std::optional(Element::integer(out.i)) : std::nullopt;
  if (exact) return from_double(out.f);
  // Results at infinities, and results at 0 and 1 that are exact.
  if (any_special && (std::isinf(out.f) || std::isnan(out.f) || out.f == 0 || out.f == 1 || out.f == -1))
    return from_double(out.f);
  if (any_special) return std::nullopt;
  // Outside its domain the result is an infinity or NaN: log(0), sqrt(-2), atanh(1).
  if (!std::isfinite(out.f) && real_laws_of(fn).domain == RealLaws::Domain::part) return from_double(out.f);
  if (fn == ScalarFn::sqrt && a >= 0 && out.f * out.f == a && std::fma(out.f, out.f, -a) == 0)
    return Element::number(out.f);
  const bool at_zero = a == 0 && (out.f == 0 || out.f == 1 || out.f == 0.5) && args.size() == 1 && std::isfinite(out.f);
  const bool at_one = a == 1 && ((fn == ScalarFn::log && out.f == 0) || (fn == ScalarFn::rsqrt && out.f == 1) ||
                                 (fn == ScalarFn::cbrt && out.f == 1));
  if (at_zero || at_one) return Element::number(out.f);
  return std::nullopt;
}

}  // namespace partir::validate
