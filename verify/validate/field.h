// Arithmetic modulo a prime P = k Q + 1 between 2^122 and 2^124 that is drawn at random, Q being a prime above 2^107.
//
// Random evaluation (ring.h) works in this field. An identity of polynomials over the rationals holds modulo P. Two
// polynomials that differ have a difference whose coefficients, of at most h bits, all vanish modulo P with probability
// at most h / 107 in about 2^100, as many primes as can be drawn; otherwise they agree at a random point with
// probability at most d / P for degree d (Schwartz, 1980; Zippel, 1979). The prime must not be known to the author of
// the programs: modulo a fixed P the constants c and c + P are equal, and c + P may be a float (docs/adr/0107).
//
// The multiplicative group has a subgroup of the order Q: exponentials are elements of it, so that rational multiples
// of an exponent are powers (inverses modulo Q exist). For their degree e the probability is e / Q.
#pragma once

#include <cstdint>

namespace partir::validate {

__extension__ typedef unsigned __int128 Wide;  // NOLINT(modernize-use-using): `using` has no place for __extension__
__extension__ typedef __int128 Signed;         // NOLINT(modernize-use-using)

/// A residue in Montgomery form: the stored value v represents v / 2^128 mod P.
struct Residue {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;
  friend bool operator==(const Residue&, const Residue&) = default;
};

/// What the prime and the unknowns are drawn from: 128 bits, so that there are more primes than an author can try.
struct Seed {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;
  friend bool operator==(const Seed&, const Seed&) = default;
};

class Field {
 public:
  /// Draws the prime. Takes a few milliseconds; the field of the thread's last seed is kept for the next call.
  static Field of(Seed seed);

  [[nodiscard]] Residue add(Residue a, Residue b) const {
    const Wide s = wide(a) + wide(b);
    return narrow(s >= prime_ ? s - prime_ : s);
  }
  [[nodiscard]] Residue subtract(Residue a, Residue b) const {
    const Wide x = wide(a);
    const Wide y = wide(b);
    return narrow(x >= y ? x - y : x + prime_ - y);
  }
  [[nodiscard]] Residue negate(Residue a) const { return a == Residue{} ? a : narrow(prime_ - wide(a)); }

  /// The Montgomery product a b / 2^128 mod P.
  [[nodiscard]] Residue multiply(Residue a, Residue b) const {
    const auto prime_lo = static_cast<std::uint64_t>(prime_);
    const auto prime_hi = static_cast<std::uint64_t>(prime_ >> 64);
    // Two rounds: each adds a.limb * b and a multiple of P that clears the lowest limb.
    std::uint64_t t0 = 0;
    std::uint64_t t1 = 0;
    std::uint64_t t2 = 0;
    const auto round = [&](std::uint64_t limb) {
      Wide c = static_cast<Wide>(limb) * b.lo + t0;
      const auto s0 = static_cast<std::uint64_t>(c);
      c = static_cast<Wide>(limb) * b.hi + t1 + (c >> 64);
      const auto s1 = static_cast<std::uint64_t>(c);
      const std::uint64_t s2 = t2 + static_cast<std::uint64_t>(c >> 64);
      const std::uint64_t m = s0 * minus_inverse_;
      c = static_cast<Wide>(m) * prime_lo + s0;
      c = static_cast<Wide>(m) * prime_hi + s1 + (c >> 64);
      t0 = static_cast<std::uint64_t>(c);
      c = static_cast<Wide>(s2) + (c >> 64);
      t1 = static_cast<std::uint64_t>(c);
      t2 = static_cast<std::uint64_t>(c >> 64);
    };
    round(a.lo);
    round(a.hi);
    const Wide s = (static_cast<Wide>(t1) << 64) | t0;
    return narrow(s >= prime_ ? s - prime_ : s);
  }

  /// The residue of a number, reduced modulo P.
  [[nodiscard]] Residue from_wide(Wide value) const { return multiply(narrow(value % prime_), radix_squared_); }
  [[nodiscard]] Residue from_int(std::int64_t value) const;
  [[nodiscard]] Residue one() const { return from_int(1); }
  /// a^exponent; the exponent is an ordinary integer, not a residue.
  [[nodiscard]] Residue power(Residue a, Wide exponent) const;
  /// 1 / a, or 0 for a = 0.
  [[nodiscard]] Residue inverse(Residue a) const { return power(a, prime_ - 2); }
  /// An element of the subgroup of order Q.
  [[nodiscard]] Residue subgroup_element(Residue a) const { return power(a, cofactor_); }
  /// a^(numerator / denominator) for an element a of the subgroup of order Q. The denominator must not be 0 modulo Q.
  [[nodiscard]] Residue subgroup_power(Residue a, std::int64_t numerator, std::uint64_t denominator) const;
  [[nodiscard]] Wide prime() const { return prime_; }

 private:
  explicit Field(Seed seed);

  static Wide wide(Residue a) { return (static_cast<Wide>(a.hi) << 64) | a.lo; }
  static Residue narrow(Wide a) { return {static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(a >> 64)}; }
  [[nodiscard]] Wide multiply_mod_order(Wide a, Wide b) const;
  [[nodiscard]] Wide inverse_mod_order(Wide a) const;

  Wide prime_ = 0;                   ///< P
  Wide order_ = 0;                   ///< Q
  Wide cofactor_ = 0;                ///< (P - 1) / Q
  std::uint64_t minus_inverse_ = 0;  ///< -1 / P mod 2^64
  Residue radix_squared_;            ///< 2^256 mod P
};

/// Hashes a key of 64-bit words, under a seed, to a pseudo-random residue that represents the key's unknown. Each word
/// costs two multiplications of 64 x 64 -> 128 bits.
class KeyHash {
 public:
  explicit KeyHash(Seed seed);
  void add(std::uint64_t word);
  void add(Residue r) {
    add(r.lo);
    add(r.hi);
  }
  /// The hash, 128 bits.
  [[nodiscard]] Residue bits() const;
  /// The hash as one of 2^122 equally likely residues.
  [[nodiscard]] Residue residue() const;

 private:
  std::uint64_t a_;
  std::uint64_t b_;
  std::uint64_t count_ = 0;
};

}  // namespace partir::validate
