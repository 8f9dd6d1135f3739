// Laurent polynomials over the rationals, for exact evaluation (ring.h). Each polynomial is stored once, so equal
// polynomials have equal indices. Exponents are rational, so products of exponentials are monomials: exp(a)^1/2
// exp(b)^-1.
#pragma once

#include <gmpxx.h>

#include <map>
#include <vector>

#include "verify/validate/ring.h"

namespace partir::validate {

class Polynomials {
 public:
  Polynomials();

  Element constant(double value);
  Element constant(double approximate, std::int64_t value);
  Element unknown(const Key& key);
  Element add(Element a, Element b);
  Element negate(Element a);
  Element multiply(Element a, Element b);
  /// 1 / a. A polynomial of several terms is written as c m p, with a leading coefficient c and the greatest common
  /// monomial m; its inverse is c^-1 m^-1 inv(p) for an unknown inv(p). So 1 / (x a + x b) is x^-1 inv(a + b). Throws
  /// TooLarge for 0.
  Element inverse(Element a);
  /// a^exponent of a monomial with coefficient 1; throws TooLarge for any other polynomial.
  Element power(Element a, Ratio exponent);

 private:
  using Monomial = std::vector<std::pair<std::uint32_t, mpq_class>>;  ///< unknowns in order; exponents are not 0
  using Terms = std::vector<std::pair<std::uint32_t, mpq_class>>;     ///< monomials in order; coefficients are not 0

  std::uint32_t monomial(Monomial m);
  std::uint32_t product(std::uint32_t a, std::uint32_t b);
  Element polynomial(Terms terms);
  [[nodiscard]] const Terms& terms(Element e) const { return *polynomials_[e.index()]; }
  [[nodiscard]] Monomial raised(std::uint32_t monomial, const mpq_class& exponent) const;

  template <class T>
  using Index = std::map<T, std::uint32_t>;
  Index<Key> unknowns_;
  std::uint32_t next_unknown_ = 0;
  Index<Monomial> monomial_numbers_;
  std::vector<const Monomial*> monomials_;
  Index<Terms> numbers_;
  std::vector<const Terms*> polynomials_;
  std::unordered_map<std::uint64_t, std::uint32_t> products_;
  std::size_t work_ = 0;
};

}  // namespace partir::validate
