// Dispatches between residues and polynomials. Doubles become residues as mantissa * 2^exponent, and are cached.
#include "verify/validate/ring.h"

#include <cmath>

#include "verify/validate/polynomials.h"

namespace partir::validate {
namespace {

Residue hashed(Seed seed, const Key& key) {
  KeyHash hash(seed);
  for (const std::uint64_t word : key) hash.add(word);
  return hash.residue();
}

}  // namespace

Ring::Ring(Seed seed, bool exact)
    : seed_(seed), field_(Field::of(seed)), polynomials_(exact ? std::make_unique<Polynomials>() : nullptr) {
  zero_ = constant(std::int64_t{0});
  one_ = constant(std::int64_t{1});
}
Ring::~Ring() = default;

Element Ring::constant(std::int64_t value) const {
  return polynomials_ != nullptr ? polynomials_->constant(static_cast<double>(value), value)
                                 : Element::plain(field_.from_int(value));
}

Element Ring::constant(double value) const {
  const auto [it, fresh] = doubles_.try_emplace(std::bit_cast<std::uint64_t>(value));
  if (!fresh) return it->second;
  if (polynomials_ != nullptr) return it->second = polynomials_->constant(value);
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  const Residue two = field_.from_int(2);
  const Residue scale = field_.power(two, static_cast<Wide>(exponent < 0 ? -exponent : exponent));
  const Residue m = field_.from_int(mantissa);
  return it->second = Element::plain(field_.multiply(m, exponent < 0 ? field_.inverse(scale) : scale));
}

Element Ring::unknown(const Key& key) const {
  return polynomials_ != nullptr ? polynomials_->unknown(key) : Element::plain(hashed(seed_, key));
}

Element Ring::unknown_exponential(const Key& key) const {
  if (polynomials_ != nullptr) return polynomials_->unknown(key);
  return Element::plain(field_.subgroup_element(hashed(seed_, key)));
}

Element Ring::inverse(Element a) const {
  return polynomials_ != nullptr ? polynomials_->inverse(a) : Element::plain(field_.inverse(a.residue()));
}

Element Ring::exponential_power(Element a, Ratio exponent) const {
  if (polynomials_ != nullptr) return polynomials_->power(a, exponent);
  return Element::plain(
      field_.subgroup_power(a.residue(), exponent.numerator, static_cast<std::uint64_t>(exponent.denominator)));
}

Element Ring::exact_add(Element a, Element b) const { return polynomials_->add(a, b); }
Element Ring::exact_negate(Element a) const { return polynomials_->negate(a); }
Element Ring::exact_multiply(Element a, Element b) const { return polynomials_->multiply(a, b); }

}  // namespace partir::validate
