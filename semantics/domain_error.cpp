// Native arithmetic with a running error bound: each float carries a bound on its distance to the value that exact
// arithmetic computes from the same inputs, whatever the order of summation (Higham, Accuracy and Stability of
// Numerical Algorithms, chapter 3).
//
// One rounding adds u |result|, where u is the unit roundoff of the type; a sum of n terms adds n u |term| for each
// term, the first-order part of gamma_n; functions of the math library count as kUlps roundings. Monotone functions
// propagate the error through the ends of the interval. If no bound is known, the error is infinite. A comparison that
// the errors could reverse has an uncertain result (a nonzero error), and a select by it accounts for both
// alternatives.
//
// Control flow and indices that depend on uncertain booleans and integers are not tracked; decided_error_domain reports
// them as errors. Complex numbers have no error bound, because their imaginary part uses its storage; reals computed
// from them have an infinite error.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/float_format.h"
#include "ir/scalar_fn.h"
#include "semantics/domain_native.h"
#include "semantics/special_fn.h"
#include "support/diagnostic.h"

namespace partir {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUlps = 8;
constexpr std::size_t kChunk = 256;

double roundoff(ElementType type) { return std::ldexp(1.0, -1 - float_format(type).mantissa_bits); }

double or_infinity(double error) { return std::isnan(error) ? kInfinity : error; }

/// A bound on the change of fn(a, b) if its arguments change by up to their errors, without the rounding of the result.
double propagated(ScalarFn fn, const Scalar& a, const Scalar& b, double result) {
  const double ea = a.error;
  const double eb = b.error;
  switch (fn) {
    case ScalarFn::add:
    case ScalarFn::subtract: return ea + eb;
    case ScalarFn::multiply: return std::fabs(a.f) * eb + std::fabs(b.f) * ea + ea * eb;
    case ScalarFn::divide:
      if (ea == 0 && eb == 0) return 0;
      return std::fabs(b.f) > eb ? (ea + std::fabs(result) * eb) / (std::fabs(b.f) - eb) : kInfinity;
    case ScalarFn::maximum:
    case ScalarFn::minimum: return std::max(ea, eb);
    case ScalarFn::negate:
    case ScalarFn::abs: return ea;
    default: break;
  }
  if (ea == 0 && (arity_of(fn) == 1 || eb == 0)) return 0;
  // An argument without a bound may be undefined (its divisor may be 0), and so is then a bounded function of it.
  if (std::isinf(ea)) return kInfinity;
  if (real_laws_of(fn).order != RealLaws::Order::none) {
    const double up = std::fabs(real_fn(fn, a.f + ea, 0) - result);
    const double down = std::fabs(real_fn(fn, a.f - ea, 0) - result);
    // NaN at the value and at both ends: the complete interval is outside the domain, because domains are half-lines or
    // intervals of length 2.
    if (std::isnan(result) && std::isnan(up) && std::isnan(down) && ea < 1) return 0;
    return std::isnan(up) || std::isnan(down) ? kInfinity : std::max(up, down);
  }
  if (fn == ScalarFn::sine || fn == ScalarFn::cosine) return std::min(ea, 2.0);
  if (fn == ScalarFn::power && a.f > ea) {  // monotone in each argument
    double most = 0;
    for (const double x : {a.f - ea, a.f + ea}) {
      for (const double y : {b.f - eb, b.f + eb})
        most = std::max(most, or_infinity(std::fabs(std::pow(x, y) - result)));
    }
    return most;
  }
  return kInfinity;
}

/// The number of roundings that a function adds to its result.
double roundings(ScalarFn fn) {
  switch (rounding_of(fn)) {
    case Rounding::none: return 0;
    case Rounding::once: return 1;
    case Rounding::several: return kUlps;
  }
  return kInfinity;
}

class ErrorDomain final : public NativeDomain {
 public:
  explicit ErrorDomain(bool decided) : NativeDomain(true, "native"), decided_(decided) {}

  [[nodiscard]] std::int64_t position(Scalar value) const override {
    if (decided_ && value.error != 0)
      throw UserError(
          {kUndecided, "", {}, "a value that rounding may turn", "one that decides what is run or read alike"});
    return NativeDomain::position(value);
  }

  void apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
             Scalar* out) const override {
    Scalar values[kChunk];
    const Scalar* chunk[3] = {};
    const auto arity = static_cast<std::size_t>(arity_of(fn));
    for (std::size_t from = 0; from < n; from += kChunk) {
      const std::size_t count = std::min(kChunk, n - from);
      for (std::size_t k = 0; k < arity; ++k) chunk[k] = args[k] + from;
      NativeDomain::apply(fn, in, type, chunk, count, values);
      if (is_complex(type)) {
        std::copy_n(values, count, out + from);
        continue;
      }
      for (std::size_t k = 0; k < count; ++k) {
        Scalar result = values[k];
        result.error = error(fn, in, type, chunk, k, result);
        values[k] = result;
      }
      std::copy_n(values, count, out + from);
    }
  }

  void fold(ScalarFn fn, ElementType type, const Scalar* x, std::size_t n, double steps, Scalar* into) const override {
    if (fn != ScalarFn::add || !is_float(type)) return Domain::fold(fn, type, x, n, steps, into);
    const double unit = roundoff(type) * steps;
    for (std::size_t k = 0; k < n; ++k) {
      into[k].error += x[k].error + unit * std::fabs(x[k].f);
      into[k].f = rounded(into[k].f + x[k].f, type);
    }
  }

  [[nodiscard]] Scalar from_index(std::int64_t index, ElementType type) const override {
    Scalar out = NativeDomain::from_index(index, type);
    if (is_float(type)) out.error = std::fabs(out.f - static_cast<double>(index));
    return out;
  }

 private:
  static double error(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t k,
                      const Scalar& result) {
    const Scalar& a = args[0][k];
    switch (fn) {
      case ScalarFn::select: {
        const Scalar& chosen = a.u != 0 ? args[1][k] : args[2][k];
        if (a.error == 0) return chosen.error;
        const Scalar& other = a.u != 0 ? args[2][k] : args[1][k];
        if (is_float(type)) return or_infinity(std::max(chosen.error, std::fabs(chosen.f - other.f) + other.error));
        return chosen.u == other.u && chosen.error == 0 && other.error == 0 ? 0 : kInfinity;
      }
      case ScalarFn::convert: return conversion(in, type, a, result);
      case ScalarFn::reduce_precision: {
        const double unit = std::ldexp(1.0, -1 - static_cast<int>(std::min<std::int64_t>(args[2][k].i, 52)));
        return a.error == 0 ? 0 : a.error + unit * (std::fabs(a.f) + a.error);
      }
      case ScalarFn::real:
      case ScalarFn::imag: return is_complex(in) ? kInfinity : a.error;
      default: break;
    }
    if (is_complex(in)) return kInfinity;
    const Scalar& b = arity_of(fn) == 1 ? a : args[1][k];
    // The bits of a float have its error, and keep it if they are only moved, as by an addition of 0. It is negative,
    // to tell it from a bound on the integer.
    if (fn == ScalarFn::bitcast) return is_float(type) ? std::fabs(a.error) : -std::fabs(a.error);
    if (fn == ScalarFn::add && is_unsigned(type)) {
      if (a.u == 0 && a.error == 0) return b.error;
      if (b.u == 0 && b.error == 0) return a.error;
    }
    if (!is_float(in)) {  // an integer is exact, unknown, or the rank of a float in the total order
      if (a.error == 0 && b.error == 0) return 0;
      return is_comparison(fn) && is_signed(in) && are_apart(a, b) ? 0 : kInfinity;
    }
    if (is_comparison(fn)) {
      const double total_error = a.error + b.error;
      return total_error != 0 && !(std::fabs(a.f - b.f) > total_error) ? 1 : 0;
    }
    if (!is_float(type)) {
      if (a.error == 0) return 0;
      if (fn == ScalarFn::order_key) return error_of_rank(a, in, result);
      const bool tests = fn == ScalarFn::is_finite || fn == ScalarFn::is_inf || fn == ScalarFn::is_pos_inf ||
                         fn == ScalarFn::is_neg_inf;
      return tests && std::isfinite(round_to(std::fabs(a.f) + a.error, in)) ? 0 : kInfinity;
    }
    const double inherited = or_infinity(propagated(fn, a, b, result.f));
    return inherited + roundings(fn) * roundoff(type) * (std::isfinite(result.f) ? std::fabs(result.f) : 0);
  }

  /// A lower bound of |a - b| if `rounding` is -1, and an upper bound if it is 1: doubles may round either.
  static double distance(std::int64_t a, std::int64_t b, int rounding) {
    const auto x = static_cast<double>(a);
    const auto y = static_cast<double>(b);
    return std::fabs(x - y) + rounding * 1e-15 * (std::fabs(x) + std::fabs(y));
  }

  /// True if two integers with bounds on their errors differ for certain.
  static bool are_apart(const Scalar& a, const Scalar& b) {
    if (a.error < 0 || b.error < 0) return false;  // bits of floats
    return distance(a.i, b.i, -1) > a.error + b.error;
  }

  /// The change of a float's rank in the total order, if the float changes by up to its error.
  static double error_of_rank(const Scalar& a, ElementType in, const Scalar& result) {
    double most = 0;
    for (const double by : {-a.error, a.error}) {
      Scalar moved;
      moved.f = a.f + by;
      if (!std::isfinite(moved.f)) return kInfinity;
      const Scalar* argument = &moved;
      Scalar rank;
      native_domain().apply(ScalarFn::order_key, in, ElementType::i64, &argument, 1, &rank);
      most = std::max(most, distance(rank.i, result.i, 1));
    }
    return most + 1;
  }

  static double conversion(ElementType in, ElementType type, const Scalar& a, const Scalar& result) {
    if (is_complex(in)) return kInfinity;
    if (is_float(in) && is_float(type)) {
      const bool narrows = float_format(type).mantissa_bits < float_format(in).mantissa_bits;
      return a.error + (narrows ? roundoff(type) * std::fabs(a.f) : 0);
    }
    if (a.error == 0) {
      return is_float(type) && !is_float(in) ? roundoff(type) * std::fabs(result.f) : 0;
    }
    if (!is_float(in)) return kInfinity;
    if (type == ElementType::i1) return std::fabs(a.f) > a.error ? 0 : 1;
    return std::trunc(a.f - a.error) == std::trunc(a.f + a.error) ? 0 : kInfinity;
  }

  bool decided_;
};

}  // namespace

const Domain& error_domain() {
  static const ErrorDomain domain(false);
  return domain;
}

const Domain& decided_error_domain() {
  static const ErrorDomain domain(true);
  return domain;
}

}  // namespace partir
