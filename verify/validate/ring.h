// The ring of plain elements: the field of residues (field.h) or, for exact evaluation, polynomials over the rationals
// (polynomials.h), with which a proof has no probability of error.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "verify/validate/element.h"

namespace partir::validate {

/// Identifies an unknown: the complete record of what it represents, as 64-bit words.
using Key = std::vector<std::uint64_t>;

struct KeyHasher {
  std::size_t operator()(const Key& key) const noexcept {
    std::uint64_t h = key.size();
    for (const std::uint64_t w : key) h = (h ^ w) * 0x9e3779b97f4a7c15ULL + (h >> 31);
    return static_cast<std::size_t>(h);
  }
};

class Polynomials;

/// A rational exponent.
struct Ratio {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
};

class Ring {
 public:
  /// `exact` selects polynomials over the rationals instead of residues. An exact ring throws TooLarge if they grow too
  /// long or an operation has no polynomial result.
  Ring(Seed seed, bool exact);
  ~Ring();

  struct TooLarge {};

  [[nodiscard]] bool exact() const { return polynomials_ != nullptr; }

  [[nodiscard]] Element constant(std::int64_t value) const;
  /// The exact value of a finite double.
  [[nodiscard]] Element constant(double value) const;
  /// The unknown for a key. Equal keys yield equal unknowns.
  [[nodiscard]] Element unknown(const Key& key) const;
  /// As above, but an element that has rational powers (exponential_power).
  [[nodiscard]] Element unknown_exponential(const Key& key) const;

  [[nodiscard]] Element add(Element a, Element b) const {
    return polynomials_ == nullptr ? Element::plain(field_.add(a.residue(), b.residue())) : exact_add(a, b);
  }
  [[nodiscard]] Element subtract(Element a, Element b) const {
    return polynomials_ == nullptr ? Element::plain(field_.subtract(a.residue(), b.residue()))
                                   : exact_add(a, exact_negate(b));
  }
  [[nodiscard]] Element negate(Element a) const {
    return polynomials_ == nullptr ? Element::plain(field_.negate(a.residue())) : exact_negate(a);
  }
  [[nodiscard]] Element multiply(Element a, Element b) const {
    return polynomials_ == nullptr ? Element::plain(field_.multiply(a.residue(), b.residue())) : exact_multiply(a, b);
  }
  [[nodiscard]] Element inverse(Element a) const;
  /// A rational power of a product of exponentials. The caller must ensure that `a` is one; this is not checked.
  [[nodiscard]] Element exponential_power(Element a, Ratio exponent) const;
  [[nodiscard]] bool is_zero(Element a) const { return a == zero_; }
  [[nodiscard]] Element zero() const { return zero_; }
  [[nodiscard]] Element one() const { return one_; }

 private:
  [[nodiscard]] Element exact_add(Element a, Element b) const;
  [[nodiscard]] Element exact_negate(Element a) const;
  [[nodiscard]] Element exact_multiply(Element a, Element b) const;

  Seed seed_;
  Field field_;
  std::unique_ptr<Polynomials> polynomials_;
  Element zero_;
  Element one_;
  mutable std::unordered_map<std::uint64_t, Element> doubles_;
};

}  // namespace partir::validate
