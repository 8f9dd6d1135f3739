// Special functions compared with tabulated values, recurrences, reflections and higher precision.
#include "semantics/special_fn.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "tests/semantics/scalars.h"

namespace partir {
namespace {

using F = ScalarFn;
using Complex = std::complex<double>;
using Wide = std::complex<long double>;

using testing::kInfinity;
using testing::kNan;
using testing::uniform;

bool near(double found, double wanted, double relative, double scale = 0) {
  return std::fabs(found - wanted) <= relative * std::max(std::fabs(wanted), scale);
}
bool near(Complex found, Complex wanted, double relative) {
  return std::abs(found - wanted) <= relative * std::abs(wanted);
}

TEST(SpecialFunctions, HaveTheirTabulatedValues) {
  struct Row {
    F fn;
    double a, b, wanted;
  };
  const Row rows[] = {{F::digamma, 1, 0, -0.57721566490153286},
                      {F::digamma, 0.5, 0, -1.9635100260214235},
                      {F::digamma, 10, 0, 2.2517525890667211},
                      {F::polygamma, 0, 1, -0.57721566490153286},
                      {F::polygamma, 1, 1, 1.6449340668482264},
                      {F::polygamma, 1, 0.5, 4.9348022005446793},
                      {F::polygamma, 1, 0.25, 17.197329154507110},
                      {F::polygamma, 2, 1, -2.4041138063191886},
                      {F::polygamma, 3, 1, 6.4939394022668291},
                      {F::zeta, 1.5, 1, 2.6123753486854883},
                      {F::zeta, 2, 1, 1.6449340668482264},
                      {F::zeta, 3, 1, 1.2020569031595943},
                      {F::zeta, 4, 1, 1.0823232337111382},
                      {F::zeta, 3, 0.5, 8.4143983221171600},
                      {F::erf, 0.5, 0, 0.52049987781304654},
                      {F::erf, 1, 0, 0.84270079294971487},
                      {F::erfc, 2, 0, 0.0046777349810472658},
                      {F::erfc, 5, 0, 1.5374597944280349e-12},
                      {F::erf_inv, 0.5, 0, 0.47693627620446987},
                      {F::erf_inv, -0.9, 0, -1.1630871536766743},
                      {F::lgamma, 0.5, 0, 0.57236494292470009},
                      {F::lgamma, 10, 0, 12.801827480081469},
                      {F::lgamma, 100, 0, 359.13420536957540},
                      {F::bessel_i1e, 1, 0, 0.20791041534970845},
                      {F::bessel_i1e, -1, 0, -0.20791041534970845},
                      {F::bessel_i1e, 10, 0, 0.12126268138445552},
                      {F::cbrt, -27, 0, -3},
                      {F::acosh, 2, 0, 1.3169578969248168},
                      {F::asinh, 1, 0, 0.88137358701954303},
                      {F::atanh, 0.5, 0, 0.54930614433405485},
                      {F::logistic, 1, 0, 0.73105857863000488},
                      {F::rsqrt, 2, 0, 0.70710678118654752}};
  for (const Row& r : rows)
    EXPECT_NEAR(real_fn(r.fn, r.a, r.b), r.wanted, 4e-15 * std::fabs(r.wanted)) << name_of(r.fn);
}

TEST(SpecialFunctions, HavePolesAndNoValuesOutsideTheirDomains) {
  EXPECT_EQ(real_fn(F::digamma, 0.0, 0), -kInfinity);
  EXPECT_EQ(real_fn(F::digamma, -0.0, 0), kInfinity);
  EXPECT_TRUE(std::isnan(real_fn(F::digamma, -3, 0)));
  EXPECT_EQ(real_fn(F::digamma, kInfinity, 0), kInfinity);
  EXPECT_TRUE(std::isnan(real_fn(F::digamma, -kInfinity, 0)));
  EXPECT_EQ(real_fn(F::zeta, 1, 3), kInfinity);
  EXPECT_TRUE(std::isnan(real_fn(F::zeta, 0.5, 3)));
  EXPECT_EQ(real_fn(F::zeta, 2, -3), kInfinity);
  EXPECT_TRUE(std::isnan(real_fn(F::zeta, 2.5, -0.5)));
  EXPECT_TRUE(std::isnan(real_fn(F::polygamma, 1.5, 2)));
  EXPECT_TRUE(std::isnan(real_fn(F::polygamma, -1, 2)));
  EXPECT_EQ(real_fn(F::erf_inv, 1, 0), kInfinity);
  EXPECT_EQ(real_fn(F::erf_inv, -1, 0), -kInfinity);
  EXPECT_TRUE(std::isnan(real_fn(F::erf_inv, 1.5, 0)));
  EXPECT_EQ(real_fn(F::lgamma, -2, 0), kInfinity);
  EXPECT_EQ(real_fn(F::bessel_i1e, kInfinity, 0), 0);
  for (const F fn : {F::digamma, F::erf_inv, F::lgamma, F::bessel_i1e, F::erf})
    EXPECT_TRUE(std::isnan(real_fn(fn, kNan, 0))) << name_of(fn);
}

TEST(Digamma, KeepsItsRecurrenceAndReflection) {
  EXPECT_TRUE(rc::check("psi(x + 1) = psi(x) + 1/x; psi(1 - x) - psi(x) = pi cot(pi x)", [](std::uint64_t bits) {
    const double x = uniform(bits, -20, 50);
    RC_PRE(std::fabs(x - std::round(x)) > 1e-3);
    const double here = real_fn(F::digamma, x, 0);
    RC_ASSERT(near(real_fn(F::digamma, x + 1, 0), here + 1 / x, 1e-12, std::fabs(here) + 1));
    const double y = uniform(bits, 0.01, 0.49);
    const double wanted = M_PI / std::tan(M_PI * y);
    RC_ASSERT(near(real_fn(F::digamma, 1 - y, 0) - real_fn(F::digamma, y, 0), wanted, 1e-13, 10));
  }));
}

TEST(Zeta, KeepsItsRecurrence) {
  EXPECT_TRUE(rc::check("zeta(x, q) = q^-x + zeta(x, q + 1)", [](std::uint64_t a, std::uint64_t b) {
    const double x = uniform(a, 1.01, 30);
    const double q = uniform(b, 0.05, 40);
    RC_ASSERT(near(real_fn(F::zeta, x, q), std::pow(q, -x) + real_fn(F::zeta, x, q + 1), 1e-13));
    // For negative arguments, zeta is defined for integer exponents.
    const double n = 2 + static_cast<double>(a % 8);
    const double left = uniform(b, -60, 0);
    RC_PRE(std::fabs(left - std::round(left)) > 1e-2);
    const double first = std::pow(left, -n);
    const double rest = real_fn(F::zeta, n, left + 1);
    RC_ASSERT(near(real_fn(F::zeta, n, left), first + rest, 1e-11, std::fabs(first) + std::fabs(rest)));
  }));
}

TEST(Zeta, IsItsSum) {
  for (const double x : {2.0, 2.5, 4.0, 9.0}) {
    for (const double q : {0.25, 1.0, 3.5}) {
      long double sum = 0;  // the tail from N on is approximated by an integral
      constexpr int terms = 200000;
      for (int k = terms; k-- > 0;) sum += std::pow(static_cast<long double>(q) + k, static_cast<long double>(-x));
      const long double end = static_cast<long double>(q) + terms - 0.5L;
      sum += std::pow(end, static_cast<long double>(1 - x)) / static_cast<long double>(x - 1);
      EXPECT_NEAR(real_fn(F::zeta, x, q), static_cast<double>(sum), 1e-12 * static_cast<double>(sum)) << x << " " << q;
    }
  }
}

TEST(Polygamma, KeepsItsRecurrenceAndIsTheDerivative) {
  EXPECT_TRUE(rc::check("psi_n(x + 1) = psi_n(x) + (-1)^n n! / x^(n+1)", [](std::uint64_t a, std::uint64_t b) {
    const double n = 1 + static_cast<double>(a % 9);
    const double x = uniform(b, -15, 30);
    RC_PRE(std::fabs(x - std::round(x)) > 1e-2);
    const double step = (std::fmod(n, 2) == 0 ? 1 : -1) * std::tgamma(n + 1) / std::pow(x, n + 1);
    const double here = real_fn(F::polygamma, n, x);
    RC_ASSERT(near(real_fn(F::polygamma, n, x + 1), here + step, 1e-11, std::fabs(here) + std::fabs(step)));
    const double y = uniform(b, 1, 20);
    const double h = 1e-5 * y;
    const double slope = (real_fn(F::digamma, y + h, 0) - real_fn(F::digamma, y - h, 0)) / (2 * h);
    RC_ASSERT(near(real_fn(F::polygamma, 1, y), slope, 1e-7));
  }));
}

TEST(ErrorFunction, HasAnInverse) {
  EXPECT_TRUE(rc::check("erf(erf_inv(y)) = y and erf_inv(erf(x)) = x", [](std::uint64_t bits) {
    const double y = uniform(bits, -0.9999, 0.9999);
    RC_ASSERT(near(std::erf(real_fn(F::erf_inv, y, 0)), y, 4e-16, 1e-16));
    const double x = uniform(bits, -2.5, 2.5);
    RC_ASSERT(near(real_fn(F::erf_inv, std::erf(x), 0), x, 1e-12, 1e-3));
    RC_ASSERT(real_fn(F::erf_inv, -y, 0) == -real_fn(F::erf_inv, y, 0));
    RC_ASSERT(near(real_fn(F::erfc, x, 0), 1 - real_fn(F::erf, x, 0), 1e-15, 1));
  }));
}

TEST(LogGamma, IsTheLogarithmOfGamma) {
  EXPECT_TRUE(rc::check("exp(lgamma(x)) = |gamma(x)|", [](std::uint64_t bits) {
    const double x = uniform(bits, 0.01, 100);
    RC_ASSERT(near(std::exp(real_fn(F::lgamma, x, 0)), std::tgamma(x), 2e-13));
    const double left = uniform(bits, -20, 0);
    RC_PRE(std::fabs(left - std::round(left)) > 1e-3);
    RC_ASSERT(near(real_fn(F::lgamma, left, 0), std::log(std::fabs(std::tgamma(left))), 1e-12, 1));
  }));
}

TEST(Bessel, IsItsSeries) {
  EXPECT_TRUE(rc::check("sum of (x/2)^(2k+1) / (k! (k+1)!), scaled", [](std::uint64_t bits) {
    const double x = uniform(bits, -40, 40);
    const long double half = static_cast<long double>(x) / 2;
    long double term = half;
    long double sum = 0;
    for (int k = 1; k < 200; ++k) {
      sum += term;
      term *= half * half / (static_cast<long double>(k) * (k + 1));
    }
    const auto wanted = static_cast<double>(sum * std::exp(-std::fabs(static_cast<long double>(x))));
    RC_ASSERT(near(real_fn(F::bessel_i1e, x, 0), wanted, 1e-14, 1e-300));
  }));
  // At the switch between the two formulas, and far out, where the function approaches 1 / sqrt(2 pi x).
  EXPECT_NEAR(real_fn(F::bessel_i1e, 599.9999999, 0) / real_fn(F::bessel_i1e, 600.0000001, 0), 1, 1e-9);
  EXPECT_NEAR(real_fn(F::bessel_i1e, 1e12, 0) * std::sqrt(2 * M_PI * 1e12), 1, 1e-11);
}

// --- Complex functions -----------------------------------------------------------------------------------------------

Complex square_point(std::uint64_t a, std::uint64_t b, double size) {
  return {uniform(a, -size, size), uniform(b, -size, size)};
}

TEST(ComplexFunctions, NearZeroLoseNothing) {
  EXPECT_TRUE(
      rc::check("log(1 + z) and exp(z) - 1 by series", [](std::uint64_t a, std::uint64_t b, std::uint8_t scale) {
        const double size = std::ldexp(0.01, -static_cast<int>(scale % 60));
        const Complex z = square_point(a, b + 1, size);
        RC_PRE(z != 0.0);
        const Wide w(z.real(), z.imag());
        Wide logarithm = 0;
        Wide exponential = 0;
        Wide power = 1;
        long double factorial = 1;
        for (int k = 1; k < 16; ++k) {
          power *= w;
          factorial *= k;
          logarithm += power * (k % 2 == 1 ? 1.0L : -1.0L) / static_cast<long double>(k);
          exponential += power / factorial;
        }
        RC_ASSERT(near(complex_fn(F::log_plus_one, z, 0), Complex(logarithm), 8e-16));
        RC_ASSERT(near(complex_fn(F::exponential_minus_one, z, 0), Complex(exponential), 8e-16));
      }));
}

TEST(ComplexFunctions, AgreeWithHigherPrecision) {
  EXPECT_TRUE(rc::check("log(1 + z) and exp(z) - 1 as they read", [](std::uint64_t a, std::uint64_t b) {
    for (const double size : {0.1, 1.0, 3.0, 50.0}) {
      const Complex z = square_point(a, b + 1, size);
      RC_PRE(std::abs(z) > 1e-3 && std::abs(z + 1.0) > 1e-3);
      const Wide w(z.real(), z.imag());
      const Wide logarithm = std::log(1.0L + w);
      // Near 1 the logarithm is small, so that the rounding of z matters.
      RC_ASSERT(std::abs(complex_fn(F::log_plus_one, z, 0) - Complex(logarithm)) <=
                4e-16 * std::max<double>(1e-3, static_cast<double>(std::abs(logarithm))));
      RC_ASSERT(near(complex_fn(F::exponential_minus_one, z, 0), Complex(std::exp(w) - 1.0L), 1e-15));
    }
  }));
}

TEST(ComplexFunctions, KeepTheirIdentities) {
  EXPECT_TRUE(rc::check("inverses, quotients, squares", [](std::uint64_t a, std::uint64_t b) {
    const Complex z = square_point(a, b + 1, 3);
    RC_PRE(std::abs(z) > 0.01);
    const auto of = [](F fn, Complex x, Complex y = 0) { return complex_fn(fn, x, y); };
    constexpr double e = 1e-12;
    RC_ASSERT(near(of(F::exponential, of(F::log, z)), z, e));
    RC_ASSERT(near(of(F::sqrt, z) * of(F::sqrt, z), z, e));
    RC_ASSERT(near(of(F::rsqrt, z) * of(F::sqrt, z), 1.0, e));
    RC_ASSERT(near(of(F::cbrt, z) * of(F::cbrt, z) * of(F::cbrt, z), z, e));
    RC_ASSERT(near(of(F::power, z, 3), z * z * z, e));
    RC_ASSERT(near(of(F::power, z, 0.5), of(F::sqrt, z), e));
    RC_ASSERT(near(of(F::sinh, z) / of(F::cosh, z), of(F::tanh, z), 1e-10));
    RC_ASSERT(near(of(F::sine, z) / of(F::cosine, z), of(F::tan, z), 1e-10));
    RC_ASSERT(near(of(F::logistic, z) + of(F::logistic, -z), 1.0, 1e-10));
    RC_ASSERT(near(of(F::sign, z) * of(F::abs, z), z, e));
    RC_ASSERT(of(F::abs, z).imag() == 0);
    const auto inverse = [&](F inner, F outer) { return near(of(outer, of(inner, z)), z, 1e-9); };
    RC_ASSERT(inverse(F::asin, F::sine) && inverse(F::acos, F::cosine) && inverse(F::atan, F::tan));
    RC_ASSERT(inverse(F::asinh, F::sinh) && inverse(F::acosh, F::cosh) && inverse(F::atanh, F::tanh));
    RC_ASSERT(near(of(F::atan2, z.imag(), z.real()), std::atan2(z.imag(), z.real()), 1e-10));
    const bool greater = z.real() > 0 || (z.real() == 0 && z.imag() > 0);
    RC_ASSERT(of(F::maximum, z, 0) == (greater ? z : 0) && of(F::minimum, z, 0) == (greater ? 0 : z));
  }));
  EXPECT_EQ(complex_fn(F::power, 0, 0), 1.0);
  EXPECT_EQ(complex_fn(F::power, 0, {2, 1}), 0.0);
  EXPECT_EQ(complex_fn(F::sign, 0, 0), 0.0);
}

}  // namespace
}  // namespace partir
