// Floats as integers modulo the prime 2^61 - 1, with codes from the prime on for infinities and NaN.
//
// Sums and products are exact, so a partition that only reorders them must agree to the last bit. Numbers are ordered
// by their representatives around 0. exp, tanh, power and similar functions are hashes, which are equal on equal
// arguments and have no other property. The bits of a number (bitcast) are a hash, too; the number is kept next to the
// hash (in `um`), so that bits that are only moved convert back to the number. An addition of 0 counts as a move.
#include <cmath>
#include <vector>

#include "semantics/domain_native.h"
#include "support/check.h"

namespace partir {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kPlusInfinity = kPrime + 1;
constexpr std::uint64_t kMinusInfinity = kPrime + 2;
constexpr std::uint64_t kNan = kPrime + 3;
constexpr std::uint64_t kNegativeNan = kPrime + 4;  // only a total order tells it from kNan

__extension__ using Wide = unsigned __int128;

bool special(std::uint64_t x) { return x >= kPrime; }
bool is_nan(std::uint64_t x) { return x >= kNan; }
std::uint64_t add_mod(std::uint64_t a, std::uint64_t b) { return (a + b) % kPrime; }
std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % kPrime);
}
std::uint64_t negate_mod(std::uint64_t a) { return a == 0 ? 0 : kPrime - a; }
std::uint64_t power_mod(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t out = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) out = multiply_mod(out, base);
    base = multiply_mod(base, base);
  }
  return out;
}
std::uint64_t inverse_mod(std::uint64_t a) { return power_mod(a, kPrime - 2); }  // the inverse of 0 is 0

std::uint64_t from_int(std::int64_t v) {
  const auto magnitude = v < 0 ? ~static_cast<std::uint64_t>(v) + 1 : static_cast<std::uint64_t>(v);
  return v < 0 ? negate_mod(magnitude % kPrime) : magnitude % kPrime;
}

std::uint64_t from_double(double v) {
  if (std::isnan(v)) return std::signbit(v) ? kNegativeNan : kNan;
  if (std::isinf(v)) return v > 0 ? kPlusInfinity : kMinusInfinity;
  int exponent = 0;
  const double fraction = std::frexp(v, &exponent);
  const std::uint64_t mantissa = from_int(static_cast<std::int64_t>(std::ldexp(fraction, 53)));
  exponent -= 53;
  const std::uint64_t scale = power_mod(2, static_cast<std::uint64_t>(std::abs(exponent)));
  return multiply_mod(mantissa, exponent < 0 ? inverse_mod(scale) : scale);
}

std::uint64_t mix(std::uint64_t x) {  // the finaliser of SplitMix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  if (!special(a) && !special(b)) return add_mod(a, b);
  if (is_nan(a) || is_nan(b)) return kNan;
  if (special(a) && special(b)) return a == b ? a : kNan;
  return special(a) ? a : b;
}

std::uint64_t negated(std::uint64_t a) {
  if (!special(a)) return negate_mod(a);
  return a == kPlusInfinity ? kMinusInfinity : a == kMinusInfinity ? kPlusInfinity : kNan;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  if (!special(a) && !special(b)) return multiply_mod(a, b);
  if (is_nan(a) || is_nan(b) || a == 0 || b == 0) return kNan;
  return (a == kMinusInfinity) != (b == kMinusInfinity) ? kMinusInfinity : kPlusInfinity;
}

/// The rank of a value in the total order: NaN with a sign, -inf, representatives from -p/2 to p/2, +inf, NaN. (If 0
/// were the least representative, max(0, x) would always be x.)
std::uint64_t rank(std::uint64_t a) {
  switch (a) {
    case kNegativeNan: return 0;
    case kMinusInfinity: return 1;
    case kPlusInfinity: return kPrime + 2;
    case kNan: return kPrime + 3;
    default: return (a + kPrime / 2) % kPrime + 2;
  }
}

std::uint64_t float_fn(ScalarFn fn, std::uint64_t a, std::uint64_t b) {
  switch (fn) {
    case ScalarFn::add: return sum(a, b);
    case ScalarFn::subtract: return sum(a, negated(b));
    case ScalarFn::multiply: return product(a, b);
    case ScalarFn::divide:
      if (b == kPlusInfinity || b == kMinusInfinity) return special(a) ? kNan : 0;
      return is_nan(b) ? kNan : product(a, inverse_mod(b));
    case ScalarFn::negate: return negated(a);
    case ScalarFn::conj: return a;
    case ScalarFn::maximum:
    case ScalarFn::minimum:
      if (is_nan(a) || is_nan(b)) return kNan;
      return (rank(a) >= rank(b)) == (fn == ScalarFn::maximum) ? a : b;
    case ScalarFn::exponential:
      if (a == kMinusInfinity) return 0;
      break;
    default: break;
  }
  if (fn != ScalarFn::bitcast && (is_nan(a) || is_nan(b))) return kNan;
  return mix(mix(mix(a) ^ b) + static_cast<std::uint64_t>(fn)) % kPrime;
}

bool compared_residues(ScalarFn fn, std::uint64_t a, std::uint64_t b) {
  if (is_nan(a) || is_nan(b)) return fn == ScalarFn::compare_ne;
  const std::uint64_t x = rank(a);
  const std::uint64_t y = rank(b);
  switch (fn) {
    case ScalarFn::compare_eq: return x == y;
    case ScalarFn::compare_ne: return x != y;
    case ScalarFn::compare_lt: return x < y;
    case ScalarFn::compare_le: return x <= y;
    case ScalarFn::compare_gt: return x > y;
    default: return x >= y;
  }
}

/// A complex number is a pair of residues, with exact sums, products, quotients and conjugates; other functions are
/// hashes.
Scalar complex_fn(ScalarFn fn, Scalar a, Scalar b) {
  Scalar out;
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::subtract:
    case ScalarFn::negate:
      out.u = float_fn(fn, a.u, b.u);
      out.um = float_fn(fn, a.um, b.um);
      return out;
    case ScalarFn::multiply:
      out.u = sum(product(a.u, b.u), negated(product(a.um, b.um)));
      out.um = sum(product(a.u, b.um), product(a.um, b.u));
      return out;
    case ScalarFn::divide: {  // a conj(b) / |b|^2; only 0 has magnitude 0, as -1 is no square modulo the prime
      const Scalar over = complex_fn(ScalarFn::multiply, a, complex_fn(ScalarFn::conj, b, b));
      const std::uint64_t norm = sum(product(b.u, b.u), product(b.um, b.um));
      out.u = float_fn(ScalarFn::divide, over.u, norm);
      out.um = float_fn(ScalarFn::divide, over.um, norm);
      return out;
    }
    case ScalarFn::conj:
      out.u = a.u;
      out.um = negated(a.um);
      return out;
    default: {
      const std::uint64_t both = mix(mix(a.u) ^ a.um) ^ mix(mix(b.u) + b.um);
      out.u = mix(both + static_cast<std::uint64_t>(fn)) % kPrime;
      out.um = mix(out.u + 1) % kPrime;
      return out;
    }
  }
}

bool has_code(ElementType type) { return is_float(type) || is_complex(type); }

class ModularDomain final : public NativeDomain {
 public:
  ModularDomain() : NativeDomain(false, "modular") {}

  void apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
             Scalar* out) const override {
    const bool native = fn == ScalarFn::select || fn == ScalarFn::convert || fn == ScalarFn::complex;
    if (native || (!has_code(in) && !(fn == ScalarFn::bitcast && has_code(type)))) {
      std::vector<std::uint64_t> kept;
      if (fn == ScalarFn::add && is_unsigned(type)) {
        for (std::size_t k = 0; k < n; ++k) kept.push_back(args[args[0][k].u == 0 ? 1 : 0][k].um);
      }
      NativeDomain::apply(fn, in, type, args, n, out);
      for (std::size_t k = 0; k < kept.size(); ++k) out[k].um = kept[k];
      return;
    }
    const Scalar* a = args[0];
    const Scalar* b = arity_of(fn) == 1 ? a : args[1];
    if (fn == ScalarFn::reduce_precision) {  // hashes the value and both bit counts
      for (std::size_t k = 0; k < n; ++k) out[k].u = float_fn(fn, a[k].u, args[1][k].u + (args[2][k].u << 32));
      return;
    }
    for (std::size_t k = 0; k < n; ++k) out[k] = one(fn, in, type, a[k], b[k]);
  }
  [[nodiscard]] Scalar from_index(std::int64_t index, ElementType type) const override {
    if (!has_code(type)) return NativeDomain::from_index(index, type);
    Scalar out{};
    out.u = from_int(index);
    return out;
  }
  [[nodiscard]] Scalar from_literal(const Literal& literal, std::int64_t position) const override {
    const ElementType type = literal.type.element;
    if (!has_code(type)) return NativeDomain::from_literal(literal, position);
    const auto value = is_complex(type) ? literal.as_complex(position) : literal.as_double(position);
    Scalar out{};
    out.u = from_double(value.real());
    out.um = from_double(value.imag());
    return out;
  }
  [[nodiscard]] Scalar random(std::uint64_t bits, ElementType type) const override {
    if (!has_code(type)) return NativeDomain::random(bits, type);
    Scalar out{};
    out.u = bits % kPrime;
    if (is_complex(type)) out.um = mix(bits) % kPrime;
    return out;
  }
  [[nodiscard]] double to_double(Scalar value, ElementType type) const override {
    return has_code(type) ? static_cast<double>(value.u) : NativeDomain::to_double(value, type);
  }
  [[nodiscard]] std::complex<double> to_complex(Scalar value, ElementType type) const override {
    return {to_double(value, type), is_complex(type) ? static_cast<double>(value.um) : 0};
  }
  [[nodiscard]] bool equal(Scalar a, Scalar b, ElementType type) const override {
    return a.u == b.u && (!is_complex(type) || a.um == b.um);
  }

 protected:
  [[nodiscard]] Scalar convert(Scalar value, ElementType from, ElementType to) const override {
    if (!has_code(from) && !has_code(to)) return NativeDomain::convert(value, from, to);
    Scalar out{};
    if (has_code(from) && has_code(to)) {
      out.u = value.u;
      out.um = is_complex(to) ? value.um : 0;
      return out;
    }
    if (has_code(to)) {
      out.u = is_signed(from) ? from_int(value.i) : value.u % kPrime;
    } else {
      const std::uint64_t whole = special(value.u) || value.u <= kPrime / 2 ? value.u : value.u - kPrime;
      out.i = to == ElementType::i1 ? (value.u != 0 ? 1 : 0) : wrap(whole, to);
    }
    return out;
  }

 private:
  [[nodiscard]] static Scalar one(ScalarFn fn, ElementType in, ElementType type, Scalar a, Scalar b) {
    Scalar out;
    if (is_complex(in) && is_comparison(fn)) {
      out.u = (a.u == b.u && a.um == b.um) == (fn == ScalarFn::compare_eq) ? 1 : 0;
    } else if (fn == ScalarFn::real || fn == ScalarFn::imag) {
      out.u = fn == ScalarFn::real ? a.u : is_complex(in) ? a.um : 0;
    } else if (fn == ScalarFn::bitcast && (is_complex(in) || is_complex(type))) {
      const std::uint64_t both = is_complex(in) ? mix(mix(a.u) ^ a.um) : mix(a.u);
      out.u = has_code(type) ? both % kPrime : static_cast<std::uint64_t>(wrap(both, type));
      if (is_complex(type)) out.um = mix(both) % kPrime;
    } else if (is_complex(in)) {
      out = complex_fn(fn, a, b);
    } else if (is_comparison(fn)) {
      out.u = compared_residues(fn, a.u, b.u) ? 1 : 0;
    } else if (fn == ScalarFn::is_finite) {
      out.u = special(a.u) ? 0 : 1;
    } else if (fn == ScalarFn::is_inf) {
      out.u = special(a.u) && !is_nan(a.u) ? 1 : 0;
    } else if (fn == ScalarFn::is_pos_inf || fn == ScalarFn::is_neg_inf) {
      out.u = a.u == (fn == ScalarFn::is_pos_inf ? kPlusInfinity : kMinusInfinity) ? 1 : 0;
    } else if (fn == ScalarFn::order_key) {
      out.i = wrap(rank(a.u), type);
    } else if (fn == ScalarFn::bitcast && !has_code(type)) {
      out.i = wrap(mix(a.u), type);
      out.um = a.u;
    } else if (fn == ScalarFn::bitcast && !has_code(in) && wrap(mix(a.um), in) == a.i) {
      out.u = a.um;
    } else {
      out.u = float_fn(fn, a.u, b.u);
    }
    return out;
  }
};

}  // namespace

const Domain& modular_domain() {
  static const ModularDomain domain;
  return domain;
}

}  // namespace partir
