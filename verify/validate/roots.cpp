// Square roots. A power of four is taken out of a root as a power of two: sqrt(x / 4) = sqrt(x) / 2. This is exact for
// real numbers of any size and does not change where the root is defined. The square of a root is its radicand, also
// where the two are factors of longer products: (sqrt(x) a) b sqrt(x) = x a b.
#include <algorithm>
#include <cmath>

#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

constexpr int kMostFours = 8;            ///< powers of four up to 4^8 and 4^-8 are tried
constexpr std::size_t kMostFactors = 2;  ///< roots that are followed in one product
constexpr int kMostNestedRoots = 6;      ///< products of roots in what other roots are multiplied by

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
  if (!shown && !takes_radicands_) note_partial("sqrt", of);
  const Element unscaled = opaque("sqrt", type, of);
  note_root(unscaled, base.of, false);
  const Element out = canonical(product(Element::number(base.scale), unscaled, type));
  if (fn == ScalarFn::sqrt) return out;
  if (notes_conditions_ && !shown) divisors_.note(unscaled, path_);
  const Element inverse = ring_.inverse(out);
  note_roots_of_inverse(inverse, out);
  return inverse;
}

const Algebra::RootFactors& Algebra::root_factors(Element e) const {
  static const RootFactors none;
  const RootFactors* of = root_factors_.find(e);
  return of == nullptr ? none : *of;
}

void Algebra::note_root(Element root, Element radicand, bool inverse) {
  squares_.emplace(root, {radicand, inverse});
  root_factors_.emplace(root, RootFactors{{root, ring_.one()}});
}

void Algebra::note_root_factors(Element e, RootFactors factors) {
  if (factors.size() > kMostFactors) factors.resize(kMostFactors);
  if (!factors.empty()) root_factors_.emplace(e, std::move(factors));
}

Element Algebra::product_of_roots(Element x, Element y, int depth) {
  if (root_factors_.size() == 0 || depth > kMostNestedRoots) return ring_.multiply(x, y);
  const RootFactors of_x = root_factors(x);  // copies, as the map grows below
  const RootFactors of_y = root_factors(y);
  for (const RootFactor& f : of_x) {
    for (const RootFactor& g : of_y) {
      const Square square = *squares_.find(f.root);
      const Square other = *squares_.find(g.root);
      if (square.of != other.of) continue;
      const Element rest = product_of_roots(f.rest, g.rest, depth + 1);
      if (square.inverse != other.inverse) return rest;  // r and 1 / r
      return product_of_roots(square.inverse ? ring_.inverse(square.of) : square.of, rest, depth + 1);
    }
  }
  const Element out = ring_.multiply(x, y);
  if ((of_x.empty() && of_y.empty()) || root_factors_.contains(out)) return out;
  RootFactors factors;
  for (const RootFactor& f : of_x) factors.push_back({f.root, product_of_roots(f.rest, y, depth + 1)});
  for (const RootFactor& g : of_y) factors.push_back({g.root, product_of_roots(x, g.rest, depth + 1)});
  note_root_factors(out, std::move(factors));
  return out;
}

void Algebra::note_roots_of_opposite(Element opposite, Element x) {
  if (root_factors_.size() == 0) return;
  RootFactors factors = root_factors(x);
  for (RootFactor& f : factors) f.rest = ring_.negate(f.rest);
  note_root_factors(opposite, std::move(factors));
}

void Algebra::note_roots_of_sum(Element sum, Element x, Element y) {
  if (root_factors_.size() == 0) return;
  RootFactors factors;
  for (const RootFactor& f : root_factors(x)) {
    for (const RootFactor& g : root_factors(y)) {
      if (f.root == g.root) factors.push_back({f.root, ring_.add(f.rest, g.rest)});
    }
  }
  note_root_factors(sum, std::move(factors));
}

void Algebra::note_roots_of_inverse(Element inverse, Element x) {
  if (root_factors_.size() == 0) return;
  RootFactors factors;
  for (const RootFactor& f : RootFactors(root_factors(x))) {
    const Square square = *squares_.find(f.root);
    const Element root = ring_.inverse(f.root);
    note_root(root, square.of, !square.inverse);
    factors.push_back({root, ring_.inverse(f.rest)});
  }
  note_root_factors(inverse, std::move(factors));
}

}  // namespace partir::validate
