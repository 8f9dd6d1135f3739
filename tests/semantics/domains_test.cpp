// Scalar arithmetic against values computed by hand: what each domain returns for a function at the edges of its types.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>

#include "ir/float_format.h"
#include "ir/literal.h"
#include "semantics/domain.h"

namespace partir {
namespace {

using E = ElementType;
using F = ScalarFn;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

Scalar of_float(double v) {
  Scalar s{};
  s.f = v;
  return s;
}
Scalar of_int(std::int64_t v) {
  Scalar s{};
  s.i = v;
  return s;
}

Scalar applied(const Domain& domain, F fn, E in, E out, std::vector<Scalar> values) {
  std::vector<const Scalar*> args;
  for (const Scalar& v : values) args.push_back(&v);
  Scalar result{};
  domain.apply(fn, in, out, args.data(), 1, &result);
  return result;
}
double floats(F fn, E type, double a, double b = 0) {
  return applied(native_domain(), fn, type, type, {of_float(a), of_float(b)}).f;
}
std::int64_t ints(F fn, E type, std::int64_t a, std::int64_t b = 0) {
  return applied(native_domain(), fn, type, type, {of_int(a), of_int(b)}).i;
}
double float_to_float(double v, E from, E to) {
  return applied(native_domain(), F::convert, from, to, {of_float(v)}).f;
}
std::int64_t float_to_int(double v, E to) { return applied(native_domain(), F::convert, E::f64, to, {of_float(v)}).i; }
double int_to_float(std::int64_t v, E from, E to) {
  return applied(native_domain(), F::convert, from, to, {of_int(v)}).f;
}
std::int64_t int_to_int(std::int64_t v, E from, E to) {
  return applied(native_domain(), F::convert, from, to, {of_int(v)}).i;
}

// --- Rounding ------------------------------------------------------------------------------------------------------

TEST(Rounding, GoesToTheNearestAndTiesToEven) {
  // 1 added to the largest integer up to which the format represents all: a tie, rounded to even.
  EXPECT_EQ(floats(F::add, E::f32, 0x1p24, 1), 0x1p24);
  EXPECT_EQ(floats(F::add, E::f32, 0x1p24 + 2, 1), 0x1p24 + 4);
  EXPECT_EQ(floats(F::add, E::bf16, 256, 1), 256);
  EXPECT_EQ(floats(F::add, E::bf16, 258, 1), 260);
  EXPECT_EQ(floats(F::add, E::f16, 2048, 1), 2048);
  EXPECT_EQ(floats(F::add, E::f16, 2050, 1), 2052);
  EXPECT_EQ(floats(F::add, E::f64, 0x1p53, 1), 0x1p53);
  // Slightly more than a tie rounds up.
  EXPECT_EQ(round_to(1 + 0x1p-24, E::f32), 1);
  EXPECT_EQ(round_to(1 + 0x1p-24 + 0x1p-40, E::f32), 1 + 0x1p-23);
  EXPECT_EQ(round_to(1 + 0x1p-8, E::bf16), 1);
  EXPECT_EQ(round_to(1 + 0x1p-8 + 0x1p-40, E::bf16), 1 + 0x1p-7) << "through float this would round twice";
  EXPECT_EQ(round_to(1 + 0x1p-11, E::f16), 1);
  EXPECT_EQ(round_to(1 + 0x1p-11 + 0x1p-40, E::f16), 1 + 0x1p-10);
  EXPECT_EQ(round_to(0.1, E::f32), static_cast<double>(0.1F));
  EXPECT_EQ(round_to(0.1, E::bf16), 0.10009765625);
  EXPECT_EQ(round_to(0.1, E::f16), 0.0999755859375);
}

TEST(Rounding, KeepsSubnormalsAndFlushesBelowHalfTheSmallest) {
  EXPECT_EQ(round_to(0x1p-149, E::f32), 0x1p-149);
  EXPECT_EQ(round_to(0x1p-150, E::f32), 0);
  EXPECT_EQ(round_to(0x1.8p-150, E::f32), 0x1p-149);
  EXPECT_EQ(round_to(0x1p-133, E::bf16), 0x1p-133);
  EXPECT_EQ(round_to(0x1p-134, E::bf16), 0);
  EXPECT_EQ(round_to(0x1.8p-134, E::bf16), 0x1p-133);
  EXPECT_EQ(round_to(0x1p-24, E::f16), 0x1p-24);
  EXPECT_EQ(round_to(0x1p-25, E::f16), 0);
  EXPECT_EQ(round_to(0x1.8p-25, E::f16), 0x1p-24);
  EXPECT_EQ(round_to(0x1.8p-24, E::f16), 0x1p-23) << "a tie between 1 and 2 units, to even";
  EXPECT_EQ(round_to(0x1.ffcp-15, E::f16), 0x1p-14) << "from the subnormals into the normal numbers";
  EXPECT_TRUE(std::signbit(round_to(-0x1p-30, E::f16)));
}

TEST(Rounding, OverflowsToInfinityFromHalfAUnitAboveTheLargest) {
  EXPECT_EQ(round_to(65504, E::f16), 65504);
  EXPECT_EQ(round_to(65519.99, E::f16), 65504);
  EXPECT_EQ(round_to(65520, E::f16), kInfinity);
  EXPECT_EQ(round_to(-65520, E::f16), -kInfinity);
  EXPECT_EQ(round_to(0x1.fep127, E::bf16), 0x1.fep127);
  EXPECT_EQ(round_to(0x1.ffp127, E::bf16), kInfinity);
  EXPECT_EQ(round_to(0x1.feffp127, E::bf16), 0x1.fep127);
  EXPECT_EQ(floats(F::multiply, E::f32, 0x1p127, 2), kInfinity);
  EXPECT_EQ(round_to(1e300, E::bf16), kInfinity);
}

TEST(Rounding, OfTheDoubleDomainDoesNotHappen) {
  EXPECT_EQ(applied(f64_domain(), F::add, E::f32, E::f32, {of_float(0x1p24), of_float(1)}).f, 0x1p24 + 1);
  EXPECT_EQ(applied(f64_domain(), F::convert, E::f64, E::bf16, {of_float(0.1)}).f, 0.1);
}

/// Every bit pattern of a 16-bit format, as a value and as text.
TEST(Halves, RoundTripAllBitPatterns) {
  for (const E type : {E::f16, E::bf16}) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      const auto half = static_cast<std::uint16_t>(bits);
      const double value = from_float_bits(half, type);
      Literal literal{
          TensorType{type, {}}, false, {static_cast<std::uint8_t>(bits & 0xff), static_cast<std::uint8_t>(bits >> 8)}};
      const std::string text = literal.str();  // dense<…>
      ASSERT_TRUE(text.starts_with("dense<") && text.ends_with(">")) << text;
      const auto again = scalar_bytes(type, text.substr(6, text.size() - 7));
      ASSERT_TRUE(again.has_value()) << text;
      ASSERT_EQ(*again, literal.bytes) << text << " of bits " << bits;
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(from_float_bits(to_float_bits(value, type), type))) << bits;
        continue;
      }
      ASSERT_EQ(to_float_bits(value, type), half) << fmt::format("{:#06x} is {}", bits, value);
      if (type == E::f16) continue;
      ASSERT_EQ(value, std::bit_cast<float>(bits << 16));
    }
  }
}

TEST(Halves, AreTheNearestOfTheirNeighbours) {
  EXPECT_TRUE(rc::check("no half is nearer to a number than the one it rounds to", [](std::uint32_t seed) {
    const E type = *rc::gen::element(E::f16, E::bf16);
    const double value = std::ldexp(static_cast<double>(seed) / 4294967296.0 + 0.5, *rc::gen::inRange(-26, 15)) *
                         *rc::gen::element(1.0, -1.0);
    const std::uint16_t bits = to_float_bits(value, type);
    const double error = std::fabs(from_float_bits(bits, type) - value);
    for (const int step : {-1, 1}) {
      const auto magnitude = static_cast<std::uint16_t>(bits & 0x7fff);
      if (magnitude == 0 && step < 0) continue;
      const auto neighbour = static_cast<std::uint16_t>(bits + step);
      const double other = std::fabs(from_float_bits(neighbour, type) - value);
      RC_ASSERT(other > error || (other == error && (bits & 1) == 0));
    }
  }));
}

// --- Integers ------------------------------------------------------------------------------------------------------

struct Width {
  E type;
  std::int64_t low;
  std::int64_t high;
};
const Width kSigned[] = {{E::i2, -2, 1},
                         {E::i4, -8, 7},
                         {E::i8, -128, 127},
                         {E::i16, -32768, 32767},
                         {E::i32, INT32_MIN, INT32_MAX},
                         {E::i64, INT64_MIN, INT64_MAX}};
const Width kUnsigned[] = {{E::ui2, 0, 3},      {E::ui4, 0, 15},          {E::ui8, 0, 255},
                           {E::ui16, 0, 65535}, {E::ui32, 0, UINT32_MAX}, {E::ui64, 0, -1}};

TEST(Integers, WrapAtEveryWidth) {
  for (const Width& w : kSigned) {
    SCOPED_TRACE(name_of(w.type));
    EXPECT_EQ(ints(F::add, w.type, w.high, 1), w.low);
    EXPECT_EQ(ints(F::subtract, w.type, w.low, 1), w.high);
    EXPECT_EQ(ints(F::negate, w.type, w.low), w.low);
    EXPECT_EQ(ints(F::abs, w.type, w.low), w.low);
    EXPECT_EQ(ints(F::multiply, w.type, w.low, -1), w.low);
    EXPECT_EQ(ints(F::divide, w.type, w.low, -1), w.low) << "does not trap";
    EXPECT_EQ(ints(F::remainder, w.type, w.low, -1), 0) << "does not trap";
    EXPECT_EQ(ints(F::logical_not, w.type, 0), -1);
    EXPECT_EQ(ints(F::maximum, w.type, w.low, w.high), w.high);
    EXPECT_EQ(ints(F::minimum, w.type, w.low, w.high), w.low);
  }
  for (const Width& w : kUnsigned) {
    SCOPED_TRACE(name_of(w.type));
    EXPECT_EQ(ints(F::add, w.type, w.high, 1), 0);
    EXPECT_EQ(ints(F::subtract, w.type, 0, 1), w.high);
    EXPECT_EQ(ints(F::negate, w.type, 1), w.high);
    EXPECT_EQ(ints(F::logical_not, w.type, 0), w.high);
    EXPECT_EQ(ints(F::maximum, w.type, 1, w.high), w.high);
    EXPECT_EQ(ints(F::minimum, w.type, 1, w.high), 1);
    EXPECT_EQ(ints(F::abs, w.type, w.high), w.high);
  }
}

TEST(Integers, DivideTowardsZeroAndByZeroWithoutTrapping) {
  EXPECT_EQ(ints(F::divide, E::i32, 7, -2), -3);
  EXPECT_EQ(ints(F::divide, E::i32, -7, 2), -3);
  EXPECT_EQ(ints(F::remainder, E::i32, 7, -2), 1);
  EXPECT_EQ(ints(F::remainder, E::i32, -7, 2), -1);
  EXPECT_EQ(ints(F::divide, E::ui8, 200, 3), 66);
  EXPECT_EQ(ints(F::divide, E::ui64, -1, 2), INT64_MAX);
  for (const Width& w : kSigned) {
    EXPECT_EQ(ints(F::divide, w.type, 1, 0), -1);
    EXPECT_EQ(ints(F::remainder, w.type, 1, 0), 1);
  }
  for (const Width& w : kUnsigned) EXPECT_EQ(ints(F::divide, w.type, 1, 0), w.high);
}

TEST(Integers, ShiftByTheirWidthAndBeyond) {
  EXPECT_EQ(ints(F::shift_left, E::i32, 1, 31), INT32_MIN);
  EXPECT_EQ(ints(F::shift_left, E::i32, 1, 32), 0);
  EXPECT_EQ(ints(F::shift_left, E::i32, 1, 64), 0);
  EXPECT_EQ(ints(F::shift_left, E::i64, 1, 64), 0);
  EXPECT_EQ(ints(F::shift_left, E::ui8, 3, 7), 128);
  EXPECT_EQ(ints(F::shift_right_logical, E::i8, -1, 1), 127);
  EXPECT_EQ(ints(F::shift_right_logical, E::i8, -1, 8), 0);
  EXPECT_EQ(ints(F::shift_right_logical, E::i64, -1, 63), 1);
  EXPECT_EQ(ints(F::shift_right_logical, E::i64, -1, 64), 0);
  EXPECT_EQ(ints(F::shift_right_arithmetic, E::i8, -128, 1), -64);
  EXPECT_EQ(ints(F::shift_right_arithmetic, E::i8, -128, 100), -1);
  EXPECT_EQ(ints(F::shift_right_arithmetic, E::i8, 127, 100), 0);
  EXPECT_EQ(ints(F::shift_right_arithmetic, E::i64, INT64_MIN, 64), -1);
  EXPECT_EQ(ints(F::shift_left, E::i32, 1, -1), 0) << "a negative amount is a large one";
}

TEST(Integers, CountBitsOfTheirWidth) {
  EXPECT_EQ(ints(F::popcnt, E::i8, -1), 8);
  EXPECT_EQ(ints(F::popcnt, E::i32, -1), 32);
  EXPECT_EQ(ints(F::popcnt, E::i2, -1), -2) << "2 is no number of 2 bits with a sign";
  EXPECT_EQ(ints(F::count_leading_zeros, E::i2, 0), -2);
  EXPECT_EQ(ints(F::popcnt, E::ui64, -1), 64);
  EXPECT_EQ(ints(F::count_leading_zeros, E::i8, 1), 7);
  EXPECT_EQ(ints(F::count_leading_zeros, E::i8, 0), 8);
  EXPECT_EQ(ints(F::count_leading_zeros, E::i32, -1), 0);
  EXPECT_EQ(ints(F::count_leading_zeros, E::ui64, 0), 64);
}

TEST(Integers, RaiseToPowers) {
  EXPECT_EQ(ints(F::power, E::i32, 3, 4), 81);
  EXPECT_EQ(ints(F::power, E::i32, 0, 0), 1);
  EXPECT_EQ(ints(F::power, E::i32, -1, -3), -1);
  EXPECT_EQ(ints(F::power, E::i32, -1, -2), 1);
  EXPECT_EQ(ints(F::power, E::i32, 5, -1), 0);
  EXPECT_EQ(ints(F::power, E::i8, 2, 7), -128);
  EXPECT_EQ(ints(F::power, E::ui8, 2, 8), 0);
  EXPECT_EQ(ints(F::power, E::i32, -2, 3), -8);
}

TEST(Booleans, AddAsOrAndMultiplyAsAnd) {
  for (const std::int64_t a : {0, 1}) {
    for (const std::int64_t b : {0, 1}) {
      EXPECT_EQ(ints(F::add, E::i1, a, b), a | b);
      EXPECT_EQ(ints(F::maximum, E::i1, a, b), a | b);
      EXPECT_EQ(ints(F::logical_or, E::i1, a, b), a | b);
      EXPECT_EQ(ints(F::multiply, E::i1, a, b), a & b);
      EXPECT_EQ(ints(F::minimum, E::i1, a, b), a & b);
      EXPECT_EQ(ints(F::logical_and, E::i1, a, b), a & b);
      EXPECT_EQ(ints(F::logical_xor, E::i1, a, b), a ^ b);
      EXPECT_EQ(applied(native_domain(), F::compare_lt, E::i1, E::i1, {of_int(a), of_int(b)}).u, a < b ? 1U : 0U);
    }
    EXPECT_EQ(ints(F::logical_not, E::i1, a), 1 - a);
  }
}

TEST(Integers, CompareBySignedness) {
  EXPECT_EQ(applied(native_domain(), F::compare_lt, E::i64, E::i1, {of_int(-1), of_int(1)}).u, 1U);
  EXPECT_EQ(applied(native_domain(), F::compare_lt, E::ui64, E::i1, {of_int(-1), of_int(1)}).u, 0U) << "the largest";
}

/// Wrapping arithmetic forms a ring, on which modular reasoning about integers relies.
TEST(Integers, FormARingAtEveryWidth) {
  EXPECT_TRUE(rc::check(
      "sums and products associate, commute and distribute", [](std::int64_t x, std::int64_t y, std::int64_t z) {
        for (const E type : {E::i2, E::i8, E::ui8, E::i32, E::ui32, E::i64, E::ui64}) {
          const auto a = wrap(static_cast<std::uint64_t>(x), type);
          const auto b = wrap(static_cast<std::uint64_t>(y), type);
          const auto c = wrap(static_cast<std::uint64_t>(z), type);
          const auto sum = [&](std::int64_t p, std::int64_t q) { return ints(F::add, type, p, q); };
          const auto times = [&](std::int64_t p, std::int64_t q) { return ints(F::multiply, type, p, q); };
          RC_ASSERT(sum(sum(a, b), c) == sum(a, sum(b, c)));
          RC_ASSERT(times(times(a, b), c) == times(a, times(b, c)));
          RC_ASSERT(times(a, sum(b, c)) == sum(times(a, b), times(a, c)));
          RC_ASSERT(sum(a, ints(F::negate, type, a)) == 0);
          RC_ASSERT(wrap(static_cast<std::uint64_t>(sum(a, b)), type) == sum(a, b));
        }
      }));
}

// --- Floats at the edges -------------------------------------------------------------------------------------------

TEST(Floats, MaximumAndMinimumPropagateNanAndOrderZeros) {
  EXPECT_TRUE(std::isnan(floats(F::maximum, E::f32, kNan, 1)));
  EXPECT_TRUE(std::isnan(floats(F::maximum, E::f32, 1, kNan)));
  EXPECT_TRUE(std::isnan(floats(F::minimum, E::f32, kNan, -kInfinity)));
  EXPECT_FALSE(std::signbit(floats(F::maximum, E::f32, -0.0, 0.0)));
  EXPECT_FALSE(std::signbit(floats(F::maximum, E::f32, 0.0, -0.0)));
  EXPECT_TRUE(std::signbit(floats(F::minimum, E::f32, -0.0, 0.0)));
  EXPECT_TRUE(std::signbit(floats(F::minimum, E::f32, 0.0, -0.0)));
  EXPECT_EQ(floats(F::maximum, E::f32, -kInfinity, -5), -5);
}

TEST(Floats, ComparisonsWithNanAreFalseButForInequality) {
  for (const F fn : {F::compare_eq, F::compare_lt, F::compare_le, F::compare_gt, F::compare_ge}) {
    EXPECT_EQ(applied(native_domain(), fn, E::f32, E::i1, {of_float(kNan), of_float(kNan)}).u, 0U);
  }
  EXPECT_EQ(applied(native_domain(), F::compare_ne, E::f32, E::i1, {of_float(kNan), of_float(kNan)}).u, 1U);
  EXPECT_EQ(applied(native_domain(), F::compare_eq, E::f32, E::i1, {of_float(0.0), of_float(-0.0)}).u, 1U);
}

TEST(Floats, DivideTakeRootsAndSigns) {
  EXPECT_EQ(floats(F::divide, E::f32, 1, 0), kInfinity);
  EXPECT_EQ(floats(F::divide, E::f32, -1, 0), -kInfinity);
  EXPECT_TRUE(std::isnan(floats(F::divide, E::f32, 0, 0)));
  EXPECT_EQ(floats(F::divide, E::f32, 1, 3), static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(floats(F::remainder, E::f32, -7, 3), -1);
  EXPECT_TRUE(std::isnan(floats(F::sqrt, E::f32, -1)));
  EXPECT_EQ(floats(F::rsqrt, E::f32, 0), kInfinity);
  EXPECT_EQ(floats(F::exponential, E::f32, -kInfinity), 0);
  EXPECT_EQ(floats(F::log, E::f32, 0), -kInfinity);
  EXPECT_EQ(floats(F::logistic, E::f32, -kInfinity), 0);
  EXPECT_EQ(floats(F::sign, E::f32, -3), -1);
  EXPECT_TRUE(std::isnan(floats(F::sign, E::f32, kNan)));
  EXPECT_TRUE(std::signbit(floats(F::sign, E::f32, -0.0)));
  EXPECT_EQ(floats(F::round_nearest_even, E::f32, 2.5), 2);
  EXPECT_EQ(floats(F::round_nearest_afz, E::f32, 2.5), 3);
  EXPECT_EQ(floats(F::floor, E::f32, -0.5), -1);
  EXPECT_EQ(floats(F::power, E::f32, 0, 0), 1);
}

// --- Conversions ---------------------------------------------------------------------------------------------------

TEST(Conversion, FromFloatsTruncatesAndSaturates) {
  EXPECT_EQ(float_to_int(2.9, E::i32), 2);
  EXPECT_EQ(float_to_int(-2.9, E::i32), -2);
  EXPECT_EQ(float_to_int(1e10, E::i32), INT32_MAX);
  EXPECT_EQ(float_to_int(-1e10, E::i32), INT32_MIN);
  EXPECT_EQ(float_to_int(kNan, E::i32), 0);
  EXPECT_EQ(float_to_int(kInfinity, E::i64), INT64_MAX);
  EXPECT_EQ(float_to_int(-kInfinity, E::i64), INT64_MIN);
  EXPECT_EQ(float_to_int(-1, E::ui8), 0);
  EXPECT_EQ(float_to_int(255.9, E::ui8), 255);
  EXPECT_EQ(float_to_int(256, E::ui8), 255);
  EXPECT_EQ(float_to_int(1e30, E::ui64), -1) << "all ones";
  EXPECT_EQ(float_to_int(0x1p63, E::ui64), INT64_MIN) << "the bits of 2^63";
  EXPECT_EQ(float_to_int(-128.9, E::i8), -128);
  EXPECT_EQ(float_to_int(127.9, E::i8), 127);
  EXPECT_EQ(float_to_int(0.5, E::i1), 1);
  EXPECT_EQ(float_to_int(-0.0, E::i1), 0);
  EXPECT_EQ(float_to_int(kNan, E::i1), 1);
}

TEST(Conversion, FromIntegersRoundsOnceAndWraps) {
  EXPECT_EQ(int_to_float((std::int64_t{1} << 24) + 1, E::i64, E::f32), 0x1p24);
  // 2^60 + 2^36 + 1 is slightly above a tie of f32; rounding to double first would make it a tie.
  EXPECT_EQ(int_to_float((std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1, E::i64, E::f32), 0x1p60 + 0x1p37);
  EXPECT_EQ(int_to_float(-(std::int64_t{1} << 60) - (std::int64_t{1} << 36) - 1, E::i64, E::f32), -0x1p60 - 0x1p37);
  EXPECT_EQ(int_to_float((std::int64_t{1} << 60) + (std::int64_t{1} << 36), E::i64, E::f32), 0x1p60) << "a tie";
  EXPECT_EQ(int_to_float((std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1, E::i64, E::bf16), 0x1p60 + 0x1p53);
  EXPECT_EQ(int_to_float(INT64_MIN, E::i64, E::bf16), -0x1p63);
  EXPECT_EQ(int_to_float(-1, E::ui64, E::f32), 0x1p64);
  EXPECT_EQ(int_to_float(-1, E::ui64, E::f64), 0x1p64);
  EXPECT_EQ(int_to_float(-1, E::i64, E::f64), -1);
  EXPECT_EQ(int_to_float(257, E::i32, E::bf16), 256);
  EXPECT_EQ(int_to_float(100000, E::i32, E::f16), kInfinity);
  EXPECT_EQ(int_to_float(1, E::i1, E::f32), 1);
  EXPECT_EQ(int_to_int(300, E::i32, E::i8), 44);
  EXPECT_EQ(int_to_int(200, E::i32, E::i8), -56);
  EXPECT_EQ(int_to_int(-1, E::i32, E::ui8), 255);
  EXPECT_EQ(int_to_int(-1, E::i8, E::ui64), -1) << "all ones: 2^64 - 1";
  EXPECT_EQ(int_to_int(255, E::ui8, E::i32), 255);
  EXPECT_EQ(int_to_int(256, E::i32, E::i1), 1) << "any other than 0 is true";
}

TEST(Conversion, BetweenFloatsRounds) {
  EXPECT_EQ(float_to_float(0.1, E::f64, E::f32), static_cast<double>(0.1F));
  EXPECT_EQ(float_to_float(1e10, E::f32, E::f16), kInfinity);
  EXPECT_TRUE(std::isnan(float_to_float(kNan, E::f32, E::bf16)));
}

// --- The modular domain --------------------------------------------------------------------------------------------

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

Scalar residue(std::uint64_t v) {
  Scalar s{};
  s.u = v % kPrime;
  return s;
}
Scalar modular(F fn, Scalar a, Scalar b = {}) { return applied(modular_domain(), fn, E::f32, E::f32, {a, b}); }
Scalar from_double(double v) {
  Literal l{TensorType{E::f64, {}}, true, std::vector<std::uint8_t>(8)};
  const auto bits = std::bit_cast<std::uint64_t>(v);
  for (std::size_t k = 0; k < 8; ++k) l.bytes[k] = static_cast<std::uint8_t>(bits >> (8 * k));
  return modular_domain().from_literal(l, 0);
}
bool same(Scalar a, Scalar b) { return modular_domain().equal(a, b, E::f32); }

TEST(Modular, FloatsAreAField) {
  EXPECT_TRUE(rc::check("laws of a field", [](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    const Scalar a = residue(x);
    const Scalar b = residue(y);
    const Scalar c = residue(z);
    const Scalar zero = from_double(0);
    const Scalar one = from_double(1);
    RC_ASSERT(same(modular(F::add, a, b), modular(F::add, b, a)));
    RC_ASSERT(same(modular(F::add, modular(F::add, a, b), c), modular(F::add, a, modular(F::add, b, c))));
    RC_ASSERT(same(modular(F::multiply, a, b), modular(F::multiply, b, a)));
    RC_ASSERT(
        same(modular(F::multiply, modular(F::multiply, a, b), c), modular(F::multiply, a, modular(F::multiply, b, c))));
    RC_ASSERT(same(modular(F::multiply, a, modular(F::add, b, c)),
                   modular(F::add, modular(F::multiply, a, b), modular(F::multiply, a, c))));
    RC_ASSERT(same(modular(F::add, a, zero), a));
    RC_ASSERT(same(modular(F::multiply, a, one), a));
    RC_ASSERT(same(modular(F::add, a, modular(F::negate, a)), zero));
    RC_ASSERT(same(modular(F::subtract, a, b), modular(F::add, a, modular(F::negate, b))));
    if (a.u != 0) {
      RC_ASSERT(same(modular(F::multiply, a, modular(F::divide, one, a)), one));
      RC_ASSERT(same(modular(F::multiply, modular(F::divide, b, a), a), b));
    }
  }));
}

TEST(Modular, LiteralsAreFractionsModuloThePrime) {
  EXPECT_TRUE(same(modular(F::multiply, from_double(0.5), from_double(2)), from_double(1)));
  EXPECT_TRUE(same(modular(F::add, from_double(0.75), from_double(-1.25)), from_double(-0.5)));
  EXPECT_TRUE(same(modular(F::multiply, from_double(0x1p-149), from_double(0x1p149)), from_double(1)));
  EXPECT_TRUE(same(modular(F::divide, from_double(3), from_double(8)), from_double(0.375)));
  EXPECT_TRUE(same(modular_domain().from_index(-3, E::f32), from_double(-3)));
  EXPECT_TRUE(same(modular_domain().from_index(7, E::bf16), from_double(7)));
  EXPECT_TRUE(same(from_double(-0.0), from_double(0)));
}

TEST(Modular, InfinitiesAreIdentitiesOfMaximumAndMinimum) {
  EXPECT_TRUE(rc::check("max(x, -inf) = x, min(x, inf) = x, and both absorb",
                        [](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
                          const Scalar a = residue(x);
                          const Scalar b = residue(y);
                          const Scalar c = residue(z);
                          const Scalar low = from_double(-kInfinity);
                          const Scalar high = from_double(kInfinity);
                          RC_ASSERT(same(modular(F::maximum, a, low), a));
                          RC_ASSERT(same(modular(F::maximum, low, a), a));
                          RC_ASSERT(same(modular(F::minimum, a, high), a));
                          RC_ASSERT(same(modular(F::minimum, high, a), a));
                          RC_ASSERT(same(modular(F::maximum, a, high), high));
                          RC_ASSERT(same(modular(F::minimum, a, low), low));
                          for (const F fn : {F::maximum, F::minimum}) {
                            RC_ASSERT(same(modular(fn, a, b), modular(fn, b, a)));
                            RC_ASSERT(same(modular(fn, modular(fn, a, b), c), modular(fn, a, modular(fn, b, c))));
                            RC_ASSERT(same(modular(fn, a, a), a));
                          }
                        }));
}

TEST(Modular, SpecialValuesFollowTheirLaws) {
  const Scalar low = from_double(-kInfinity);
  const Scalar high = from_double(kInfinity);
  const Scalar nan = from_double(kNan);
  const Scalar three = from_double(3);
  EXPECT_TRUE(same(modular(F::exponential, low), from_double(0))) << "what a masked softmax rests on";
  EXPECT_TRUE(same(modular(F::add, high, three), high));
  EXPECT_TRUE(same(modular(F::add, high, low), nan));
  EXPECT_TRUE(same(modular(F::negate, high), low));
  EXPECT_TRUE(same(modular(F::multiply, low, low), high));
  EXPECT_TRUE(same(modular(F::multiply, high, from_double(0)), nan));
  EXPECT_TRUE(same(modular(F::divide, three, high), from_double(0)));
  for (const F fn : {F::add, F::subtract, F::multiply, F::divide, F::maximum, F::minimum, F::power}) {
    EXPECT_TRUE(same(modular(fn, nan, three), nan)) << name_of(fn);
    EXPECT_TRUE(same(modular(fn, three, nan), nan)) << name_of(fn);
  }
  for (const F fn : {F::negate, F::exponential, F::tanh, F::abs, F::log})
    EXPECT_TRUE(same(modular(fn, nan), nan)) << name_of(fn);
  EXPECT_EQ(applied(modular_domain(), F::compare_eq, E::f32, E::i1, {nan, nan}).u, 0U);
  EXPECT_EQ(applied(modular_domain(), F::compare_ne, E::f32, E::i1, {nan, nan}).u, 1U);
  EXPECT_EQ(applied(modular_domain(), F::compare_lt, E::f32, E::i1, {low, three}).u, 1U);
  EXPECT_EQ(applied(modular_domain(), F::compare_lt, E::f32, E::i1, {three, high}).u, 1U);
  EXPECT_EQ(applied(modular_domain(), F::is_finite, E::f32, E::i1, {three}).u, 1U);
  EXPECT_EQ(applied(modular_domain(), F::is_finite, E::f32, E::i1, {nan}).u, 0U);
}

TEST(Modular, OtherFunctionsAreFunctionsAndNothingMore) {
  EXPECT_TRUE(rc::check("equal arguments give equal values, others other ones", [](std::uint64_t x, std::uint64_t y) {
    const Scalar a = residue(x);
    const Scalar b = residue(y);
    for (const F fn : {F::exponential, F::tanh, F::log, F::sqrt, F::rsqrt, F::logistic, F::abs, F::sine}) {
      RC_ASSERT(same(modular(fn, a), modular(fn, a)));
      RC_ASSERT(same(a, b) || !same(modular(fn, a), modular(fn, b)));
      RC_ASSERT(fn == F::exponential || !same(modular(fn, a), modular(F::exponential, a)));
    }
    RC_ASSERT(same(a, b) || !same(modular(F::power, a, b), modular(F::power, b, a)));
  }));
}

TEST(Domains, AreFoundByName) {
  for (const char* name : {"native", "f64", "rational", "modular"}) EXPECT_EQ((*domain_named(name))->name(), name);
  EXPECT_FALSE(domain_named("decimal").has_value());
}

}  // namespace
}  // namespace partir
