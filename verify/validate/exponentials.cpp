// Exponentials and logarithms. Each element x of a tracked sum has an exponential E(x), which is exp(x): an unknown if
// nothing is known of x, E(a) E(b) for x = a + b, 1 / E(a) for x = -a, s for x = log(s). Two elements with the same
// exponential are equal, and the one met first represents both. This is how
//
//   log(sum exp(x - m)) + m   is recognised as   log(sum exp(x - M)) + M
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
  const Element out = ring_.unknown(key(record("log"), std::span(&x, 1)));
  exponentials_.emplace(out, Exponential{x, false});
  logarithms_.emplace(x, out);
  return out;
}

}  // namespace partir::validate
