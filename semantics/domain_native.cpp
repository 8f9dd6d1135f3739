// Native arithmetic, and double precision as its variant without rounding.
#include "semantics/domain_native.h"

#include <bit>
#include <cmath>
#include <limits>

#include "support/check.h"

namespace partir {

double round_to(double value, ElementType type) {
  switch (type) {
    case ElementType::f32: return static_cast<float>(value);
    case ElementType::bf16:
    case ElementType::f16: return from_half_bits(to_half_bits(value, type), type);
    default: return value;
  }
}

std::int64_t wrap(std::uint64_t bits, ElementType type) {
  const unsigned width = type == ElementType::index ? 64 : bit_width(type);
  if (width == 64) return static_cast<std::int64_t>(bits);
  if (!is_signed(type)) return static_cast<std::int64_t>(bits & ((std::uint64_t{1} << width) - 1));
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}

namespace {

std::int64_t saturate(double v, ElementType type) {
  if (std::isnan(v)) return 0;
  const unsigned width = bit_width(type);
  if (is_signed(type)) {
    const double limit = std::ldexp(1.0, static_cast<int>(width) - 1);
    if (v >= limit) return static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1);
    if (v < -limit) return -static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1) - 1;
    return static_cast<std::int64_t>(v);
  }
  if (v <= 0) return 0;
  if (v >= std::ldexp(1.0, static_cast<int>(width))) return wrap(~std::uint64_t{0}, type);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(v));
}

/// Exact below 2^53; above, what the low bits say but not how much, so that rounding to a narrower format rounds once.
double to_double_with_sticky_bit(std::uint64_t v) {
  if (v >> 53 == 0) return static_cast<double>(v);
  return static_cast<double>((v & ~std::uint64_t{0x7ff}) | ((v & 0x7ff) != 0 ? 0x800 : 0));
}

double float_fn(ScalarFn fn, double a, double b) {
  switch (fn) {
    case ScalarFn::add: return a + b;
    case ScalarFn::subtract: return a - b;
    case ScalarFn::multiply: return a * b;
    case ScalarFn::divide: return a / b;
    case ScalarFn::remainder: return std::fmod(a, b);
    case ScalarFn::power: return std::pow(a, b);
    case ScalarFn::maximum:
      return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN()
             : a == b                       ? (std::signbit(a) ? b : a)
                                            : std::max(a, b);
    case ScalarFn::minimum:
      return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN()
             : a == b                       ? (std::signbit(a) ? a : b)
                                            : std::min(a, b);
    case ScalarFn::atan2: return std::atan2(a, b);
    case ScalarFn::negate: return -a;
    case ScalarFn::abs: return std::fabs(a);
    case ScalarFn::sign: return std::isnan(a) || a == 0 ? a : std::copysign(1.0, a);
    case ScalarFn::exponential: return std::exp(a);
    case ScalarFn::exponential_minus_one: return std::expm1(a);
    case ScalarFn::log: return std::log(a);
    case ScalarFn::log_plus_one: return std::log1p(a);
    case ScalarFn::logistic: return 1 / (1 + std::exp(-a));
    case ScalarFn::sqrt: return std::sqrt(a);
    case ScalarFn::rsqrt: return 1 / std::sqrt(a);
    case ScalarFn::cbrt: return std::cbrt(a);
    case ScalarFn::tanh: return std::tanh(a);
    case ScalarFn::tan: return std::tan(a);
    case ScalarFn::sine: return std::sin(a);
    case ScalarFn::cosine: return std::cos(a);
    case ScalarFn::floor: return std::floor(a);
    case ScalarFn::ceil: return std::ceil(a);
    case ScalarFn::round_nearest_afz: return std::round(a);
    case ScalarFn::round_nearest_even: return std::nearbyint(a);
    case ScalarFn::erf: return std::erf(a);
    default: break;
  }
  PARTIR_CHECK(false, "no such function on floats: " + std::string(name_of(fn)));
  return 0;
}

template <class T>
bool compared(ScalarFn fn, T a, T b) {
  switch (fn) {
    case ScalarFn::compare_eq: return a == b;
    case ScalarFn::compare_ne: return a != b;
    case ScalarFn::compare_lt: return a < b;
    case ScalarFn::compare_le: return a <= b;
    case ScalarFn::compare_gt: return a > b;
    default: return a >= b;
  }
}

std::int64_t signed_power(std::int64_t base, std::int64_t exponent, ElementType type) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? ((exponent & 1) != 0 ? -1 : 1) : 0;
  std::uint64_t out = 1;
  auto square = static_cast<std::uint64_t>(base);
  for (auto e = static_cast<std::uint64_t>(exponent); e != 0; e >>= 1) {
    if ((e & 1) != 0) out *= square;
    square *= square;
  }
  return wrap(out, type);
}

}  // namespace

std::int64_t int_fn(ScalarFn fn, std::int64_t a, std::int64_t b, ElementType type) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const bool sign = is_signed(type);
  const unsigned width = bit_width(type);
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  if (type == ElementType::i1) {  // booleans: addition and maximum are or, multiplication and minimum are and
    switch (fn) {
      case ScalarFn::add:
      case ScalarFn::maximum:
      case ScalarFn::logical_or: return a | b;
      case ScalarFn::multiply:
      case ScalarFn::minimum:
      case ScalarFn::logical_and: return a & b;
      case ScalarFn::logical_xor:
      case ScalarFn::subtract: return a ^ b;
      case ScalarFn::logical_not: return a == 0 ? 1 : 0;
      default: break;
    }
  }
  switch (fn) {
    case ScalarFn::add: return wrap(ua + ub, type);
    case ScalarFn::subtract: return wrap(ua - ub, type);
    case ScalarFn::multiply: return wrap(ua * ub, type);
    case ScalarFn::divide:
      if (b == 0) return wrap(~std::uint64_t{0}, type);
      if (sign) return b == -1 ? wrap(~ua + 1, type) : a / b;
      return static_cast<std::int64_t>(ua / ub);
    case ScalarFn::remainder:
      if (b == 0) return a;
      if (sign) return b == -1 ? 0 : a % b;
      return static_cast<std::int64_t>(ua % ub);
    case ScalarFn::power: return signed_power(a, sign ? b : static_cast<std::int64_t>(ub & 0x7fffffffffffffff), type);
    case ScalarFn::maximum: return sign ? std::max(a, b) : static_cast<std::int64_t>(std::max(ua, ub));
    case ScalarFn::minimum: return sign ? std::min(a, b) : static_cast<std::int64_t>(std::min(ua, ub));
    case ScalarFn::logical_and: return a & b;
    case ScalarFn::logical_or: return a | b;
    case ScalarFn::logical_xor: return a ^ b;
    case ScalarFn::logical_not: return wrap(~ua, type);
    case ScalarFn::shift_left: return ub >= width ? 0 : wrap(ua << ub, type);
    case ScalarFn::shift_right_logical: return ub >= width ? 0 : wrap((ua & mask) >> ub, type);
    case ScalarFn::shift_right_arithmetic: {
      const std::int64_t value = static_cast<std::int64_t>((ua & mask) << (64 - width)) >> (64 - width);
      return wrap(static_cast<std::uint64_t>(value >> (ub >= width ? width - 1 : ub)), type);
    }
    case ScalarFn::negate: return wrap(~ua + 1, type);
    case ScalarFn::abs: return sign && a < 0 ? wrap(~ua + 1, type) : a;
    case ScalarFn::sign: return sign ? (a > 0 ? 1 : a < 0 ? -1 : 0) : (a != 0 ? 1 : 0);
    case ScalarFn::popcnt: return std::popcount(ua & mask);
    case ScalarFn::count_leading_zeros: return std::countl_zero(ua & mask) - static_cast<int>(64 - width);
    default: break;
  }
  PARTIR_CHECK(false, "no such function on integers: " + std::string(name_of(fn)));
  return 0;
}

void NativeDomain::apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
                         Scalar* out) const {
  const Scalar* a = args[0];
  if (fn == ScalarFn::select) {
    for (std::size_t k = 0; k < n; ++k) out[k] = a[k].u != 0 ? args[1][k] : args[2][k];
    return;
  }
  if (fn == ScalarFn::convert) {
    for (std::size_t k = 0; k < n; ++k) out[k] = convert(a[k], in, type);
    return;
  }
  const auto unary = fn >= ScalarFn::negate && fn <= ScalarFn::erf ? true : fn == ScalarFn::logical_not;
  const Scalar* b = unary ? a : args[1];
  if (is_float(in)) {
    if (fn >= ScalarFn::compare_eq && fn <= ScalarFn::compare_ge) {
      for (std::size_t k = 0; k < n; ++k) out[k].u = compared(fn, a[k].f, b[k].f) ? 1 : 0;
      return;
    }
    if (fn == ScalarFn::is_finite) {
      for (std::size_t k = 0; k < n; ++k) out[k].u = std::isfinite(a[k].f) ? 1 : 0;
      return;
    }
    // The three that dominate, in loops the compiler can vectorise.
    const bool single = rounds_ && type == ElementType::f32;
    if (single && fn == ScalarFn::add) {
      for (std::size_t k = 0; k < n; ++k) out[k].f = static_cast<float>(a[k].f + b[k].f);
    } else if (single && fn == ScalarFn::multiply) {
      for (std::size_t k = 0; k < n; ++k) out[k].f = static_cast<float>(a[k].f * b[k].f);
    } else if (single && fn == ScalarFn::subtract) {
      for (std::size_t k = 0; k < n; ++k) out[k].f = static_cast<float>(a[k].f - b[k].f);
    } else {
      for (std::size_t k = 0; k < n; ++k) {
        const double v = float_fn(fn, a[k].f, b[k].f);
        out[k].f = rounds_ ? round_to(v, type) : v;
      }
    }
    return;
  }
  if (fn >= ScalarFn::compare_eq && fn <= ScalarFn::compare_ge) {
    for (std::size_t k = 0; k < n; ++k) {
      out[k].u = (is_signed(in) ? compared(fn, a[k].i, b[k].i) : compared(fn, a[k].u, b[k].u)) ? 1 : 0;
    }
    return;
  }
  for (std::size_t k = 0; k < n; ++k) out[k].i = int_fn(fn, a[k].i, b[k].i, type);
}

Scalar NativeDomain::convert(Scalar value, ElementType from, ElementType to) const {
  Scalar out{};
  if (is_float(to)) {
    if (rounds_ && to != ElementType::f64 && !is_float(from)) {
      const bool negative = is_signed(from) && value.i < 0;
      const double magnitude = to_double_with_sticky_bit(negative ? ~value.u + 1 : value.u);
      out.f = round_to(negative ? -magnitude : magnitude, to);
      return out;
    }
    const double v = is_float(from)    ? value.f
                     : is_signed(from) ? static_cast<double>(value.i)
                                       : static_cast<double>(value.u);
    out.f = rounds_ ? round_to(v, to) : v;
  } else if (is_float(from)) {
    if (to == ElementType::i1) {
      out.u = value.f != 0 ? 1 : 0;
    } else {
      out.i = saturate(value.f, to);
    }
  } else {
    out.i = to == ElementType::i1 ? (value.i != 0 ? 1 : 0) : wrap(value.u, to);
  }
  return out;
}

Scalar NativeDomain::from_index(std::int64_t index, ElementType type) const {
  Scalar out{};
  if (is_float(type)) {
    out.f = rounds_ ? round_to(static_cast<double>(index), type) : static_cast<double>(index);
  } else {
    out.i = wrap(static_cast<std::uint64_t>(index), type);
  }
  return out;
}

Scalar NativeDomain::from_literal(const Literal& literal, std::int64_t position) const {
  Scalar out{};
  if (is_float(literal.type.element)) {
    out.f = literal.as_double(position);
  } else {
    out.i = literal.as_int(position);
  }
  return out;
}

Scalar NativeDomain::random(std::uint64_t bits, ElementType type) const {
  Scalar out{};
  if (type == ElementType::i1) {
    out.u = bits & 1;
  } else if (!is_float(type)) {
    out.i = static_cast<std::int64_t>(bits & (bit_width(type) == 2 ? 1 : 3));
  } else {
    const double v = static_cast<double>(static_cast<std::int64_t>(bits) >> 11) * 0x1p-52;  // uniform in [-1, 1)
    out.f = rounds_ ? round_to(v, type) : v;
  }
  return out;
}

double NativeDomain::to_double(Scalar value, ElementType type) const {
  if (is_float(type)) return value.f;
  return is_signed(type) ? static_cast<double>(value.i) : static_cast<double>(value.u);
}

bool NativeDomain::equal(Scalar a, Scalar b, ElementType type) const {
  if (!is_float(type)) return a.u == b.u;
  return a.f == b.f || (std::isnan(a.f) && std::isnan(b.f));
}

const Domain& native_domain() {
  static const NativeDomain domain(true, "native");
  return domain;
}

const Domain& f64_domain() {
  static const NativeDomain domain(false, "f64");
  return domain;
}

Result<const Domain*> domain_named(std::string_view name) {
  if (name == "native") return &native_domain();
  if (name == "f64") return &f64_domain();
  if (name == "modular") return &modular_domain();
  return tl::unexpected(Diagnostic{"domain", "--domain", {}, std::string(name), "native, f64 or modular"});
}

}  // namespace partir
