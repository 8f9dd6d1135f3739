// Floats as exact rational numbers: sums, products, quotients, comparisons and roundings to integers are exact, values
// are not rounded to their types, and a function without a rational value is an error. A scalar is an index into a pool
// of numbers that only grows, so this domain is for small programs.
#include <gmpxx.h>

#include <cmath>
#include <deque>
#include <limits>

#include "semantics/domain_native.h"

namespace partir {
namespace {

constexpr std::uint64_t kPlusInfinityCode = std::uint64_t{1} << 63;
constexpr std::uint64_t kMinusInfinityCode = kPlusInfinityCode + 1;
constexpr std::uint64_t kNanCode = kPlusInfinityCode + 2;

bool is_code(std::uint64_t x) { return x >= kPlusInfinityCode; }

/// The double for the code of an infinity or NaN.
double as_double(std::uint64_t x) {
  return x == kPlusInfinityCode    ? std::numeric_limits<double>::infinity()
         : x == kMinusInfinityCode ? -std::numeric_limits<double>::infinity()
                                   : std::numeric_limits<double>::quiet_NaN();
}

[[noreturn]] void refuse(ScalarFn fn, const std::string& of) {
  fail("unsupported", {}, std::string(name_of(fn)) + " of " + of + ", which has no rational value here",
       "the domain f64, or modular");
}

mpz_class floor_of(const mpq_class& x) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), x.get_num().get_mpz_t(), x.get_den().get_mpz_t());
  return out;
}

class RationalDomain final : public NativeDomain {
 public:
  RationalDomain() : NativeDomain(false, "rational") {}

  void apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
             Scalar* out) const override {
    const bool moves = fn == ScalarFn::select || (!is_float(in) && !is_float(type));
    if (is_complex(in) || is_complex(type)) refuse(fn, "a complex number");
    if (moves || (fn == ScalarFn::convert && !is_float(in) && !is_float(type))) {
      NativeDomain::apply(fn, in, type, args, n, out);
      return;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const Scalar a = args[0][k];
      const Scalar b = arity_of(fn) == 1 ? a : args[1][k];
      out[k] = fn == ScalarFn::convert ? convert(a, in, type) : one(fn, type, a, b);
    }
  }
  [[nodiscard]] Scalar from_index(std::int64_t index, ElementType type) const override {
    return is_float(type) ? put(mpq_class(mpz_class(static_cast<long>(index)))) : NativeDomain::from_index(index, type);
  }
  [[nodiscard]] Scalar from_literal(const Literal& literal, std::int64_t position) const override {
    return is_float(literal.type.element) ? from_double(literal.as_double(position))
                                          : NativeDomain::from_literal(literal, position);
  }
  [[nodiscard]] Scalar random(std::uint64_t bits, ElementType type) const override {
    const Scalar native = NativeDomain::random(bits, type);
    return is_float(type) ? from_double(round_to(native.f, type)) : native;
  }
  [[nodiscard]] double to_double(Scalar value, ElementType type) const override {
    if (!is_float(type)) return NativeDomain::to_double(value, type);
    return is_code(value.u) ? as_double(value.u) : at(value).get_d();
  }
  [[nodiscard]] bool equal(Scalar a, Scalar b, ElementType type) const override {
    if (!is_float(type) || is_code(a.u) || is_code(b.u)) return a.u == b.u;
    return at(a) == at(b);
  }

 protected:
  [[nodiscard]] Scalar convert(Scalar value, ElementType from, ElementType to) const override {
    if (is_float(from) && is_float(to)) return value;
    if (is_float(to)) {
      return put(mpq_class(is_signed(from) ? mpz_class(static_cast<long>(value.i))
                                           : mpz_class(static_cast<unsigned long>(value.u))));
    }
    Scalar native;
    native.f = is_code(value.u) ? as_double(value.u) : at(value).get_d();
    if (!is_code(value.u) && to != ElementType::i1) {  // round towards zero; exact if the integer fits
      const mpq_class& x = at(value);
      mpz_class whole;
      mpz_tdiv_q(whole.get_mpz_t(), x.get_num().get_mpz_t(), x.get_den().get_mpz_t());
      if (whole.fits_slong_p()) {
        Scalar out;
        out.i = wrap(static_cast<std::uint64_t>(whole.get_si()), to);
        const bool fits = is_signed(to) ? out.i == whole.get_si() : whole >= 0 && out.u == whole.get_ui();
        if (fits) return out;
      }
    }
    return NativeDomain::convert(native, ElementType::f64, to);
  }

 private:
  [[nodiscard]] const mpq_class& at(Scalar s) const { return pool_[s.u]; }
  [[nodiscard]] Scalar put(mpq_class value) const {
    Scalar out;
    out.u = pool_.size();
    pool_.push_back(std::move(value));
    return out;
  }
  [[nodiscard]] static Scalar code(std::uint64_t c) {
    Scalar out;
    out.u = c;
    return out;
  }
  [[nodiscard]] Scalar from_double(double v) const {
    if (std::isnan(v)) return code(kNanCode);
    if (std::isinf(v)) return code(v > 0 ? kPlusInfinityCode : kMinusInfinityCode);
    return put(mpq_class(v));
  }
  [[nodiscard]] static Scalar boolean(bool v) { return code(v ? 1 : 0); }

  /// Applies a function if an argument is an infinity or NaN: in double arithmetic, with finite numbers replaced by
  /// their signs.
  [[nodiscard]] Scalar with_specials(ScalarFn fn, ElementType type, Scalar a, Scalar b) const {
    const auto sign = [&](Scalar s) { return is_code(s.u) ? as_double(s.u) : static_cast<double>(sgn(at(s))); };
    if (!is_code(a.u) || !is_code(b.u)) {
      if ((fn == ScalarFn::maximum || fn == ScalarFn::minimum) && a.u != kNanCode && b.u != kNanCode) {
        const bool first = (sign(a) > sign(b)) == (fn == ScalarFn::maximum);
        return first ? a : b;
      }
    }
    Scalar x;
    Scalar y;
    x.f = sign(a);
    y.f = sign(b);
    Scalar out;
    const Scalar* args[] = {&x, &y};
    NativeDomain::apply(fn, ElementType::f64, is_float(type) ? ElementType::f64 : type, args, 1, &out);
    return is_float(type) ? from_double(out.f) : out;
  }

  [[nodiscard]] Scalar root(ScalarFn fn, const mpq_class& x) const {
    const bool square = sgn(x) >= 0 && mpz_perfect_square_p(x.get_num().get_mpz_t()) != 0 &&
                        mpz_perfect_square_p(x.get_den().get_mpz_t()) != 0;
    if (!square) refuse(fn, x.get_str());
    const mpq_class r(sqrt(mpz_class(x.get_num())), sqrt(mpz_class(x.get_den())));
    if (fn == ScalarFn::rsqrt && sgn(r) == 0) return code(kPlusInfinityCode);
    return put(fn == ScalarFn::rsqrt ? mpq_class(1 / r) : r);
  }

  [[nodiscard]] Scalar one(ScalarFn fn, ElementType type, Scalar a, Scalar b) const {
    if (is_code(a.u) || is_code(b.u)) return with_specials(fn, type, a, b);
    const mpq_class& x = at(a);
    const mpq_class& y = at(b);
    switch (fn) {
      case ScalarFn::add: return put(x + y);
      case ScalarFn::subtract: return put(x - y);
      case ScalarFn::multiply: return put(x * y);
      case ScalarFn::divide:
        if (sgn(y) == 0) return code(sgn(x) > 0 ? kPlusInfinityCode : sgn(x) < 0 ? kMinusInfinityCode : kNanCode);
        return put(x / y);
      case ScalarFn::remainder: {
        if (sgn(y) == 0) return code(kNanCode);
        const mpq_class q = x / y;
        mpz_class whole;
        mpz_tdiv_q(whole.get_mpz_t(), q.get_num().get_mpz_t(), q.get_den().get_mpz_t());
        return put(x - y * whole);
      }
      case ScalarFn::power: {
        if (y.get_den() != 1 || abs(y) > 1000) refuse(fn, "exponent " + y.get_str());
        const bool inverse = sgn(y) < 0;
        if (inverse && sgn(x) == 0) return code(kPlusInfinityCode);
        mpq_class out = 1;
        for (mpz_class k = abs(y.get_num()); k > 0; --k) out *= x;
        return put(inverse ? mpq_class(1 / out) : out);
      }
      case ScalarFn::maximum: return x >= y ? a : b;
      case ScalarFn::minimum: return x <= y ? a : b;
      case ScalarFn::negate: return put(-x);
      case ScalarFn::abs: return put(abs(x));
      case ScalarFn::sign: return put(sgn(x));
      case ScalarFn::sqrt:
      case ScalarFn::rsqrt: return root(fn, x);
      case ScalarFn::floor: return put(mpq_class(floor_of(x)));
      case ScalarFn::ceil: return put(mpq_class(-floor_of(-x)));
      case ScalarFn::round_nearest_afz: {
        const mpz_class whole = floor_of(abs(x) + mpq_class(1, 2));
        return put(mpq_class(sgn(x) < 0 ? mpz_class(-whole) : whole));
      }
      case ScalarFn::round_nearest_even: {
        mpz_class whole = floor_of(x + mpq_class(1, 2));
        if (mpq_class(whole) == x + mpq_class(1, 2) && mpz_odd_p(whole.get_mpz_t()) != 0) --whole;
        return put(mpq_class(whole));
      }
      case ScalarFn::real:
      case ScalarFn::conj: return a;
      case ScalarFn::imag: return put(0);
      case ScalarFn::is_finite: return boolean(true);
      case ScalarFn::is_inf:
      case ScalarFn::is_pos_inf:
      case ScalarFn::is_neg_inf: return boolean(false);
      case ScalarFn::compare_eq: return boolean(x == y);
      case ScalarFn::compare_ne: return boolean(x != y);
      case ScalarFn::compare_lt: return boolean(x < y);
      case ScalarFn::compare_le: return boolean(x <= y);
      case ScalarFn::compare_gt: return boolean(x > y);
      case ScalarFn::compare_ge: return boolean(x >= y);
      case ScalarFn::exponential:
      case ScalarFn::cosine:
      case ScalarFn::cosh:
        if (sgn(x) == 0) return put(1);
        break;
      case ScalarFn::log:
        if (x == 1) return put(0);
        break;
      case ScalarFn::tanh:
      case ScalarFn::sine:
      case ScalarFn::exponential_minus_one:
      case ScalarFn::log_plus_one:
      case ScalarFn::erf:
        if (sgn(x) == 0) return put(0);
        break;
      case ScalarFn::logistic:
        if (sgn(x) == 0) return put(mpq_class(1, 2));
        break;
      default: break;
    }
    refuse(fn, x.get_str());
  }

  mutable std::deque<mpq_class> pool_;
};

}  // namespace

const Domain& rational_domain() {
  static const RationalDomain domain;
  return domain;
}

}  // namespace partir
