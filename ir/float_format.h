// The binary floating-point formats of StableHLO (specification, section "Types") and rounding to them.
#pragma once

#include <cstdint>

#include "ir/types.h"

namespace partir {

/// A format of at most 64 bits: sign (unless it has none), exponent, mantissa, from the top.
struct FloatFormat {
  /// What the codes of the highest exponent mean.
  enum class Special : std::uint8_t {
    ieee,            ///< infinities and NaNs
    nan_all_ones,    ///< no infinities; NaN is all ones (FN)
    nan_minus_zero,  ///< no infinities; NaN is the code of -0 (FNUZ)
    finite,          ///< numbers only
  };
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
  bool has_sign = true;
  bool has_zero = true;
};

/// The type must be a float.
const FloatFormat& float_format(ElementType type);

/// Whether every value of `narrow` is one of `wide`: numbers, infinities, NaN, and -0.
///   f8E4M3FN in f16                   true
///   f8E4M3FN in f8E4M3 or f8E4M3FNUZ  false: 448 is too large for both, though exponent and mantissa are as wide
bool holds_all_of(ElementType wide, ElementType narrow);

/// Bits of the nearest value of the format, ties to even. What is too large becomes the infinity, without one NaN,
/// without that the largest number.
std::uint64_t to_float_bits(double value, ElementType type);
double from_float_bits(std::uint64_t bits, ElementType type);

/// What reduce_precision gives of a value of `type`: fewer mantissa bits, ties to even; with fewer exponent bits too
/// large becomes infinite and what would be subnormal zero.
double reduce_precision(double value, ElementType type, int exponent_bits, int mantissa_bits);

}  // namespace partir
