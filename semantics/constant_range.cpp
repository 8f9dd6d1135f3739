// Functions that rise or fall are evaluated at the ends of the range (real_laws_of says which do, and where); products
// and quotients at its corners.
#include "semantics/constant_range.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "ir/float_format.h"
#include "ir/ops/common.h"
#include "semantics/domain_native.h"

namespace partir {
namespace {

/// The range of the numbers among these; a NaN is none.
NumberRange spanned(std::initializer_list<double> numbers) {
  NumberRange out;
  for (const double x : numbers) {
    if (!std::isnan(x)) out = hull(out, {x, x});
  }
  return out;
}

double value_at(ScalarFn fn, double x) {
  Scalar argument;
  argument.f = x;
  const Scalar* pointer = &argument;
  Scalar out;
  native_domain().apply(fn, ElementType::f64, ElementType::f64, &pointer, 1, &out);
  return out.f;
}

/// The part of the real numbers on which a function of one number is defined and continuous.
NumberRange domain_of(ScalarFn fn) {
  constexpr double least = std::numeric_limits<double>::denorm_min();
  switch (fn) {
    case ScalarFn::log:
    case ScalarFn::rsqrt: return {least, kUnbounded};
    case ScalarFn::log_plus_one: return {std::nextafter(-1.0, 0.0), kUnbounded};
    case ScalarFn::asin:
    case ScalarFn::acos: return NumberRange::within(1);
    case ScalarFn::acosh: return {1, kUnbounded};
    case ScalarFn::tan: return NumberRange::within(1.5);
    case ScalarFn::erf_inv:
    case ScalarFn::atanh: return {std::nextafter(-1.0, 0.0), std::nextafter(1.0, 0.0)};
    default: return NumberRange::everything();
  }
}

/// A function of one number; nothing if it is not followed.
std::optional<NumberRange> of_unary(ScalarFn fn, const NumberRange& x) {
  switch (fn) {
    case ScalarFn::abs:
      if (x.contains(0)) return NumberRange{0, x.magnitude()};
      return spanned({std::fabs(x.low), std::fabs(x.high)});
    case ScalarFn::multiply:  // chlo.square
      if (x.contains(0)) return NumberRange{0, x.magnitude() * x.magnitude()};
      return spanned({x.low * x.low, x.high * x.high});
    case ScalarFn::cosh:
      if (x.contains(0)) return NumberRange{1, std::cosh(x.magnitude())};
      return spanned({std::cosh(x.low), std::cosh(x.high)});
    case ScalarFn::sine:
    case ScalarFn::cosine: return NumberRange::within(1);
    case ScalarFn::sqrt:  // of a negative number it is NaN
      if (x.high < 0) return NumberRange{};
      return NumberRange{std::sqrt(std::max(x.low, 0.0)), std::sqrt(x.high)};
    case ScalarFn::sign:
    case ScalarFn::logistic:
    case ScalarFn::tanh:
    case ScalarFn::erf:
    case ScalarFn::erfc:
    case ScalarFn::atan:
    case ScalarFn::negate:
    case ScalarFn::exponential:
    case ScalarFn::exponential_minus_one:
    case ScalarFn::log:
    case ScalarFn::log_plus_one:
    case ScalarFn::rsqrt:
    case ScalarFn::cbrt:
    case ScalarFn::floor:
    case ScalarFn::ceil:
    case ScalarFn::round_nearest_afz:
    case ScalarFn::round_nearest_even:
    case ScalarFn::erf_inv:
    case ScalarFn::sinh:
    case ScalarFn::tan:
    case ScalarFn::asin:
    case ScalarFn::acos:
    case ScalarFn::asinh:
    case ScalarFn::acosh:
    case ScalarFn::atanh: {
      const NumberRange domain = domain_of(fn);
      if (x.low < domain.low || x.high > domain.high) return NumberRange::everything();
      return spanned({value_at(fn, x.low), value_at(fn, x.high)});
    }
    default: return std::nullopt;
  }
}

/// A function of two floats; nothing if it is not followed.
std::optional<NumberRange> of_binary(ScalarFn fn, const NumberRange& a, const NumberRange& b) {
  switch (fn) {
    case ScalarFn::add: return NumberRange{a.low + b.low, a.high + b.high};
    case ScalarFn::subtract: return NumberRange{a.low - b.high, a.high - b.low};
    case ScalarFn::multiply: return product(a, b);
    case ScalarFn::divide:
      if (b.contains(0)) return NumberRange::everything();
      return spanned({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
    case ScalarFn::remainder: return NumberRange::within(std::min(a.magnitude(), b.magnitude()));
    case ScalarFn::power:  // exp(b log a)
      if (a.low <= 0) return NumberRange::everything();
      return spanned(
          {std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low), std::pow(a.high, b.high)});
    case ScalarFn::atan2: return NumberRange::within(4);
    default: return std::nullopt;
  }
}

/// The least number of all ones that is not below x, which is at least 0.
double ones_up_to(double x) { return std::exp2(std::floor(std::log2(std::max(x, 0.5))) + 1) - 1; }

/// A function of integers, if none of its results wraps; nothing if it is not followed.
std::optional<NumberRange> of_integers(ScalarFn fn, const std::vector<NumberRange>& x, ElementType type) {
  if (x.size() == 1)
    return fn == ScalarFn::negate || fn == ScalarFn::abs || fn == ScalarFn::sign ? of_unary(fn, x[0]) : std::nullopt;
  if (x.size() != 2) return std::nullopt;
  const NumberRange& a = x[0];
  const NumberRange& b = x[1];
  const bool natural = a.low >= 0 && b.low >= 0;
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::subtract:
    case ScalarFn::multiply: return of_binary(fn, a, b);
    case ScalarFn::logical_or:
      return natural ? std::optional(NumberRange{std::max(a.low, b.low), ones_up_to(std::max(a.high, b.high))})
                     : std::nullopt;
    case ScalarFn::logical_and: return natural ? std::optional(NumberRange{0, std::min(a.high, b.high)}) : std::nullopt;
    case ScalarFn::logical_xor:
      return natural ? std::optional(NumberRange{0, ones_up_to(std::max(a.high, b.high))}) : std::nullopt;
    case ScalarFn::shift_right_logical: {
      if (b.low < 0 || b.low != b.high) return std::nullopt;
      const NumberRange all = natural ? a : NumberRange{0, std::exp2(bit_width(type)) - 1};
      return NumberRange{std::floor(std::ldexp(all.low, -static_cast<int>(b.low))),
                         std::floor(std::ldexp(all.high, -static_cast<int>(b.low)))};
    }
    case ScalarFn::divide:
      if (b.low <= 0) return std::nullopt;
      return spanned({std::trunc(a.low / b.low), std::trunc(a.low / b.high), std::trunc(a.high / b.low),
                      std::trunc(a.high / b.high)});
    case ScalarFn::remainder:
      if (b.low <= 0) return std::nullopt;
      return NumberRange{a.low < 0 ? 1 - b.high : 0, b.high - 1};
    default: return std::nullopt;
  }
}

/// The floats with these bits, if they are all positive numbers, whose order is that of their bits.
std::optional<NumberRange> of_bits(const NumberRange& x, ElementType from, ElementType to) {
  if (!is_integer(from) || !is_float(to) || bit_width(from) != bit_width(to) || bit_width(from) > 32 || x.low < 0 ||
      x.high >= std::exp2(bit_width(to) - 1))
    return std::nullopt;
  const auto value = [&](double bits) { return from_float_bits(static_cast<std::uint64_t>(bits), to); };
  if (!std::isfinite(value(x.high)) || !(value(x.low) <= value(x.high))) return std::nullopt;
  return NumberRange{value(x.low), value(x.high)};
}

/// Whether devices round the results of a function as its type says, or know them exactly.
bool is_exact(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::subtract:
    case ScalarFn::multiply:
    case ScalarFn::remainder:
    case ScalarFn::negate:
    case ScalarFn::abs:
    case ScalarFn::sign:
    case ScalarFn::floor:
    case ScalarFn::ceil:
    case ScalarFn::round_nearest_afz:
    case ScalarFn::round_nearest_even: return true;
    default: return false;
  }
}

/// The range with some of the type's last digits more at both ends, as devices approximate functions: tanh(8) is 1 in
/// f32 on some, and 0.9999998 on others.
std::optional<NumberRange> approximated(std::optional<NumberRange> range, ElementType type) {
  if (!range || range->empty()) return range;
  const double error = std::min(std::exp2(3 - float_format(type).mantissa_bits), 0.5);
  const auto slack = [&](double end) { return std::isfinite(end) ? std::fabs(end) * error : 0; };
  return NumberRange{range->low - slack(range->low), range->high + slack(range->high)};
}

std::optional<NumberRange> of_scalar_function(const OpInstance& op, ScalarFn fn, const std::vector<NumberRange>& x) {
  const ElementType from = op.operands[0]->element;
  const ElementType to = op.results[0]->element;
  if (is_comparison(fn) || to == ElementType::i1) return NumberRange{0, 1};
  if (fn == ScalarFn::real || fn == ScalarFn::imag) return x[0];
  if (is_complex(from) || is_complex(to)) {  // the range of both parts
    if (fn == ScalarFn::add || fn == ScalarFn::subtract) return of_binary(fn, x[0], x[1]);
    if (fn == ScalarFn::multiply) return NumberRange::within(2 * x[0].magnitude() * x.back().magnitude());
    if (fn == ScalarFn::negate || fn == ScalarFn::conj) return NumberRange::within(x[0].magnitude());
    if (fn == ScalarFn::abs) return NumberRange{0, 2 * x[0].magnitude()};
    return fn == ScalarFn::complex ? std::optional(hull(x[0], x[1])) : std::nullopt;
  }
  if (fn == ScalarFn::bitcast) return of_bits(x[0], from, to);
  if (fn == ScalarFn::reduce_precision) {
    const bool fits = op.integer("exponent_bits") >= 5 && x[0].magnitude() < 0x1p14;
    return fits ? std::optional(NumberRange::within(2 * x[0].magnitude())) : std::nullopt;
  }
  if (fn == ScalarFn::convert)
    return is_float(from) && !is_float(to) ? spanned({std::trunc(x[0].low), std::trunc(x[0].high)}) : x[0];
  if (!is_float(to)) return of_integers(fn, x, to);
  const auto range = x.size() == 1 ? of_unary(fn, x[0]) : x.size() == 2 ? of_binary(fn, x[0], x[1]) : std::nullopt;
  return is_exact(fn) ? range : approximated(range, to);
}

}  // namespace

std::optional<ScalarFn> function_of(std::string_view op_name) {
  if (op_name == "stablehlo.convert") return ScalarFn::convert;
  if (op_name == "stablehlo.bitcast_convert") return ScalarFn::bitcast;
  if (op_name == "stablehlo.reduce_precision") return ScalarFn::reduce_precision;
  return ops::scalar_fn_of(op_name);
}

double NumberRange::magnitude() const { return empty() ? 0 : std::max(std::fabs(low), std::fabs(high)); }

NumberRange hull(const NumberRange& a, const NumberRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

NumberRange product(const NumberRange& a, const NumberRange& b) {
  return spanned({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

NumberRange numbers_of_type(ElementType type) {
  if (type == ElementType::i1) return {0, 1};
  if (!is_integer(type)) return NumberRange::everything();
  const int bits = static_cast<int>(bit_width(type));
  return is_signed(type) ? NumberRange{-std::exp2(bits - 1), std::exp2(bits - 1) - 1}
                         : NumberRange{0, std::exp2(bits) - 1};
}

NumberRange range_of_result(const OpInstance& op, const std::vector<NumberRange>& operands) {
  const ElementType to = op.results[0]->element;
  const NumberRange all = numbers_of_type(to);
  const auto fn = function_of(op.decl->name);
  if (!fn || operands.empty()) return all;
  // Of NaN alone almost every function is NaN; not an integer, nor a power of 1 or by 0.
  const bool of_nan = std::any_of(operands.begin(), operands.end(), [](const NumberRange& x) { return x.empty(); });
  if (of_nan) return is_float(to) && *fn != ScalarFn::power && *fn != ScalarFn::bitcast ? NumberRange{} : all;
  const auto out = of_scalar_function(op, *fn, operands);
  if (!out || std::isnan(out->low) || std::isnan(out->high)) return all;
  return *out;
}

}  // namespace partir
