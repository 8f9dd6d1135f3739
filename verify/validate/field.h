// Arithmetic modulo the prime P = 65406 (2^107 - 1) + 1, below 2^123.
//
// Random evaluation (ring.h) works in this field: an identity of polynomials over the rationals holds modulo P, and two
// different polynomials of degree d agree at a random point with probability at most d / P (Schwartz, 1980; Zippel,
// 1979). The multiplicative group has a subgroup of the prime order Q = 2^107 - 1: exponentials are elements of it, so
// that rational multiples of an exponent are powers (inverses modulo Q exist).
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

namespace field {

constexpr std::uint64_t kPrimeLo = 0xffffffffffff0083ULL;
constexpr std::uint64_t kPrimeHi = 0x07fbefffffffffffULL;
constexpr std::uint64_t kMinusInverse = 0xbea18caafb7eb1d5ULL;  ///< -1 / P mod 2^64
constexpr std::uint64_t kCofactor = 65406;                      ///< (P - 1) / Q
constexpr unsigned kSubgroupBits = 107;                         ///< Q = 2^107 - 1

inline Wide wide(Residue a) { return (static_cast<Wide>(a.hi) << 64) | a.lo; }
inline Residue narrow(Wide a) { return {static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(a >> 64)}; }
inline constexpr Wide kPrime = (static_cast<Wide>(kPrimeHi) << 64) | kPrimeLo;

inline Residue add(Residue a, Residue b) {
  const Wide s = wide(a) + wide(b);
  return narrow(s >= kPrime ? s - kPrime : s);
}
inline Residue subtract(Residue a, Residue b) {
  const Wide x = wide(a);
  const Wide y = wide(b);
  return narrow(x >= y ? x - y : x + kPrime - y);
}
inline Residue negate(Residue a) { return a == Residue{} ? a : narrow(kPrime - wide(a)); }

/// The Montgomery product a b / 2^128 mod P.
inline Residue multiply(Residue a, Residue b) {
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
    const std::uint64_t m = s0 * kMinusInverse;
    c = static_cast<Wide>(m) * kPrimeLo + s0;
    c = static_cast<Wide>(m) * kPrimeHi + s1 + (c >> 64);
    t0 = static_cast<std::uint64_t>(c);
    c = static_cast<Wide>(s2) + (c >> 64);
    t1 = static_cast<std::uint64_t>(c);
    t2 = static_cast<std::uint64_t>(c >> 64);
  };
  round(a.lo);
  round(a.hi);
  const Wide s = (static_cast<Wide>(t1) << 64) | t0;
  return narrow(s >= kPrime ? s - kPrime : s);
}

/// The residue of a number, reduced modulo P.
Residue from_wide(Wide value);
Residue from_int(std::int64_t value);
/// a^exponent; the exponent is an ordinary integer, not a residue.
Residue power(Residue a, Wide exponent);
/// 1 / a, or 0 for a = 0.
Residue inverse(Residue a);
/// a^(numerator / denominator) for an element a of the subgroup of order Q. The denominator must not be 0 modulo Q.
Residue subgroup_power(Residue a, std::int64_t numerator, std::uint64_t denominator);
inline Residue one() { return from_int(1); }

/// Hashes a key of 64-bit words, under a seed, to a pseudo-random residue that represents the key's unknown. Each word
/// costs two multiplications of 64 x 64 -> 128 bits.
class KeyHash {
 public:
  explicit KeyHash(std::uint64_t seed);
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

}  // namespace field
}  // namespace partir::validate
