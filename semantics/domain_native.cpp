// The native domain, and the f64 domain, which is its variant without rounding. Values are computed in double precision
// and rounded to the element type.
#include "semantics/domain_native.h"

#include <bit>
#include <cmath>
#include <limits>

#include "ir/float_format.h"
#include "semantics/special_fn.h"
#include "support/check.h"

namespace partir {

void Domain::fold(ScalarFn fn, ElementType type, const Scalar* x, std::size_t n, double, Scalar* into) const {
  const Scalar* const args[] = {into, x};
  apply(fn, type, type, args, n, into);
}

double round_to(double value, ElementType type) {
  if (type == ElementType::f32) return static_cast<float>(value);
  if (type == ElementType::f64) return value;
  const FloatFormat& f = float_format(type);
  if (f.special == FloatFormat::Special::ieee) {  // fast path for normal numbers: round the bits of the double
    const double magnitude = std::fabs(value);
    if (magnitude >= std::ldexp(1.0, 1 - f.bias) && magnitude < std::ldexp(1.0, f.bias)) {
      const int dropped = 52 - f.mantissa_bits;
      std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
      bits += ((std::uint64_t{1} << (dropped - 1)) - 1) + ((bits >> dropped) & 1);
      return std::bit_cast<double>(bits & (~std::uint64_t{0} << dropped));
    }
  }
  return from_float_bits(to_float_bits(value, type), type);
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

/// Exact below 2^53. Above, the low bits are replaced by a sticky bit, so that a later rounding to a narrower format
/// yields the same result as a single rounding.
double to_double_with_sticky_bit(std::uint64_t v) {
  if (v >> 53 == 0) return static_cast<double>(v);
  return static_cast<double>((v & ~std::uint64_t{0x7ff}) | ((v & 0x7ff) != 0 ? 0x800 : 0));
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
  if (type == ElementType::i1) {  // booleans: add and maximum are "or", multiply and minimum are "and"
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
    case ScalarFn::mulhi: {
      __extension__ using SignedProduct = __int128;
      __extension__ using UnsignedProduct = unsigned __int128;
      return sign ? wrap(static_cast<std::uint64_t>(static_cast<SignedProduct>(a) * b >> width), type)
                  : wrap(static_cast<std::uint64_t>(static_cast<UnsignedProduct>(ua) * ub >> width), type);
    }
    case ScalarFn::negate: return wrap(~ua + 1, type);
    case ScalarFn::abs: return sign && a < 0 ? wrap(~ua + 1, type) : a;
    case ScalarFn::sign: return sign ? (a > 0 ? 1 : a < 0 ? -1 : 0) : (a != 0 ? 1 : 0);
    case ScalarFn::popcnt: return wrap(static_cast<std::uint64_t>(std::popcount(ua & mask)), type);
    case ScalarFn::count_leading_zeros:
      return wrap(static_cast<std::uint64_t>(std::countl_zero(ua & mask)) - (64 - width), type);
    default: break;
  }
  PARTIR_CHECK(false, "no such function on integers: " + std::string(name_of(fn)));
  return 0;
}

std::uint64_t to_bits(Scalar value, ElementType type) {
  if (is_float(type)) return to_float_bits(value.f, type);
  if (type == ElementType::c64)
    return to_float_bits(value.f, ElementType::f32) | to_float_bits(value.im, ElementType::f32) << 32;
  const unsigned width = bit_width(type);
  return width == 64 ? value.u : value.u & ((std::uint64_t{1} << width) - 1);
}

Scalar from_bits(std::uint64_t bits, ElementType type) {
  Scalar out;
  if (is_float(type)) {
    out.f = from_float_bits(bits, type);
  } else if (type == ElementType::c64) {
    out.f = from_float_bits(bits & 0xffffffff, ElementType::f32);
    out.im = from_float_bits(bits >> 32, ElementType::f32);
  } else {
    out.i = wrap(bits, type);
  }
  return out;
}

namespace {

/// The rank in the total order: the bits as an integer, with negative values numbered downwards from -1 (specification,
/// "compare").
std::int64_t order_key(double value, ElementType type) {
  const std::uint64_t bits = to_float_bits(value, type);
  const std::uint64_t sign = std::uint64_t{1} << (bit_width(type) - 1);
  return (bits & sign) != 0 ? -1 - static_cast<std::int64_t>(bits & (sign - 1)) : static_cast<std::int64_t>(bits);
}

/// The next number of the format after `a` towards `b`.
double next_after(double a, double b, ElementType type) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  if (a == b) return b;
  if (a == 0) return std::copysign(from_float_bits(1, type), b);
  // Magnitudes are ordered like their codes. In a format of finite numbers only, the largest is its own successor.
  const std::uint64_t code = to_float_bits(std::fabs(a), type);
  const bool grows = (a < b) == (a > 0);
  const double next = from_float_bits(grows ? code + 1 : code == 0 ? code : code - 1, type);
  return std::copysign(next > 0 || !grows || std::isnan(next) ? next : std::fabs(a), a);
}

}  // namespace

void NativeDomain::apply_to_floats(ScalarFn fn, ElementType type, const Scalar* a, const Scalar* b, std::size_t n,
                                   Scalar* out) const {
  // The three most frequent functions, in loops that the compiler can vectorise.
  const bool single = rounds_ && type == ElementType::f32;
  if (single && fn == ScalarFn::add) {
    for (std::size_t k = 0; k < n; ++k) out[k].f = static_cast<float>(a[k].f + b[k].f);
  } else if (single && fn == ScalarFn::multiply) {
    for (std::size_t k = 0; k < n; ++k) out[k].f = static_cast<float>(a[k].f * b[k].f);
  } else if (single && fn == ScalarFn::subtract) {
    for (std::size_t k = 0; k < n; ++k) out[k].f = static_cast<float>(a[k].f - b[k].f);
  } else if (fn == ScalarFn::next_after) {
    for (std::size_t k = 0; k < n; ++k) out[k].f = next_after(a[k].f, b[k].f, type);
  } else {
    for (std::size_t k = 0; k < n; ++k) out[k].f = rounded(real_fn(fn, a[k].f, b[k].f), type);
  }
}

void NativeDomain::apply_to_complex(ScalarFn fn, ElementType in, ElementType type, const Scalar* a, const Scalar* b,
                                    std::size_t n, Scalar* out) const {
  const ElementType part = part_of(in);
  for (std::size_t k = 0; k < n; ++k) {
    const std::complex<double> x(a[k].f, a[k].im);
    const std::complex<double> y(b[k].f, b[k].im);
    Scalar result;
    if (is_comparison(fn)) {
      result.u = (x == y) == (fn == ScalarFn::compare_eq) ? 1 : 0;
    } else if (fn == ScalarFn::real || fn == ScalarFn::imag) {
      result.f = fn == ScalarFn::real ? x.real() : x.imag();
    } else {
      const std::complex<double> z = complex_fn(fn, x, y);
      result.f = rounded(z.real(), part);
      if (is_complex(type)) result.im = rounded(z.imag(), part);
    }
    out[k] = result;
  }
}

void NativeDomain::apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
                         Scalar* out) const {
  const Scalar* a = args[0];
  const Scalar* b = arity_of(fn) == 1 ? a : args[1];
  const auto each = [&](auto&& f) {
    for (std::size_t k = 0; k < n; ++k) out[k] = f(k);
  };
  const auto number = [](double v) {
    Scalar s;
    s.f = v;
    return s;
  };
  const auto integer = [](std::int64_t v) {
    Scalar s;
    s.i = v;
    return s;
  };
  switch (fn) {
    case ScalarFn::select: return each([&](std::size_t k) { return a[k].u != 0 ? args[1][k] : args[2][k]; });
    case ScalarFn::convert: return each([&](std::size_t k) { return convert(a[k], in, type); });
    case ScalarFn::bitcast: return each([&](std::size_t k) { return from_bits(to_bits(a[k], in), type); });
    case ScalarFn::order_key:
      return each([&](std::size_t k) { return integer(order_key(a[k].f, rounds_ ? in : ElementType::f64)); });
    case ScalarFn::reduce_precision:
      return each([&](std::size_t k) {
        return number(reduce_precision(a[k].f, in, static_cast<int>(args[1][k].i), static_cast<int>(args[2][k].i)));
      });
    case ScalarFn::complex:
      return each([&](std::size_t k) {
        Scalar s = number(a[k].f);
        s.im = b[k].f;
        return s;
      });
    default: break;
  }
  if (is_complex(in)) return apply_to_complex(fn, in, type, a, b, n, out);
  if (is_float(in)) {
    if (is_comparison(fn)) return each([&](std::size_t k) { return integer(compared(fn, a[k].f, b[k].f) ? 1 : 0); });
    switch (fn) {
      case ScalarFn::is_finite: return each([&](std::size_t k) { return integer(std::isfinite(a[k].f) ? 1 : 0); });
      case ScalarFn::is_inf: return each([&](std::size_t k) { return integer(std::isinf(a[k].f) ? 1 : 0); });
      case ScalarFn::is_pos_inf:
        return each([&](std::size_t k) { return integer(std::isinf(a[k].f) && a[k].f > 0 ? 1 : 0); });
      case ScalarFn::is_neg_inf:
        return each([&](std::size_t k) { return integer(std::isinf(a[k].f) && a[k].f < 0 ? 1 : 0); });
      case ScalarFn::real:
      case ScalarFn::conj: return each([&](std::size_t k) { return a[k]; });
      case ScalarFn::imag: return each([&](std::size_t) { return number(0); });
      default: return apply_to_floats(fn, type, a, b, n, out);
    }
  }
  if (is_comparison(fn)) {
    return each([&](std::size_t k) {
      return integer((is_signed(in) ? compared(fn, a[k].i, b[k].i) : compared(fn, a[k].u, b[k].u)) ? 1 : 0);
    });
  }
  for (std::size_t k = 0; k < n; ++k) out[k].i = int_fn(fn, a[k].i, b[k].i, type);
}

Scalar NativeDomain::convert(Scalar value, ElementType from, ElementType to) const {
  if (is_complex(to) || is_complex(from)) {  // converts a real number to the real part, and vice versa
    Scalar out = convert(value, part_of(from), part_of(to));
    if (is_complex(to)) out.im = is_complex(from) ? rounded(value.im, part_of(to)) : 0;
    return out;
  }
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
    out.f = rounded(v, to);
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
  if (is_float(type) || is_complex(type)) {
    out.f = rounded(static_cast<double>(index), part_of(type));
  } else {
    out.i = wrap(static_cast<std::uint64_t>(index), type);
  }
  return out;
}

Scalar NativeDomain::from_literal(const Literal& literal, std::int64_t position) const {
  Scalar out{};
  if (is_float(literal.type.element)) {
    out.f = literal.as_double(position);
  } else if (is_complex(literal.type.element)) {
    const auto value = literal.as_complex(position);
    out.f = value.real();
    out.im = value.imag();
  } else {
    out.i = literal.as_int(position);
  }
  return out;
}

Scalar NativeDomain::random(std::uint64_t bits, ElementType type) const {
  Scalar out{};
  const auto uniform = [&](std::uint64_t from) {  // in [-1, 1)
    return rounded(static_cast<double>(static_cast<std::int64_t>(from) >> 11) * 0x1p-52, part_of(type));
  };
  if (type == ElementType::i1) {
    out.u = bits & 1;
  } else if (is_float(type) || is_complex(type)) {
    out.f = uniform(bits);
    if (is_complex(type)) out.im = uniform(bits * 0x9e3779b97f4a7c15 + 1);
  } else {
    out.i = static_cast<std::int64_t>(bits & (bit_width(type) == 2 ? 1 : 3));
  }
  return out;
}

double NativeDomain::to_double(Scalar value, ElementType type) const {
  if (is_float(type) || is_complex(type)) return value.f;
  return is_signed(type) ? static_cast<double>(value.i) : static_cast<double>(value.u);
}

std::complex<double> NativeDomain::to_complex(Scalar value, ElementType type) const {
  return {to_double(value, type), is_complex(type) ? value.im : 0};
}

bool NativeDomain::equal(Scalar a, Scalar b, ElementType type) const {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  if (is_complex(type)) return same(a.f, b.f) && same(a.im, b.im);
  return is_float(type) ? same(a.f, b.f) : a.u == b.u;
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
  if (name == "rational") return &rational_domain();
  return tl::unexpected(Diagnostic{"domain", "--domain", {}, std::string(name), "native, f64, rational or modular"});
}

}  // namespace partir
