// Sums and products merge sorted lists of terms; monomials and polynomials are interned by their contents.
#include "verify/validate/polynomials.h"

#include <algorithm>

namespace partir::validate {
namespace {

constexpr std::size_t kMostTerms = 3000;
constexpr std::size_t kMostWork = 1'000'000;  ///< most terms that are created in total

Element numbered(std::uint32_t number) { return {number, 0}; }

}  // namespace

Polynomials::Polynomials() { monomial({}); }

std::uint32_t Polynomials::monomial(Monomial m) {
  const auto [it, fresh] = monomial_numbers_.try_emplace(std::move(m), static_cast<std::uint32_t>(monomials_.size()));
  if (fresh) monomials_.push_back(&it->first);
  return it->second;
}

Element Polynomials::polynomial(Terms terms) {
  work_ += terms.size() + 1;
  if (terms.size() > kMostTerms || work_ > kMostWork) throw Ring::TooLarge{};
  const auto [it, fresh] = numbers_.try_emplace(std::move(terms), static_cast<std::uint32_t>(polynomials_.size()));
  if (fresh) polynomials_.push_back(&it->first);
  return numbered(it->second);
}

Element Polynomials::constant(double value) {
  if (value == 0) return polynomial({});
  return polynomial({{0, mpq_class(value)}});
}

Element Polynomials::constant(double, std::int64_t value) {
  if (value == 0) return polynomial({});
  return polynomial({{0, mpq_class(static_cast<long>(value))}});
}

Element Polynomials::unknown(const Key& key) {
  const auto [it, fresh] = unknowns_.try_emplace(key, next_unknown_);
  if (fresh) ++next_unknown_;
  return polynomial({{monomial({{it->second, mpq_class(1)}}), mpq_class(1)}});
}

Element Polynomials::add(Element a, Element b) {
  const Terms& x = terms(a);
  const Terms& y = terms(b);
  if (x.empty()) return b;
  if (y.empty()) return a;
  Terms out;
  out.reserve(x.size() + y.size());
  auto i = x.begin();
  auto j = y.begin();
  while (i != x.end() || j != y.end()) {
    if (j == y.end() || (i != x.end() && i->first < j->first)) {
      out.push_back(*i++);
    } else if (i == x.end() || j->first < i->first) {
      out.push_back(*j++);
    } else {
      mpq_class sum = i->second + j->second;
      if (sum != 0) out.emplace_back(i->first, std::move(sum));
      ++i;
      ++j;
    }
  }
  return polynomial(std::move(out));
}

Element Polynomials::negate(Element a) {
  Terms out = terms(a);
  for (auto& [m, c] : out) c = -c;
  return polynomial(std::move(out));
}

std::uint32_t Polynomials::product(std::uint32_t a, std::uint32_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  if (a > b) std::swap(a, b);
  const auto [it, fresh] = products_.try_emplace((std::uint64_t{a} << 32) | b, 0);
  if (!fresh) return it->second;
  const Monomial& x = *monomials_[a];
  const Monomial& y = *monomials_[b];
  Monomial out;
  out.reserve(x.size() + y.size());
  auto i = x.begin();
  auto j = y.begin();
  while (i != x.end() || j != y.end()) {
    if (j == y.end() || (i != x.end() && i->first < j->first)) {
      out.push_back(*i++);
    } else if (i == x.end() || j->first < i->first) {
      out.push_back(*j++);
    } else {
      mpq_class sum = i->second + j->second;
      if (sum != 0) out.emplace_back(i->first, std::move(sum));
      ++i;
      ++j;
    }
  }
  const std::uint32_t number = monomial(std::move(out));
  return products_[(std::uint64_t{a} << 32) | b] = number;
}

Element Polynomials::multiply(Element a, Element b) {
  const Terms& x = terms(a);
  const Terms& y = terms(b);
  if (x.size() * y.size() > 8 * kMostTerms) throw Ring::TooLarge{};
  Terms all;
  all.reserve(x.size() * y.size());
  for (const auto& [m, c] : x) {
    for (const auto& [n, d] : y) all.emplace_back(product(m, n), c * d);
  }
  if (x.size() > 1 || y.size() > 1) {
    std::sort(all.begin(), all.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
    Terms merged;
    for (auto& [m, c] : all) {
      if (!merged.empty() && merged.back().first == m) {
        merged.back().second += c;
        if (merged.back().second == 0) merged.pop_back();
      } else {
        merged.emplace_back(m, std::move(c));
      }
    }
    all = std::move(merged);
  }
  return polynomial(std::move(all));
}

Polynomials::Monomial Polynomials::raised(std::uint32_t number, const mpq_class& exponent) const {
  Monomial out = *monomials_[number];
  if (exponent == 0) return {};
  for (auto& [unknown, e] : out) e *= exponent;
  return out;
}

Element Polynomials::inverse(Element a) {
  const Terms& x = terms(a);
  if (x.empty()) throw Ring::TooLarge{};  // 1 / 0 is undefined
  if (x.size() == 1) return polynomial({{monomial(raised(x[0].first, -1)), 1 / x[0].second}});
  // The greatest common monomial has the least exponent of each unknown, where a term without the unknown counts as
  // exponent 0. It does not depend on how monomials are numbered.
  Monomial common = *monomials_[x[0].first];
  for (const auto& [number, c] : x) {
    Monomial next;
    const Monomial& m = *monomials_[number];
    auto i = common.begin();
    auto j = m.begin();
    while (i != common.end() || j != m.end()) {
      if (j == m.end() || (i != common.end() && i->first < j->first)) {
        if (i->second < 0) next.push_back(*i);
        ++i;
      } else if (i == common.end() || j->first < i->first) {
        if (j->second < 0) next.push_back(*j);
        ++j;
      } else {
        next.push_back(i->second < j->second ? *i : *j);
        ++i;
        ++j;
      }
    }
    common = std::move(next);
  }
  const std::uint32_t common_number = monomial(common);
  const std::uint32_t divisor = monomial(raised(common_number, -1));
  Terms rest;
  for (const auto& [number, c] : x) rest.emplace_back(product(number, divisor), c);
  std::sort(rest.begin(), rest.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
  const mpq_class leading = rest[0].second;
  for (auto& [number, c] : rest) c /= leading;
  const Element primitive = polynomial(std::move(rest));
  const Element inverse_of_primitive = unknown({0xd1u, primitive.lo});
  return multiply(polynomial({{divisor, 1 / leading}}), inverse_of_primitive);
}

Element Polynomials::power(Element a, Ratio exponent) {
  const Terms& x = terms(a);
  if (x.size() != 1 || x[0].second != 1) throw Ring::TooLarge{};
  mpq_class e(static_cast<long>(exponent.numerator), static_cast<unsigned long>(exponent.denominator));
  e.canonicalize();
  return polynomial({{monomial(raised(x[0].first, e)), mpq_class(1)}});
}

}  // namespace partir::validate
