// Square roots. A power of four is taken out of a root as a power of two: sqrt(x / 4) = sqrt(x) / 2. This is exact for
// real numbers of any size and does not change where the root is defined.
#include <cmath>

#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

constexpr int kMostFours = 8;  ///< powers of four up to 4^8 and 4^-8 are tried

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
