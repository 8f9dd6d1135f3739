#include "verify/replay/number.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "semantics/domain.h"

namespace partir::replay {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

bool is_integral(ElementType type) { return is_integer(type) || type == ElementType::i1 || type == ElementType::index; }

/// Complex numbers are ordered by their real, then their imaginary parts.
bool below(const Number& a, const Number& b, ElementType type) {
  if (is_unsigned(type)) return static_cast<std::uint64_t>(a.integer()) < static_cast<std::uint64_t>(b.integer());
  if (a.is_whole() && b.is_whole()) return a.integer() < b.integer();
  const auto x = a.parts();
  const auto y = b.parts();
  return x.real() != y.real() ? x.real() < y.real() : x.imag() < y.imag();
}

Number identity(Monoid m, ElementType type) {
  const bool integers = is_integer(type);
  switch (m) {
    case Monoid::sum: return as(Number::whole(0), type);
    case Monoid::prod: return as(Number::whole(1), type);
    case Monoid::max:
      if (!integers) return -kHighest;
      return is_unsigned(type) ? Number::whole(0)
                               : Number::whole(wrapped(std::int64_t{1} << (bit_width(type) - 1), type));
    case Monoid::min:
      if (!integers) return kHighest;
      return Number::whole(wrapped(is_unsigned(type) ? -1 : ~(std::int64_t{1} << (bit_width(type) - 1)), type));
    case Monoid::conj: return Number::whole(type == ElementType::i1 ? 1 : wrapped(-1, type));
    case Monoid::disj: return Number::whole(0);
  }
  return Number::nothing();
}

/// Adds or multiplies two whole numbers.
Number combined(Monoid m, std::int64_t a, std::int64_t b, ElementType type) {
  std::int64_t out = 0;
  const bool over = m == Monoid::sum ? __builtin_add_overflow(a, b, &out) : __builtin_mul_overflow(a, b, &out);
  if (over && type == ElementType::index) return Number::nothing();
  return Number::whole(type == ElementType::index ? out : wrapped(out, type));
}

Scalar scalar_of(const Number& x, ElementType type) {
  Scalar out;
  if (is_unsigned(type) || type == ElementType::i1) {
    out.u = static_cast<std::uint64_t>(x.integer());
  } else if (is_integer(type) || type == ElementType::index) {
    out.i = x.integer();
  } else {
    out.f = x.parts().real();
    out.im = x.parts().imag();
  }
  return out;
}

Number number_of(const Scalar& s, ElementType type) {
  if (is_unsigned(type) || type == ElementType::i1) return Number::whole(static_cast<std::int64_t>(s.u));
  if (is_integer(type)) return Number::whole(s.i);
  return is_complex(type) ? Number(std::complex<double>(s.f, s.im)) : Number(s.f);
}

}  // namespace

Number Number::nothing() { return {kNothing}; }
bool Number::is_nothing() const { return !whole_ && (std::isnan(parts_.real()) || std::isnan(parts_.imag())); }
std::complex<double> Number::parts() const {
  return whole_ ? std::complex<double>(static_cast<double>(*whole_)) : parts_;
}
std::int64_t Number::integer() const {
  return whole_ ? *whole_ : static_cast<std::int64_t>(std::llround(parts_.real()));
}

std::int64_t wrapped(std::int64_t bits, ElementType type) {
  const unsigned width = type == ElementType::i1 ? 1 : bit_width(type);
  if (width >= 64) return bits;
  const unsigned spare = 64 - width;
  const std::uint64_t high = static_cast<std::uint64_t>(bits) << spare;
  return is_signed(type) ? static_cast<std::int64_t>(high) >> spare : static_cast<std::int64_t>(high >> spare);
}

Number as(const Number& x, ElementType type) {
  if (x.is_nothing()) return x;
  if (is_integer(type)) return Number::whole(wrapped(x.integer(), type));
  if (is_integral(type)) return Number::whole(x.integer());
  return x.is_whole() ? Number(x.parts()) : x;
}

Number joined(Monoid m, const std::vector<Number>& values, ElementType type) {
  if (values.empty()) return identity(m, type);
  Number out = as(values[0], type);
  for (std::size_t k = 1; k < values.size(); ++k) {
    const Number x = as(values[k], type);
    if (x.is_nothing() || out.is_nothing()) return Number::nothing();
    switch (m) {
      case Monoid::sum:
        out = x.is_whole() ? combined(m, out.integer(), x.integer(), type) : Number(out.parts() + x.parts());
        break;
      case Monoid::prod:
        if (x.is_whole()) {
          out = combined(m, out.integer(), x.integer(), type);
        } else {
          const bool real = out.parts().imag() == 0 && x.parts().imag() == 0;
          out = real ? Number(out.parts().real() * x.parts().real()) : Number(out.parts() * x.parts());
        }
        break;
      case Monoid::max: out = below(out, x, type) ? x : out; break;
      case Monoid::min: out = below(x, out, type) ? x : out; break;
      case Monoid::conj: out = Number::whole(out.integer() & x.integer()); break;
      case Monoid::disj: out = Number::whole(out.integer() | x.integer()); break;
    }
  }
  return out;
}

Number function_of(ScalarFn fn, const std::vector<Number>& args, const std::vector<ElementType>& types,
                   ElementType type) {
  const std::size_t values = fn == ScalarFn::select ? 1 : 0;
  const ElementType in = types.size() > values ? types[values] : type;
  std::vector<Scalar> scalars;
  std::vector<const Scalar*> at;
  for (std::size_t k = 0; k < args.size(); ++k) {
    if (args[k].is_nothing()) return Number::nothing();
    scalars.push_back(scalar_of(as(args[k], types[k]), types[k]));
  }
  for (const Scalar& s : scalars) at.push_back(&s);
  const bool divides = fn == ScalarFn::divide || fn == ScalarFn::remainder;
  if (divides && is_integer(in) && args[1].integer() == 0) return Number::nothing();
  Scalar out;
  f64_domain().apply(fn, in, type, at.data(), 1, &out);
  const Number result = number_of(out, type);
  return result.is_nothing() || (!result.is_whole() && !std::isfinite(result.magnitude())) ? Number::nothing() : result;
}

}  // namespace partir::replay
