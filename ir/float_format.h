// The binary floating-point formats of StableHLO (specification, section "Types"), and rounding to these formats.
#pragma once

#include <cstdint>

#include "ir/types.h"

namespace partir {

/// A format of at most 64 bits: from the most significant bit, a sign (unless `has_sign` is false), exponent, mantissa.
struct FloatFormat {
  /// The codes that are not finite numbers.
  enum class Special : std::uint8_t {
    ieee,            ///< the highest exponent encodes infinities and NaNs
    nan_all_ones,    ///< no infinities; NaN is all ones (FN)
    nan_minus_zero,  ///< no infinities; NaN is the code of -0 (FNUZ)
    finite,          ///< finite numbers only
  };
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
  bool has_sign = true;
  bool has_zero = true;
};

/// The format of a type, which must be a float.
const FloatFormat& float_format(ElementType type);

/// True if `wide` represents every value of `narrow`: numbers, infinities, NaN, and -0.
///   f8E4M3FN in f16                   true
///   f8E4M3FN in f8E4M3 or f8E4M3FNUZ  false: 448 is too large for both, though exponent and mantissa are as wide
bool holds_all_of(ElementType wide, ElementType narrow);

/// The bits of the nearest value of the format, ties to even. A value that is too large becomes infinity; in a format
/// without infinities NaN, and in a format without NaN the largest number. A NaN keeps its sign, and as much of its
/// payload as the format has.
std::uint64_t to_float_bits(double value, ElementType type);
double from_float_bits(std::uint64_t bits, ElementType type);

/// The result of stablehlo.reduce_precision on a value of `type`: rounds to fewer mantissa bits, ties to even. With
/// fewer exponent bits, a value that is too large becomes infinite and a value that would be subnormal becomes zero.
double reduce_precision(double value, ElementType type, int exponent_bits, int mantissa_bits);

}  // namespace partir
