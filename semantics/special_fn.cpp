#include "semantics/special_fn.h"

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <cmath>
#include <limits>

#include "support/check.h"

namespace partir {
namespace {

using Complex = std::complex<double>;
constexpr double kPositiveInfinity = std::numeric_limits<double>::infinity();
constexpr double kQuietNan = std::numeric_limits<double>::quiet_NaN();

// Poles and arguments outside the domain yield infinities and NaN instead of exceptions.
using Policy =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kQuietNan;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}

double digamma(double x) {
  if (x == 0) return std::copysign(kPositiveInfinity, -x);
  if (std::isinf(x)) return x > 0 ? x : kQuietNan;
  if (x < 0 && x == std::floor(x)) return kQuietNan;
  return boost::math::digamma(x, Policy());
}

/// The Hurwitz zeta function, the sum over k of (k + q)^-x, by the Euler-Maclaurin formula.
double zeta(double x, double q) {
  if (x == 1) return kPositiveInfinity;
  if (std::isnan(x) || std::isnan(q) || x < 1) return kQuietNan;
  if (q <= 0) {
    if (q == std::floor(q)) return kPositiveInfinity;
    if (x != std::floor(x)) return kQuietNan;
  }
  // The formula requires a large q: the terms before that are added individually, which steps over poles between them.
  constexpr double most = 1e6;
  if (q < -most) return kQuietNan;
  const int terms = 12 + (q < 0 ? static_cast<int>(-q) : 0);
  double sum = 0;
  for (int k = 0; k < terms; ++k) sum += std::pow(q + k, -x);
  const double a = q + terms;
  const double power = std::pow(a, -x);
  if (power == 0) return sum;
  sum += a * power / (x - 1) + power / 2;
  // Bernoulli numbers B2k over (2k)!, times x (x+1) … (x+2k-2) / a^(x+2k-1).
  constexpr double bernoulli[] = {1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,     5.0 / 66,
                                  -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};
  double factor = x * power / a;  // rising factorial times the power
  double factorial = 2;
  for (int k = 1; k <= 10; ++k) {
    sum += bernoulli[k - 1] / factorial * factor;
    factor *= (x + 2 * k - 1) * (x + 2 * k) / (a * a);
    factorial *= (2 * k + 1) * (2 * k + 2);
  }
  return sum;
}

double polygamma(double n, double x) {
  if (n < 0 || n != std::floor(n)) return kQuietNan;
  if (n == 0) return digamma(x);
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * zeta(n + 1, x);
}

double erf_inv(double x) {
  if (std::fabs(x) == 1) return std::copysign(kPositiveInfinity, x);
  if (!(std::fabs(x) < 1)) return kQuietNan;
  return boost::math::erf_inv(x, Policy());
}

/// exp(-|x|) I1(x); uses the asymptotic series where I1 would overflow.
double bessel_i1e(double x) {
  const double a = std::fabs(x);
  if (std::isinf(a)) return 0;
  if (a < 600) return std::exp(-a) * boost::math::cyl_bessel_i(1, x, Policy());
  const double t = 1 / (8 * a);
  const double series = 1 - 3 * t * (1 + 5 * t / 2 * (1 + 21 * t / 3));
  return std::copysign(series / std::sqrt(2 * M_PI * a), x);
}

Complex power(Complex a, Complex b) {
  if (a == 0.0) return b == 0.0 ? Complex(1) : b.real() > 0 ? Complex(0) : Complex(kQuietNan, kQuietNan);
  if (b == 0.0) return 1;
  if (b == 1.0) return a;
  return std::pow(a, b);
}

/// log(1 + z), accurate for small z: the real part is log1p(x (2 + x) + y^2) / 2.
Complex log1p(Complex z) {
  const double x = z.real();
  const double y = z.imag();
  const double imaginary = std::atan2(y, 1 + x);
  if (std::fabs(x) > 0.5 || std::fabs(y) > 0.5) {
    const double magnitude = std::hypot(1 + x, y);
    if (magnitude < 0.5 || magnitude > 2) return {std::log(magnitude), imaginary};
  }
  const auto wide_x = static_cast<long double>(x);
  const auto wide_y = static_cast<long double>(y);
  return {static_cast<double>(std::log1p(wide_x * (2 + wide_x) + wide_y * wide_y) / 2), imaginary};
}

/// exp(z) - 1, accurate for small z: the real part is expm1(x) cos y - 2 sin(y/2)^2.
Complex expm1(Complex z) {
  const double s = std::sin(z.imag() / 2);
  const double e = std::expm1(z.real());
  return {e * std::cos(z.imag()) - 2 * s * s, std::exp(z.real()) * std::sin(z.imag())};
}

}  // namespace

double real_fn(ScalarFn fn, double a, double b) {
  switch (fn) {
    case ScalarFn::add: return a + b;
    case ScalarFn::subtract: return a - b;
    case ScalarFn::multiply: return a * b;
    case ScalarFn::divide: return a / b;
    case ScalarFn::remainder: return std::fmod(a, b);
    case ScalarFn::power: return std::pow(a, b);
    case ScalarFn::maximum: return maximum(a, b);
    case ScalarFn::minimum: return -maximum(-a, -b);
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
    case ScalarFn::erfc: return std::erfc(a);
    case ScalarFn::erf_inv: return erf_inv(a);
    case ScalarFn::lgamma: return std::lgamma(a);
    case ScalarFn::digamma: return digamma(a);
    case ScalarFn::polygamma: return polygamma(a, b);
    case ScalarFn::zeta: return zeta(a, b);
    case ScalarFn::bessel_i1e: return bessel_i1e(a);
    case ScalarFn::acos: return std::acos(a);
    case ScalarFn::acosh: return std::acosh(a);
    case ScalarFn::asin: return std::asin(a);
    case ScalarFn::asinh: return std::asinh(a);
    case ScalarFn::atan: return std::atan(a);
    case ScalarFn::atanh: return std::atanh(a);
    case ScalarFn::cosh: return std::cosh(a);
    case ScalarFn::sinh: return std::sinh(a);
    default: break;
  }
  PARTIR_CHECK(false, "no such function on floats: " + std::string(name_of(fn)));
  return 0;
}

namespace {

/// The same number with positive NaNs. The C library derives signs of zeros from that of a NaN (exp(-inf + i NaN)),
/// which arithmetic leaves open.
Complex with_positive_nans(Complex z) {
  const auto part = [](double x) { return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x; };
  return {part(z.real()), part(z.imag())};
}

}  // namespace

std::complex<double> complex_fn(ScalarFn fn, Complex a, Complex b) {
  a = with_positive_nans(a);
  b = with_positive_nans(b);
  switch (fn) {
    case ScalarFn::add: return a + b;
    case ScalarFn::subtract: return a - b;
    case ScalarFn::multiply: return a * b;
    case ScalarFn::divide: return a / b;
    case ScalarFn::power: return power(a, b);
    case ScalarFn::maximum:  // lexicographic
    case ScalarFn::minimum: {
      const bool greater = a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
      return greater == (fn == ScalarFn::maximum) ? a : b;
    }
    case ScalarFn::atan2: {  // -i log((y + i x) / |(x, y)|) with y + i x written as b + i a
      const Complex i(0, 1);
      return -i * std::log((b + i * a) / std::sqrt(a * a + b * b));
    }
    case ScalarFn::negate: return -a;
    case ScalarFn::abs: return std::abs(a);
    case ScalarFn::sign: {
      const double magnitude = std::abs(a);
      return magnitude == 0 ? a : a / magnitude;
    }
    case ScalarFn::exponential: return std::exp(a);
    case ScalarFn::exponential_minus_one: return expm1(a);
    case ScalarFn::log: return std::log(a);
    case ScalarFn::log_plus_one: return log1p(a);
    case ScalarFn::logistic: return 1.0 / (1.0 + std::exp(-a));
    case ScalarFn::sqrt: return std::sqrt(a);
    case ScalarFn::rsqrt: return 1.0 / std::sqrt(a);
    case ScalarFn::cbrt: return power(a, 1.0 / 3);
    case ScalarFn::tanh: return std::tanh(a);
    case ScalarFn::tan: return std::tan(a);
    case ScalarFn::sine: return std::sin(a);
    case ScalarFn::cosine: return std::cos(a);
    case ScalarFn::acos: return std::acos(a);
    case ScalarFn::acosh: return std::acosh(a);
    case ScalarFn::asin: return std::asin(a);
    case ScalarFn::asinh: return std::asinh(a);
    case ScalarFn::atan: return std::atan(a);
    case ScalarFn::atanh: return std::atanh(a);
    case ScalarFn::cosh: return std::cosh(a);
    case ScalarFn::sinh: return std::sinh(a);
    case ScalarFn::conj: return std::conj(a);
    default: break;
  }
  PARTIR_CHECK(false, "no such function on complex numbers: " + std::string(name_of(fn)));
  return 0;
}

}  // namespace partir
