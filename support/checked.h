// Integer arithmetic that reports overflow instead of wrapping, and the floor division of index notation.
#pragma once

#include <cstdint>
#include <optional>

namespace partir {

/// a * b, or nullopt on overflow.
inline std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
  return out;
}

/// a + b, or nullopt on overflow.
inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
  return out;
}

/// The quotient rounded towards minus infinity: floor_divide(-1, 4) is -1. b must be positive.
inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && a < 0) ? q - 1 : q;
}

}  // namespace partir
