// The parts of field arithmetic that are not inlined: conversions, powers, inverses, and hashing of keys.
#include "verify/validate/field.h"

namespace partir::validate::field {
namespace {

/// 2^256 mod P, computed by doubling 2^128 mod P 128 times.
Residue radix_squared() {
  Wide r = (~static_cast<Wide>(0)) % kPrime + 1;  // 2^128 mod P
  for (int k = 0; k < 128; ++k) {
    r += r;
    if (r >= kPrime) r -= kPrime;
  }
  return narrow(r);
}

/// The high and low halves of x * y combined by xor.
std::uint64_t mixed(std::uint64_t x, std::uint64_t y) {
  const Wide p = static_cast<Wide>(x) * y;
  return static_cast<std::uint64_t>(p) ^ static_cast<std::uint64_t>(p >> 64);
}

constexpr Wide kOrder = (static_cast<Wide>(1) << kSubgroupBits) - 1;

/// a b mod Q, computed by shifts and additions.
Wide multiply_mod_order(Wide a, Wide b) {
  Wide out = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) {
      out += a;
      if (out >= kOrder) out -= kOrder;
    }
    a += a;
    if (a >= kOrder) a -= kOrder;
  }
  return out;
}

Wide inverse_mod_order(Wide a) {
  Wide out = 1;
  Wide base = a % kOrder;
  for (Wide e = kOrder - 2; e != 0; e >>= 1) {
    if ((e & 1) != 0) out = multiply_mod_order(out, base);
    base = multiply_mod_order(base, base);
  }
  return out;
}

}  // namespace

Residue from_wide(Wide value) {
  static const Residue r2 = radix_squared();
  return multiply(narrow(value % kPrime), r2);
}

Residue from_int(std::int64_t value) {
  if (value >= 0) return from_wide(static_cast<Wide>(value));
  return negate(from_wide(static_cast<Wide>(-static_cast<Signed>(value))));
}

Residue power(Residue a, Wide exponent) {
  Residue out = from_int(1);
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) out = multiply(out, a);
    a = multiply(a, a);
  }
  return out;
}

Residue inverse(Residue a) { return power(a, kPrime - 2); }

Residue subgroup_power(Residue a, std::int64_t numerator, std::uint64_t denominator) {
  const bool negative = numerator < 0;
  const Wide n = static_cast<Wide>(negative ? -static_cast<Signed>(numerator) : static_cast<Signed>(numerator));
  const Wide e = denominator == 1 ? n % kOrder : multiply_mod_order(n % kOrder, inverse_mod_order(denominator));
  return power(a, negative && e != 0 ? kOrder - e : e);
}

KeyHash::KeyHash(std::uint64_t seed)
    : a_(mixed(seed ^ 0x9e3779b97f4a7c15ULL, 0xd1342543de82ef95ULL)),
      b_(mixed(seed ^ 0x2545f4914f6cdd1dULL, 0xaf251af3b0f025b5ULL)) {}

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

}  // namespace partir::validate::field
