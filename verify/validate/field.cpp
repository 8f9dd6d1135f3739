// The parts of field arithmetic that are not inlined: how the prime is drawn, powers, inverses, and hashing of keys.
#include "verify/validate/field.h"

#include <gmpxx.h>

#include <array>

namespace partir::validate {
namespace {

constexpr unsigned kOrderBits = 108;       ///< of Q
constexpr unsigned kMostCofactor = 65536;  ///< k is at least half of it, so P has 123 or 124 bits
constexpr int kRounds = 32;                ///< of Miller and Rabin's test: a composite passes with probability 4^-32

/// The high and low halves of x * y combined by xor.
std::uint64_t mixed(std::uint64_t x, std::uint64_t y) {
  const Wide p = static_cast<Wide>(x) * y;
  return static_cast<std::uint64_t>(p) ^ static_cast<std::uint64_t>(p >> 64);
}

Wide wide_of(const mpz_class& n) {
  std::array<std::uint64_t, 2> words{};
  mpz_export(words.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, n.get_mpz_t());
  return (static_cast<Wide>(words[1]) << 64) | words[0];
}

}  // namespace

Field Field::of(Seed seed) {
  thread_local Seed last = seed;
  thread_local Field field(seed);
  if (last != seed) {
    field = Field(seed);
    last = seed;
  }
  return field;
}

Field::Field(Seed seed) {
  KeyHash draws(seed);
  const auto draw = [&] {
    draws.add(1);
    return draws.bits();
  };
  const auto is_prime = [](const mpz_class& n) { return mpz_probab_prime_p(n.get_mpz_t(), kRounds) != 0; };
  const auto prime_of_order = [&](const mpz_class& order) -> bool {
    const auto half = kMostCofactor / 2;
    const auto first = static_cast<unsigned>(draw().lo % (half / 2));
    for (unsigned n = 0; n < half / 2; ++n) {
      const unsigned k = half + 2 * ((first + n) % (half / 2));  // even, as P and Q are odd
      const mpz_class prime = order * k + 1;
      if (!is_prime(prime)) continue;
      prime_ = wide_of(prime);
      cofactor_ = k;
      return true;
    }
    return false;
  };
  mpz_class order;
  do {
    const Residue bits = draw();
    const std::array<std::uint64_t, 2> words{bits.lo | 1,
                                             (bits.hi >> (128 - kOrderBits)) | (std::uint64_t{1} << (kOrderBits - 65))};
    mpz_import(order.get_mpz_t(), words.size(), -1, sizeof(std::uint64_t), 0, 0, words.data());
  } while (!is_prime(order) || !prime_of_order(order));
  order_ = wide_of(order);

  const auto low = static_cast<std::uint64_t>(prime_);
  std::uint64_t inverse = low;  // of P mod 2^64, by Newton's iteration: each step doubles the number of right bits
  for (int k = 0; k < 6; ++k) inverse *= 2 - low * inverse;
  minus_inverse_ = ~inverse + 1;
  Wide r = (~static_cast<Wide>(0)) % prime_ + 1;  // 2^128 mod P
  for (int k = 0; k < 128; ++k) {
    r += r;
    if (r >= prime_) r -= prime_;
  }
  radix_squared_ = narrow(r);
}

/// a b mod Q, computed by shifts and additions.
Wide Field::multiply_mod_order(Wide a, Wide b) const {
  Wide out = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) {
      out += a;
      if (out >= order_) out -= order_;
    }
    a += a;
    if (a >= order_) a -= order_;
  }
  return out;
}

Wide Field::inverse_mod_order(Wide a) const {
  Wide out = 1;
  Wide base = a % order_;
  for (Wide e = order_ - 2; e != 0; e >>= 1) {
    if ((e & 1) != 0) out = multiply_mod_order(out, base);
    base = multiply_mod_order(base, base);
  }
  return out;
}

Residue Field::from_int(std::int64_t value) const {
  if (value >= 0) return from_wide(static_cast<Wide>(value));
  return negate(from_wide(static_cast<Wide>(-static_cast<Signed>(value))));
}

Residue Field::power(Residue a, Wide exponent) const {
  Residue out = from_int(1);
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) out = multiply(out, a);
    a = multiply(a, a);
  }
  return out;
}

Residue Field::subgroup_power(Residue a, std::int64_t numerator, std::uint64_t denominator) const {
  const bool negative = numerator < 0;
  const Wide n = static_cast<Wide>(negative ? -static_cast<Signed>(numerator) : static_cast<Signed>(numerator));
  const Wide e = denominator == 1 ? n % order_ : multiply_mod_order(n % order_, inverse_mod_order(denominator));
  return power(a, negative && e != 0 ? order_ - e : e);
}

KeyHash::KeyHash(Seed seed)
    : a_(mixed(seed.lo ^ 0x9e3779b97f4a7c15ULL, seed.hi ^ 0xd1342543de82ef95ULL)),
      b_(mixed(seed.hi ^ 0x2545f4914f6cdd1dULL, seed.lo ^ 0xaf251af3b0f025b5ULL)) {}

void KeyHash::add(std::uint64_t word) {
  ++count_;
  const std::uint64_t x = a_;
  a_ = mixed(word ^ b_ ^ 0xa0761d6478bd642fULL, x ^ (0xe7037ed1a0b428dbULL + count_));
  b_ = mixed(word ^ x ^ 0x8ebc6af09c88c6e3ULL, b_ ^ (0x589965cc75374cc3ULL * count_)) + a_;
}

Residue KeyHash::bits() const {
  const std::uint64_t x = mixed(a_ ^ 0x1d8e4e27c47d124fULL, b_ ^ (count_ * 0xeb44accab455d165ULL));
  const std::uint64_t y = mixed(b_ ^ 0x9fb21c651e98df25ULL, x ^ a_);
  return {x ^ (a_ << 1), y ^ b_};
}

Residue KeyHash::residue() const {
  // Keeps the low 122 bits; the prime is larger.
  const Residue r = bits();
  return {r.lo, r.hi & ((std::uint64_t{1} << 58) - 1)};
}

}  // namespace partir::validate
