// Square roots. Powers of four come out of a root as powers of two, which is exact of real numbers whatever their size and
// changes neither where the root is defined: sqrt(x / 4) = sqrt(x) / 2.
#include <cmath>

#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

constexpr int kMostFours = 8;

}  // namespace

Algebra::Rooted Algebra::rooted(Element x) {
  if (roots_.find(x) != nullptr) return {x, 1};
  for (int k = 1; k <= kMostFours; ++k) {
    for (const int sign : {1, -1}) {
      const Element of = ring_.multiply(x, ring_.constant(std::ldexp(1.0, -2 * sign * k)));
      if (roots_.find(of) != nullptr) return {of, std::ldexp(1.0, sign * k)};
    }
  }
  roots_.emplace(x, true);
  return {x, 1};
}

Element Algebra::root(ScalarFn fn, Element a, ElementType type) {
  const Element x = canonical(a);
  const Rooted base = rooted(x);
  const Element of[] = {base.of};
  const bool shown = a.is_plain() && sign_of_element(a) == Sign::positive;
  if (!shown) note_partial(name_of(fn), of);
  const Element unscaled = opaque("sqrt", type, of);
  squares_.emplace(unscaled, {base.of, false});
  const Element out = canonical(product(Element::number(base.scale), unscaled, type));
  squares_.emplace(out, {x, false});
  if (fn == ScalarFn::sqrt) return out;
  if (notes_conditions_ && !shown) divisors_.insert(unscaled);
  const Element inverse = ring_.inverse(out);
  squares_.emplace(inverse, {x, true});
  return inverse;
}

}  // namespace partir::validate
