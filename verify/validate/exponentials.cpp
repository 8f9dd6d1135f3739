// Exponentials and logarithms. Each element x of a tracked sum has an exponential E(x), which is exp(x): an unknown if
// nothing is known of x, E(a) E(b) for x = a + b, 1 / E(a) for x = -a, s for x = log(s). Two elements with the same
// exponential are equal, and the one met first represents both. This is how
//
//   log(sum exp(x - m)) + m   is recognised as   log(sum exp(x - M)) + M
//
// max(a, b) + log(1 + exp(-|a - b|)), which is how JAX computes logaddexp, is log(exp(a) + exp(b)). The logarithm of two
// exponentials is (a + b) / 2 + log(2 cosh((a - b) / 2)), an even function of a - b, so that
//   log(1 + exp(x)) = x + log(1 + exp(-x)),   log(1 + exp(-|x|)) = log(1 + exp(-x)) + min(x, 0)
// hold wherever these logarithms are added or multiplied.
#include <algorithm>
#include <cmath>

#include "verify/validate/algebra.h"

namespace partir::validate {

Algebra::Exponential Algebra::exponential(Element a) {
  if (const Exponential* e = exponentials_.find(a)) return *e;
  Exponential out;
  if (ring_.is_zero(a)) {
    out = {ring_.one(), true};
  } else if (const auto v = known(a);
             v && std::fabs(*v) < 1e6 && std::ldexp(*v, 40) == std::floor(std::ldexp(*v, 40))) {
    // exp(c) is the power c of exp(1): c = numerator / 2^k.
    Ratio ratio{static_cast<std::int64_t>(std::ldexp(*v, 40)), std::int64_t{1} << 40};
    while (ratio.numerator % 2 == 0 && ratio.denominator > 1) {
      ratio.numerator /= 2;
      ratio.denominator /= 2;
    }
    out = {ring_.exponential_power(ring_.unknown_exponential({record("exp")}), ratio), true};
  } else {
    // Opposite numbers have inverse exponentials.
    const Element opposite = ring_.negate(a);
    if (const Exponential* other = exponentials_.find(opposite)) {
      out = {ring_.inverse(other->value), other->has_roots};
    } else {
      out = {ring_.unknown_exponential(key(record("exp"), std::span(&a, 1))), true};
    }
  }
  exponentials_.emplace(a, out);
  logarithms_.emplace(out.value, a);
  return out;
}

Element Algebra::tracked(Element sum, Exponential e) {
  if (exponentials_.contains(sum)) return sum;
  if (const Element* first = logarithms_.find(e.value)) return *first;
  logarithms_.emplace(e.value, sum);
  exponentials_.emplace(sum, e);
  return sum;
}

Element Algebra::exp(Element a) {
  if (a.is(Special::minus_infinity)) return Element::number(0);
  if (a.is(Element::Kind::special)) return a;
  if (a == Element::number(0)) return Element::number(1);
  return exponential(canonical(a)).value;
}

Element Algebra::log(Element a) {
  if (a.is(Element::Kind::special)) return a;
  const Element x = canonical(a);
  if (x == ring_.one()) return Element::number(0);
  if (const Element* known_log = logarithms_.find(x)) return *known_log;
  const Element out =
      exponents_.contains(x) ? log_of_pair(*exponents_.find(x)) : ring_.unknown(key(record("log"), std::span(&x, 1)));
  exponentials_.emplace(out, Exponential{x, false});
  logarithms_.emplace(x, out);
  return out;
}

void Algebra::note_exponents(Element sum, Element x, Element y) {
  const auto exponent = [&](Element e) -> std::optional<Element> {
    if (e == ring_.one()) return ring_.zero();
    const Element* a = logarithms_.find(e);
    return a != nullptr ? std::optional(*a) : std::nullopt;
  };
  const auto a = exponent(x);
  const auto b = exponent(y);
  if (a && b) exponents_.emplace(sum, Exponents{*a, *b});
}

std::optional<Element> Algebra::of_magnitude(Element e) const {
  const auto it = members_.find(e);
  if (it == members_.end() || it->second.size() != 2 || it->second[0] != ring_.negate(it->second[1]))
    return std::nullopt;
  return it->second[0];
}

Element Algebra::log_of_pair(const Exponents& of) {
  const Element half = ring_.constant(0.5);
  const Element mean = ring_.multiply(half, ring_.add(of.a, of.b));
  Element d = ring_.subtract(of.a, of.b);
  for (const Element e : {d, ring_.negate(d)}) {
    if (const auto c = of_magnitude(e)) d = *c;
  }
  if (const Element opposite = ring_.negate(d); ElementOrder()(opposite, d)) d = opposite;
  return ring_.add(mean, ring_.unknown(key(record("log of 2 cosh of half"), std::span(&d, 1))));
}

std::optional<Element> Algebra::log_of_sum(Element x, Element y) {
  const auto greatest = members_.find(x);
  const Exponential* power = exponentials_.find(y);
  if (greatest == members_.end() || greatest->second.size() != 2 || power == nullptr) return std::nullopt;
  const Exponents* of = exponents_.find(power->value);
  if (of == nullptr || (!ring_.is_zero(of->a) && !ring_.is_zero(of->b))) return std::nullopt;
  const auto d = of_magnitude(ring_.negate(ring_.add(of->a, of->b)));  // one of the exponents is 0
  if (!d) return std::nullopt;
  const Element a = canonical(greatest->second[0]);
  const Element b = canonical(greatest->second[1]);
  if (ring_.subtract(a, b) != *d && ring_.subtract(b, a) != *d) return std::nullopt;
  const Element sum = ring_.add(exponential(a).value, exponential(b).value);
  exponents_.emplace(sum, Exponents{a, b});
  const Element out = log(sum);
  logs_of_sums_[out].emplace_back(a, b);
  return out;
}

bool Algebra::guards_log_of_sum(Element is_nan, Element sum, Element e) {
  if (!is_nan.is(Element::Kind::linear) || !e.is_plain()) return false;
  const Linear& l = linears_[is_nan.index()];
  const auto asked = nan_.find(l.variable);
  const auto pairs = logs_of_sums_.find(e);
  if (asked == nan_.end() || pairs == logs_of_sums_.end() || l.slope != 1 || l.offset != 0) return false;
  const Element s = canonical(sum);
  return std::any_of(pairs->second.begin(), pairs->second.end(), [&](const auto& pair) {
    const auto& [a, b] = pair;
    return ring_.add(a, b) == s && (ring_.subtract(a, b) == asked->second || ring_.subtract(b, a) == asked->second);
  });
}

}  // namespace partir::validate
