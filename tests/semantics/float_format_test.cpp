// Every float format of at most 16 bits, tested on all of its codes: values, rounding, order and overflow.
#include "ir/float_format.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "ir/ops/common.h"
#include "tests/semantics/scalars.h"

namespace partir {
namespace {

using E = ElementType;
using testing::applied;
using testing::kInfinity;
using testing::kNan;
using testing::of_float;
using testing::of_int;
using Special = FloatFormat::Special;

const E kFormats[] = {E::f4E2M1FN,      E::f6E2M3FN, E::f6E3M2FN,   E::f8E3M4, E::f8E4M3,
                      E::f8E4M3B11FNUZ, E::f8E4M3FN, E::f8E4M3FNUZ, E::f8E5M2, E::f8E5M2FNUZ,
                      E::f8E8M0FNU,     E::bf16,     E::f16};

/// Returns the codes of the finite, non-negative numbers in ascending order.
std::vector<std::uint64_t> codes(E type) {
  const FloatFormat& f = float_format(type);
  std::vector<std::uint64_t> out;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits); ++code) {
    if (std::isfinite(from_float_bits(code, type))) out.push_back(code);
  }
  return out;
}

double largest(E type) { return from_float_bits(codes(type).back(), type); }

/// Returns the value to which numbers beyond the largest one round.
double beyond(E type) {
  switch (float_format(type).special) {
    case Special::ieee: return kInfinity;
    case Special::finite: return largest(type);
    default: return kNan;
  }
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

double through_bits(double v, E type) { return from_float_bits(to_float_bits(v, type), type); }

TEST(FloatFormats, HaveTheLargestAndSmallestNumbersOfTheirStandards) {
  struct Row {
    E type;
    double largest, smallest, smallest_normal;
  };
  const Row rows[] = {{E::f4E2M1FN, 6, 0.5, 1},
                      {E::f6E2M3FN, 7.5, 0.125, 1},
                      {E::f6E3M2FN, 28, 0.0625, 0.25},
                      {E::f8E3M4, 15.5, 0x1p-6, 0.25},
                      {E::f8E4M3, 240, 0x1p-9, 0x1p-6},
                      {E::f8E4M3B11FNUZ, 30, 0x1p-13, 0x1p-10},
                      {E::f8E4M3FN, 448, 0x1p-9, 0x1p-6},
                      {E::f8E4M3FNUZ, 240, 0x1p-10, 0x1p-7},
                      {E::f8E5M2, 57344, 0x1p-16, 0x1p-14},
                      {E::f8E5M2FNUZ, 57344, 0x1p-17, 0x1p-15},
                      {E::bf16, 0x1.fep127, 0x1p-133, 0x1p-126},
                      {E::f16, 65504, 0x1p-24, 0x1p-14}};
  for (const Row& r : rows) {
    SCOPED_TRACE(name_of(r.type));
    EXPECT_EQ(largest(r.type), r.largest);
    EXPECT_EQ(from_float_bits(1, r.type), r.smallest);
    EXPECT_EQ(from_float_bits(std::uint64_t{1} << float_format(r.type).mantissa_bits, r.type), r.smallest_normal);
    EXPECT_EQ(bit_width(r.type),
              1U + static_cast<unsigned>(float_format(r.type).exponent_bits + float_format(r.type).mantissa_bits));
  }
  EXPECT_EQ(largest(E::f8E8M0FNU), 0x1p127);
  EXPECT_EQ(from_float_bits(0, E::f8E8M0FNU), 0x1p-127);
  EXPECT_TRUE(std::isnan(from_float_bits(255, E::f8E8M0FNU)));
}

TEST(FloatFormats, EveryCodeIsTheCodeOfItsValue) {
  for (const E type : kFormats) {
    for (std::uint64_t code = 0; code < std::uint64_t{1} << bit_width(type); ++code) {
      const double value = from_float_bits(code, type);
      if (std::isnan(value)) {
        const bool has_payload = float_format(type).special == FloatFormat::Special::ieee;
        ASSERT_TRUE(std::isnan(through_bits(value, type))) << name_of(type) << fmt::format(" {:#x}", code);
        ASSERT_TRUE(!has_payload || to_float_bits(value, type) == code) << name_of(type) << fmt::format(" {:#x}", code);
      } else {
        ASSERT_EQ(to_float_bits(value, type), code) << name_of(type) << fmt::format(" {:#x} is {}", code, value);
      }
    }
  }
}

TEST(FloatFormats, CodesStandInTheOrderOfTheirValues) {
  for (const E type : kFormats) {
    const auto all = codes(type);
    for (std::size_t k = 1; k < all.size(); ++k)
      ASSERT_LT(from_float_bits(all[k - 1], type), from_float_bits(all[k], type)) << name_of(type) << " " << k;
  }
}

/// A number between two neighbours rounds to the nearer; their midpoint rounds to the one with an even code (in a
/// format without a mantissa, to the larger).
TEST(FloatFormats, RoundToTheNearestAndTiesToEven) {
  for (const E type : kFormats) {
    const FloatFormat& f = float_format(type);
    const auto all = codes(type);
    for (std::size_t k = 1; k < all.size(); ++k) {
      const double low = from_float_bits(all[k - 1], type);
      const double high = from_float_bits(all[k], type);
      const double middle = low + (high - low) / 2;
      const bool up = f.mantissa_bits == 0 || all[k] % 2 == 0;
      for (const double sign : {1.0, -1.0}) {
        if (sign < 0 && !f.has_sign) continue;
        const auto rounds = [&](double from, double to) {
          const bool flushed = to == 0 && f.special == Special::nan_minus_zero;
          return same(through_bits(sign * from, type), flushed ? 0.0 : sign * to);
        };
        ASSERT_TRUE(rounds(std::nextafter(middle, low), low)) << name_of(type) << " below " << middle;
        ASSERT_TRUE(rounds(middle, up ? high : low)) << name_of(type) << " at " << middle;
        ASSERT_TRUE(rounds(std::nextafter(middle, high), high)) << name_of(type) << " above " << middle;
      }
    }
  }
}

TEST(FloatFormats, OverflowByTheirRule) {
  for (const E type : kFormats) {
    const FloatFormat& f = float_format(type);
    const auto all = codes(type);
    const double top = from_float_bits(all.back(), type);
    const double step = f.mantissa_bits == 0 ? top : top - from_float_bits(all[all.size() - 2], type);
    const double middle = top + step / 2;
    const bool has_sign = f.has_sign;
    for (const double sign : {1.0, -1.0}) {
      if (sign < 0 && !has_sign) continue;
      EXPECT_TRUE(same(through_bits(sign * std::nextafter(middle, 0), type), sign * top)) << name_of(type);
      for (const double v : {std::nextafter(middle, kInfinity), 2 * top + step, 1e300, kInfinity}) {
        EXPECT_TRUE(same(through_bits(sign * v, type), sign * beyond(type))) << name_of(type) << " of " << sign * v;
      }
    }
    EXPECT_EQ(std::isnan(through_bits(-1, type)), !has_sign) << name_of(type);
  }
}

TEST(FloatFormats, RoundingIsMonotone) {
  EXPECT_TRUE(rc::check("a <= b, then round(a) <= round(b)", [](std::uint64_t x, std::uint64_t y) {
    for (const E type : kFormats) {
      const FloatFormat& f = float_format(type);
      const int range = 2 * f.bias + 4;
      const auto number = [&](std::uint64_t bits) {
        const double sign = f.has_sign && bits % 2 != 0 ? -1 : 1;
        return sign * std::ldexp(1 + static_cast<double>(bits >> 12) * 0x1p-52,
                                 static_cast<int>((bits >> 1) % static_cast<std::uint64_t>(2 * range)) - range);
      };
      const double a = std::min(number(testing::mixed(x)), number(testing::mixed(~y)));
      const double b = std::max(number(testing::mixed(x)), number(testing::mixed(~y)));
      const double low = through_bits(a, type);
      const double high = through_bits(b, type);
      RC_ASSERT(std::isnan(low) || std::isnan(high) || low <= high);
    }
  }));
}

/// Rounding has a fast path for normal numbers, which must agree with rounding through the code.
TEST(FloatFormats, TheShortWayOfRoundingIsTheLongOne) {
  EXPECT_TRUE(rc::check("round_to goes through the code", [](std::uint64_t first) {
    const std::uint64_t mantissa = testing::mixed(first);
    const std::uint64_t seed = testing::mixed(~first);
    for (const E type : kFormats) {
      const int bias = float_format(type).bias;
      const int exponent = static_cast<int>(seed % static_cast<std::uint64_t>(2 * bias + 24)) - bias - 12;
      // Numbers with few mantissa bits include ties; those with many do not.
      for (const std::uint64_t mask : {~std::uint64_t{0}, ~std::uint64_t{0} << 40, ~std::uint64_t{0} << 44}) {
        const double value = std::ldexp(1 + static_cast<double>(mantissa & mask & 0xfffffffffffff) * 0x1p-52, exponent);
        for (const double v : {value, -value}) RC_ASSERT(same(round_to(v, type), through_bits(v, type)));
      }
    }
  }));
  for (const E type : kFormats) {
    for (const double v : {0.0, -0.0, kInfinity, -kInfinity, kNan, 1e-320, -1e-320, 1e308})
      EXPECT_TRUE(same(round_to(v, type), through_bits(v, type))) << name_of(type) << " " << v;
  }
}

// --- reduce_precision ----------------------------------------------------------------------------------------------

/// reduce_precision of an f32 to the bits of a format equals rounding to that format, except that numbers that would be
/// subnormal with fewer exponent bits become 0.
TEST(ReducedPrecision, IsRoundingToAFormatUpToItsSubnormals) {
  EXPECT_TRUE(rc::check("e8m7 is bf16, e5m10 is f16, e5m2 is f8E5M2", [](std::uint64_t seed) {
    // Half of the numbers are moved into the range of the smaller formats.
    const std::uint64_t bits = testing::mixed(seed) & 0xffffffff;
    const std::uint64_t middle = (bits & 0x87ffffff) | (bits & 0x07800000) | 0x38000000;
    const double v = from_float_bits(seed % 2 == 0 ? bits : middle, E::f32);
    RC_PRE(!std::isnan(v));
    RC_ASSERT(same(reduce_precision(v, E::f32, 8, 7), round_to(v, E::bf16)));
    RC_ASSERT(same(reduce_precision(v, E::f32, 8, 23), v));
    for (const auto& [type, e, m] : {std::tuple(E::f16, 5, 10), {E::f8E5M2, 5, 2}, {E::f8E4M3, 4, 3}}) {
      const double normal = std::ldexp(1.0, 1 - float_format(type).bias);
      const double reduced = reduce_precision(v, E::f32, e, m);
      // Whether a number is subnormal is decided after rounding the mantissa alone.
      const double mantissa = reduce_precision(v, E::f32, 8, m);
      const bool flushed = std::fabs(mantissa) < normal;
      RC_ASSERT(same(reduced, flushed ? std::copysign(0.0, v) : round_to(v, type)));
    }
  }));
}

TEST(ReducedPrecision, IsIdempotentAndStaysInTheFormat) {
  for (const E type : kFormats) {
    if (bit_width(type) > 8) continue;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << bit_width(type); ++code) {
      const double v = from_float_bits(code, type);
      for (int e = 1; e <= 6; ++e) {
        for (int m = 0; m <= 4; ++m) {
          const double once = reduce_precision(v, type, e, m);
          ASSERT_TRUE(same(once, through_bits(once, type)))
              << name_of(type) << " " << v << fmt::format(" e{}m{}", e, m);
          if (m == 0) continue;
          ASSERT_TRUE(same(reduce_precision(once, type, e, m), once)) << name_of(type) << " " << v << " " << e << m;
        }
      }
      if (std::isnan(v)) continue;
      const FloatFormat& f = float_format(type);
      ASSERT_TRUE(same(reduce_precision(v, type, f.exponent_bits, f.mantissa_bits), v)) << name_of(type) << " " << v;
    }
  }
}

TEST(ReducedPrecision, KeepsOrTurnsSpecialValues) {
  EXPECT_EQ(reduce_precision(kInfinity, E::f32, 2, 1), kInfinity);
  EXPECT_EQ(reduce_precision(-kInfinity, E::f32, 2, 0), -kInfinity);
  EXPECT_TRUE(std::isnan(reduce_precision(kNan, E::f32, 2, 1)));
  EXPECT_EQ(reduce_precision(kNan, E::f32, 2, 0), kInfinity) << "no bit is left to say that it is none";
  EXPECT_TRUE(same(reduce_precision(-0.0, E::f32, 2, 1), -0.0));
  EXPECT_EQ(reduce_precision(3.5, E::f32, 2, 1), kInfinity) << "up to 4, which is too large";
  EXPECT_EQ(reduce_precision(448, E::f8E4M3FN, 4, 3), 448) << "its largest number, which IEEE's rule has not";
}

TEST(FloatFormats, HoldAllOfAnotherWhereEveryCodeOfItComesBack) {
  for (const E wide : kFormats) {
    for (const E narrow : kFormats) {
      const FloatFormat& f = float_format(narrow);
      bool all = true;
      for (std::uint64_t code = 0; code < std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits + f.has_sign);
           ++code) {
        const double v = from_float_bits(code, narrow);
        all = all && same(through_bits(v, wide), v);
      }
      EXPECT_EQ(holds_all_of(wide, narrow), all) << name_of(wide) << " of " << name_of(narrow);
    }
  }
  EXPECT_TRUE(holds_all_of(E::f32, E::bf16) && holds_all_of(E::f64, E::f32) && holds_all_of(E::f32, E::f8E8M0FNU));
  EXPECT_FALSE(holds_all_of(E::f16, E::f32) || holds_all_of(E::bf16, E::f32));
}

TEST(FloatFormats, SumsCommuteWithConversionsToTwiceTheWidth) {
  for (const auto& [from, to] : {std::pair(E::bf16, E::f32), {E::f16, E::f32}, {E::f32, E::f64}, {E::f8E5M2, E::f16}})
    EXPECT_TRUE(ops::converts_additively(from, to)) << name_of(from);
  // Each holds all numbers of the narrower type, but a sum of two of them is rounded there, too.
  for (const auto& [from, to] : {std::pair(E::f6E2M3FN, E::f8E4M3FN), {E::f4E2M1FN, E::f6E2M3FN}}) {
    EXPECT_TRUE(holds_all_of(to, from)) << name_of(from);
    EXPECT_FALSE(ops::converts_additively(from, to)) << name_of(from);
  }
  for (const auto& [from, to] :
       {std::pair(E::f16, E::bf16), {E::f32, E::bf16}, {E::i8, E::i32}, {E::f8E8M0FNU, E::f16}})
    EXPECT_FALSE(ops::converts_additively(from, to)) << name_of(from);
}

/// next_after returns the number with the next code.
TEST(NextAfter, WalksThroughAllNumbers) {
  const auto next = [](double a, double b, E type) {
    return applied(native_domain(), ScalarFn::next_after, type, type, {of_float(a), of_float(b)}).f;
  };
  for (const E type : kFormats) {
    const auto all = codes(type);
    const bool has_sign = float_format(type).has_sign;
    for (std::size_t k = 1; k < all.size(); ++k) {
      const double low = from_float_bits(all[k - 1], type);
      const double high = from_float_bits(all[k], type);
      ASSERT_EQ(next(low, high, type), high) << name_of(type);
      ASSERT_EQ(next(high, low, type), low) << name_of(type);
      if (!has_sign) continue;
      ASSERT_EQ(next(-low, -high, type), -high) << name_of(type);
      ASSERT_EQ(next(-high, -low, type), -low) << name_of(type);
    }
    EXPECT_TRUE(same(next(largest(type), kInfinity, type), beyond(type))) << name_of(type);
    EXPECT_TRUE(std::isnan(next(kNan, 1, type)));
  }
}

TEST(Conversions, OfEveryValueToAWiderFormatAndBackAreExact) {
  for (const E type : kFormats) {
    for (const std::uint64_t code : codes(type)) {
      const double v = from_float_bits(code, type);
      ASSERT_EQ(round_to(v, E::f32), v) << name_of(type);
      ASSERT_EQ(applied(native_domain(), ScalarFn::convert, E::f32, type, {of_float(v)}).f, v) << name_of(type);
    }
    EXPECT_EQ(applied(native_domain(), ScalarFn::convert, E::i32, type, {of_int(1)}).f, 1) << name_of(type);
  }
}

}  // namespace
}  // namespace partir
