#include "ir/float_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/check.h"

namespace partir {
namespace {

using Special = FloatFormat::Special;

constexpr int kMantissaOfDouble = 52;  // bits

/// Rounds to the nearest multiple of 2^max(e - mantissa_bits, lowest), where e is the exponent of the magnitude; ties
/// to even.
double round_mantissa(double magnitude, int mantissa_bits, int lowest) {
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = fraction * 2^exponent with fraction in [1/2, 1)
  const int last = std::max(exponent - 1 - mantissa_bits, lowest);
  return std::ldexp(std::nearbyint(std::ldexp(magnitude, -last)), last);
}

}  // namespace

const FloatFormat& float_format(ElementType type) {
  static constexpr FloatFormat f4e2m1fn{2, 1, 1, Special::finite};
  static constexpr FloatFormat f6e2m3fn{2, 3, 1, Special::finite};
  static constexpr FloatFormat f6e3m2fn{3, 2, 3, Special::finite};
  static constexpr FloatFormat f8e3m4{3, 4, 3, Special::ieee};
  static constexpr FloatFormat f8e4m3{4, 3, 7, Special::ieee};
  static constexpr FloatFormat f8e4m3b11fnuz{4, 3, 11, Special::nan_minus_zero};
  static constexpr FloatFormat f8e4m3fn{4, 3, 7, Special::nan_all_ones};
  static constexpr FloatFormat f8e4m3fnuz{4, 3, 8, Special::nan_minus_zero};
  static constexpr FloatFormat f8e5m2{5, 2, 15, Special::ieee};
  static constexpr FloatFormat f8e5m2fnuz{5, 2, 16, Special::nan_minus_zero};
  static constexpr FloatFormat f8e8m0fnu{8, 0, 127, Special::nan_all_ones, false, false};
  static constexpr FloatFormat bf16{8, 7, 127, Special::ieee};
  static constexpr FloatFormat f16{5, 10, 15, Special::ieee};
  static constexpr FloatFormat f32{8, 23, 127, Special::ieee};
  static constexpr FloatFormat f64{11, 52, 1023, Special::ieee};
  switch (type) {
    case ElementType::f4E2M1FN: return f4e2m1fn;
    case ElementType::f6E2M3FN: return f6e2m3fn;
    case ElementType::f6E3M2FN: return f6e3m2fn;
    case ElementType::f8E3M4: return f8e3m4;
    case ElementType::f8E4M3: return f8e4m3;
    case ElementType::f8E4M3B11FNUZ: return f8e4m3b11fnuz;
    case ElementType::f8E4M3FN: return f8e4m3fn;
    case ElementType::f8E4M3FNUZ: return f8e4m3fnuz;
    case ElementType::f8E5M2: return f8e5m2;
    case ElementType::f8E5M2FNUZ: return f8e5m2fnuz;
    case ElementType::f8E8M0FNU: return f8e8m0fnu;
    case ElementType::bf16: return bf16;
    case ElementType::f16: return f16;
    case ElementType::f32: return f32;
    default: break;
  }
  PARTIR_CHECK(type == ElementType::f64, "the format of a type that is no float");
  return f64;
}

bool holds_all_of(ElementType wide, ElementType narrow) {
  if (wide == narrow) return true;
  const FloatFormat& w = float_format(wide);
  const FloatFormat& n = float_format(narrow);
  // The exponent of the last bit of the smallest numbers, and the exponent of the largest number.
  const auto lowest = [](const FloatFormat& f) { return (f.has_zero ? 1 : 0) - f.bias - f.mantissa_bits; };
  const auto highest = [](const FloatFormat& f) {
    const bool top_is_special =
        f.special == Special::ieee || (f.special == Special::nan_all_ones && f.mantissa_bits == 0);
    return (1 << f.exponent_bits) - (top_is_special ? 2 : 1) - f.bias;
  };
  // No two formats with the same highest exponent and mantissa differ in whether the code of all ones is NaN.
  const bool reaches = highest(n) <= highest(w);
  const bool has_nan = n.special == Special::finite || w.special != Special::finite;
  const bool has_infinity = n.special != Special::ieee || w.special == Special::ieee;
  const bool has_minus_zero =
      !n.has_sign || n.special == Special::nan_minus_zero || w.special != Special::nan_minus_zero;
  return n.mantissa_bits <= w.mantissa_bits && lowest(w) <= lowest(n) && reaches && (w.has_sign || !n.has_sign) &&
         (w.has_zero || !n.has_zero) && has_nan && has_infinity && has_minus_zero;
}

std::uint64_t to_float_bits(double value, ElementType type) {
  if (type == ElementType::f64) return std::bit_cast<std::uint64_t>(value);
  if (type == ElementType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const FloatFormat& f = float_format(type);
  const std::uint64_t ones = (std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits)) - 1;  // all but the sign
  const std::uint64_t mantissa_ones = (std::uint64_t{1} << f.mantissa_bits) - 1;
  const std::uint64_t sign_bit = f.has_sign ? ones + 1 : 0;
  const std::uint64_t infinity = ones - mantissa_ones;
  const std::uint64_t nan = f.special == Special::ieee             ? infinity | (mantissa_ones + 1) >> 1
                            : f.special == Special::nan_all_ones   ? ones
                            : f.special == Special::nan_minus_zero ? sign_bit
                                                                   : 0;
  if (!f.has_sign && value < 0) return nan;
  const std::uint64_t sign = std::signbit(value) ? sign_bit : 0;
  if (std::isnan(value)) {
    if (f.special != Special::ieee) return f.special == Special::nan_all_ones ? sign | nan : nan;
    const std::uint64_t payload = std::bit_cast<std::uint64_t>(value) >> (kMantissaOfDouble - f.mantissa_bits);
    return sign | ((payload & mantissa_ones) != 0 ? infinity | (payload & mantissa_ones) : nan);
  }
  // The largest code of a finite number, and the code for values that are too large.
  const std::uint64_t largest = f.special == Special::ieee           ? infinity - 1
                                : f.special == Special::nan_all_ones ? ones - 1
                                                                     : ones;
  const std::uint64_t beyond = f.special == Special::ieee           ? sign | infinity
                               : f.special == Special::finite       ? sign | largest
                               : f.special == Special::nan_all_ones ? sign | nan
                                                                    : nan;
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return beyond;
  const int lowest = (f.has_zero ? 1 : 0) - f.bias - f.mantissa_bits;  // exponent of the smallest numbers' last bit
  const double rounded = round_mantissa(magnitude, f.mantissa_bits, lowest);
  if (rounded == 0) return f.special == Special::nan_minus_zero || !f.has_zero ? 0 : sign;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  const int biased = exponent - 1 + f.bias;
  std::uint64_t code = 0;
  if (biased < 1 && f.has_zero) {
    code = static_cast<std::uint64_t>(std::ldexp(rounded, -lowest));
  } else {
    if (biased >= 1 << f.exponent_bits) return beyond;
    const double fraction = std::ldexp(rounded, 1 - exponent + f.mantissa_bits);  // with the leading one
    code = (static_cast<std::uint64_t>(biased) << f.mantissa_bits) +
           (static_cast<std::uint64_t>(fraction) & mantissa_ones);
  }
  return code > largest ? beyond : sign | code;
}

double from_float_bits(std::uint64_t bits, ElementType type) {
  if (type == ElementType::f64) return std::bit_cast<double>(bits);
  if (type == ElementType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const FloatFormat& f = float_format(type);
  const std::uint64_t ones = (std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits)) - 1;
  const std::uint64_t code = bits & ones;
  const bool negative = f.has_sign && (bits & (ones + 1)) != 0;
  const auto exponent = static_cast<int>(code >> f.mantissa_bits);
  const auto mantissa = static_cast<double>(code & ((std::uint64_t{1} << f.mantissa_bits) - 1));
  const double leading = std::ldexp(1.0, f.mantissa_bits);
  double value = exponent == 0 && f.has_zero ? std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits)
                                             : std::ldexp(leading + mantissa, exponent - f.bias - f.mantissa_bits);
  const bool top = exponent == (1 << f.exponent_bits) - 1;
  const bool nan = (f.special == Special::ieee && top && mantissa != 0) ||
                   (f.special == Special::nan_all_ones && code == ones) ||
                   (f.special == Special::nan_minus_zero && negative && code == 0);
  if (nan) {
    const auto infinity = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
    const std::uint64_t payload = code & ((std::uint64_t{1} << f.mantissa_bits) - 1);
    value = f.special == Special::ieee
                ? std::bit_cast<double>(infinity | payload << (kMantissaOfDouble - f.mantissa_bits))
                : std::numeric_limits<double>::quiet_NaN();
  }
  if (f.special == Special::ieee && top && mantissa == 0) value = std::numeric_limits<double>::infinity();
  return negative ? -value : value;
}

double reduce_precision(double value, ElementType type, int exponent_bits, int mantissa_bits) {
  const auto in_format = [&](double v) { return from_float_bits(to_float_bits(v, type), type); };
  if (std::isnan(value)) return mantissa_bits > 0 ? value : in_format(std::numeric_limits<double>::infinity());
  if (std::isinf(value) || value == 0) return value;
  const FloatFormat& f = float_format(type);
  double rounded = std::fabs(value);
  if (mantissa_bits < f.mantissa_bits) rounded = round_mantissa(rounded, mantissa_bits, 1 - f.bias - mantissa_bits);
  if (exponent_bits < f.exponent_bits) {
    int exponent = 0;
    std::frexp(rounded, &exponent);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (exponent - 1 > bias) rounded = std::numeric_limits<double>::infinity();
    if (exponent - 1 < 1 - bias) rounded = 0;
  }
  return in_format(std::copysign(rounded, value));
}

}  // namespace partir
