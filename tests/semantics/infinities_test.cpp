// Which values may be infinite (semantics/infinities.h), and that a product of a partial sum with such a value
// is not proved.
#include "semantics/infinities.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <random>
#include <set>

#include "driver/partition.h"
#include "ir/ops/elementwise.h"
#include "semantics/domain_native.h"
#include "semantics/interpreter.h"
#include "tests/random_settings.h"
#include "tests/verify/certificate/by_hand.h"
#include "verify/certificate/check.h"

namespace partir::infinities_test {
namespace {

using namespace testing;

const std::string kConstants =
    "  %inf = stablehlo.constant dense<0x7F800000> : tensor<4xf32>\n"
    "  %low = stablehlo.constant dense<0xFF800000> : tensor<4xf32>\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>\n"
    "  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
    "  %unit = stablehlo.constant dense<1.0> : tensor<f32>\n"
    "  %some = stablehlo.constant dense<[0xFF800000, 0.0, 1.0, 2.0]> : tensor<4xf32>\n"
    "  %mask = stablehlo.compare LT, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
    "  %masked = stablehlo.select %mask, %x, %low : tensor<4xi1>, tensor<4xf32>\n";

/// "none", "lowest", "highest" or "both": the infinities of %r, computed from a finite %x by these lines.
std::string of(const std::string& lines, const std::string& type = "tensor<4xf32>") {
  const Module module = value_or_throw(read_module(
      "func.func @main(%x: tensor<4xf32>) -> " + type + " {\n" + kConstants + lines + "\n  return %r : " + type + "\n}",
      "source.mlir"));
  const Function& f = *value_or_throw(module.main());
  const Infinities out = infinities_of(f)[f.returned()[0].index()];
  if (out.none()) return "none";
  return out.lowest && out.highest ? "both" : out.lowest ? "lowest" : "highest";
}

TEST(Infinities, ComeFromConstants) {
  EXPECT_EQ(of("%r = stablehlo.add %x, %zero : tensor<4xf32>"), "none");
  EXPECT_EQ(of("%r = stablehlo.add %x, %inf : tensor<4xf32>"), "highest");
  EXPECT_EQ(of("%r = stablehlo.add %x, %some : tensor<4xf32>"), "lowest");
  EXPECT_EQ(of("%r = stablehlo.negate %masked : tensor<4xf32>"), "highest");
  EXPECT_EQ(of("%r = stablehlo.subtract %x, %masked : tensor<4xf32>"), "highest");
  EXPECT_EQ(of("%r = stablehlo.multiply %x, %masked : tensor<4xf32>"), "both");
  EXPECT_EQ(of("%r = stablehlo.log %zero : tensor<4xf32>"), "lowest");
  EXPECT_EQ(of("%r = stablehlo.log %x : tensor<4xf32>"), "none");
}

TEST(Infinities, ComeFromPaddingThatIsThere) {
  const auto padded = [](const char* low, const char* high, const char* interior, const char* size) {
    const std::string type = std::string("tensor<") + size + "xf32>";
    return of(std::string("%r = stablehlo.pad %x, %init, low = [") + low + "], high = [" + high + "], interior = [" +
                  interior + "] : (tensor<4xf32>, tensor<f32>) -> " + type,
              type);
  };
  EXPECT_EQ(padded("0", "0", "0", "4"), "none");
  EXPECT_EQ(padded("-1", "0", "0", "3"), "none");
  EXPECT_EQ(padded("1", "-1", "0", "4"), "lowest");
  EXPECT_EQ(padded("-1", "2", "0", "5"), "lowest");
  EXPECT_EQ(padded("0", "0", "1", "7"), "lowest");
}

TEST(Infinities, FollowTheLimitsOfFunctions) {
  EXPECT_EQ(of("%r = stablehlo.exponential %masked : tensor<4xf32>"), "none");
  EXPECT_EQ(of("%r = stablehlo.exponential %inf : tensor<4xf32>"), "highest");
  EXPECT_EQ(of("%r = stablehlo.tanh %masked : tensor<4xf32>"), "none");
  EXPECT_EQ(of("%r = stablehlo.abs %masked : tensor<4xf32>"), "highest");
  EXPECT_EQ(of("%r = stablehlo.divide %x, %masked : tensor<4xf32>"), "none");
  EXPECT_EQ(of("%r = stablehlo.divide %masked, %x : tensor<4xf32>"), "both");
}

TEST(Infinities, OfExponentialsAreThoseOfLargeOperands) {
  EXPECT_EQ(of(R"(%large = stablehlo.select %mask, %x, %inf : tensor<4xi1>, tensor<4xf32>
  %r = stablehlo.exponential %large : tensor<4xf32>)"),
            "highest");
}

TEST(Infinities, ComeFromConstantsThatExceedTheirType) {
  const std::string table = "%t = stablehlo.constant dense<[1.0, 1.0e5, 1.0, 1.0]> : tensor<4xf32>\n";
  EXPECT_EQ(of(table + "%r = stablehlo.convert %t : (tensor<4xf32>) -> tensor<4xf16>", "tensor<4xf16>"), "both");
  EXPECT_EQ(of(table + "%r = stablehlo.convert %t : (tensor<4xf32>) -> tensor<4xbf16>", "tensor<4xbf16>"), "none");
  EXPECT_EQ(of(table + "%s = stablehlo.add %t, %x : tensor<4xf32>\n" +
                   "%r = stablehlo.convert %s : (tensor<4xf32>) -> tensor<4xf16>",
               "tensor<4xf16>"),
            "none")
      << "it varies with an argument, and such values do not overflow";
  EXPECT_EQ(of(table + "%r = stablehlo.exponential %t : tensor<4xf32>"), "both");
  EXPECT_EQ(of(table + "%r = stablehlo.tanh %t : tensor<4xf32>"), "none");
  EXPECT_EQ(of(table + "%s = stablehlo.select %mask, %t, %zero : tensor<4xi1>, tensor<4xf32>\n" +
                   "%r = stablehlo.convert %s : (tensor<4xf32>) -> tensor<4xf16>",
               "tensor<4xf16>"),
            "both");
}

/// Elements that may be constants have the range of these constants: positive ones have roots, logarithms and inverses.
TEST(Infinities, OfFunctionsOfConstantsFollowTheirRange) {
  const std::string constants =
      "%nan = stablehlo.constant dense<0x7FC00000> : tensor<4xf32>\n"
      "%one = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
      "%many = stablehlo.constant dense<1.0e4> : tensor<4xf32>\n"
      "%n = stablehlo.iota dim = 0 : tensor<4xf32>\n"
      "%n1 = stablehlo.add %n, %one : tensor<4xf32>\n"
      "%m = stablehlo.negate %n : tensor<4xf32>\n"
      "%below = stablehlo.divide %n, %many : tensor<4xf32>\n"
      "%least = stablehlo.maximum %x, %one : tensor<4xf32>\n"
      "%maybe = stablehlo.select %mask, %x, %nan : tensor<4xi1>, tensor<4xf32>\n";
  const auto of_function = [&](const std::string& function, const std::string& operands) {
    return of(constants + "%r = " + function + " " + operands + " : tensor<4xf32>");
  };
  EXPECT_EQ(of_function("stablehlo.rsqrt", "%maybe"), "none");
  EXPECT_EQ(of_function("stablehlo.rsqrt", "%least"), "none");
  EXPECT_EQ(of_function("stablehlo.rsqrt", "%n1"), "none");
  EXPECT_EQ(of_function("stablehlo.rsqrt", "%n"), "both");
  EXPECT_EQ(of_function("stablehlo.log", "%n1"), "none");
  EXPECT_EQ(of_function("stablehlo.log", "%n"), "both");
  EXPECT_EQ(of_function("stablehlo.log_plus_one", "%n"), "none");
  EXPECT_EQ(of_function("stablehlo.log_plus_one", "%m"), "both");
  EXPECT_EQ(of_function("stablehlo.divide", "%one, %least"), "none");
  EXPECT_EQ(of_function("stablehlo.divide", "%n, %n1"), "none");
  EXPECT_EQ(of_function("stablehlo.divide", "%one, %n"), "both");
  EXPECT_EQ(of_function("stablehlo.power", "%many, %m"), "none");
  EXPECT_EQ(of_function("stablehlo.power", "%n, %m"), "both");
  EXPECT_EQ(of(constants + "%d = stablehlo.subtract %n1, %n : tensor<4xf32>\n%r = stablehlo.rsqrt %d : tensor<4xf32>"),
            "both")
      << "the ranges [1, 4] and [0, 3] have differences of 0";
  EXPECT_EQ(of(constants + "%p = stablehlo.multiply %m, %n1 : tensor<4xf32>\n"
                           "%q = stablehlo.subtract %one, %p : tensor<4xf32>\n%r = stablehlo.log %q : tensor<4xf32>"),
            "none");
  EXPECT_EQ(of(constants + "%p = stablehlo.multiply %n, %m : tensor<4xf32>\n"
                           "%q = stablehlo.add %p, %one : tensor<4xf32>\n%r = stablehlo.log %q : tensor<4xf32>"),
            "both");
  EXPECT_EQ(of(constants + "%d = stablehlo.subtract %n, %one : tensor<4xf32>\n"
                           "%r = stablehlo.divide %one, %d : tensor<4xf32>"),
            "both")
      << "0 is inside [-1, 2]";
  EXPECT_EQ(
      of(constants + "%d = stablehlo.subtract %n, %one : tensor<4xf32>\n%e = stablehlo.negate %one : tensor<4xf32>\n"
                     "%r = stablehlo.power %d, %e : tensor<4xf32>"),
      "both");
  EXPECT_EQ(
      of(constants + "%s = stablehlo.add %n, %n : tensor<4xf32>\n%k = stablehlo.constant dense<5.0> : tensor<4xf32>\n"
                     "%q = stablehlo.divide %s, %k : tensor<4xf32>\n"
                     "%e = stablehlo.maximum %x, %q : tensor<4xf32>\n"
                     "%r = chlo.erf_inv %e : tensor<4xf32> -> tensor<4xf32>"),
      "both");
  const std::string erf_inv = "%r = chlo.erf_inv %e : tensor<4xf32> -> tensor<4xf32>";
  EXPECT_EQ(of(constants + "%e = stablehlo.maximum %x, %below : tensor<4xf32>\n" + erf_inv), "none");
  EXPECT_EQ(of(constants + "%e = stablehlo.maximum %x, %one : tensor<4xf32>\n" + erf_inv), "both");
}

/// An element that may be a constant in the function's domain: without its range any number would be assumed, and so an
/// infinity.
TEST(Infinities, EachFunctionOfOneConstantIsFollowed) {
  const std::set<std::string> of_other_types = {
      "stablehlo.not",       "stablehlo.popcnt", "stablehlo.count_leading_zeros",
      "stablehlo.is_finite", "stablehlo.real",   "stablehlo.imag",
      "chlo.conj",           "chlo.is_inf",      "chlo.is_pos_inf",
      "chlo.is_neg_inf"};
  const std::set<std::string> not_followed = {"chlo.lgamma", "chlo.digamma", "chlo.bessel_i1e"};
  for (const ops::ElementwiseRow& row : ops::elementwise_rows()) {
    const std::string name(row.name);
    if (row.arity != 1 || of_other_types.contains(name) || not_followed.contains(name)) continue;
    const std::string type = name.starts_with("chlo.") ? "tensor<4xf32> -> tensor<4xf32>" : "tensor<4xf32>";
    const auto at = [&](const std::string& constant) {
      return of("%c = stablehlo.constant dense<" + constant + "> : tensor<4xf32>\n" +
                "%e = stablehlo.maximum %x, %c : tensor<4xf32>\n%r = " + name + " %e : " + type);
    };
    EXPECT_EQ(at(name == "chlo.acosh" ? "1.5" : "0.5"), "none") << name;
  }
  const auto square = [](const std::string& constant) {
    return of("%c = stablehlo.constant dense<" + constant + "> : tensor<4xf32>\n" +
              "%e = stablehlo.maximum %x, %c : tensor<4xf32>\n%s = chlo.square %e : tensor<4xf32> -> tensor<4xf32>\n" +
              "%r = stablehlo.rsqrt %s : tensor<4xf32>");
  };
  EXPECT_EQ(square("[-2.0, -1.0, -3.0, -1.0]"), "none");
  EXPECT_EQ(square("[-2.0, 1.0, 3.0, 1.0]"), "both") << "0 is inside [-2, 3]";
  EXPECT_EQ(square("1.0e20"), "both") << "it exceeds the type";
}

/// JAX's uniform numbers: the bits of the mantissa, or those of 1.
TEST(Infinities, OfBitsFollowTheRangeOfTheInteger) {
  const auto uniform = [](const std::string& shift) {
    return of("%k = stablehlo.constant dense<" + shift +
              "> : tensor<4xi32>\n%one = stablehlo.constant dense<1065353216> : tensor<4xi32>\n"
              "%w = stablehlo.constant dense<[1, -7, 3, -2147483648]> : tensor<4xi32>\n"
              "%h = stablehlo.shift_right_logical %w, %k : tensor<4xi32>\n"
              "%b = stablehlo.or %h, %one : tensor<4xi32>\n"
              "%r = stablehlo.bitcast_convert %b : (tensor<4xi32>) -> tensor<4xf32>");
  };
  EXPECT_EQ(uniform("9"), "none");
  EXPECT_EQ(uniform("1"), "both");
}

/// Constants among elements that depend on arguments: of tables that are sorted or updated, of initial values and padding.
TEST(Infinities, ComeFromConstantsBesideArguments) {
  const std::string bits =
      "%t = stablehlo.constant dense<[2139095040, 1, 2, 3]> : tensor<4xi32>\n"
      "%i = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>\n"
      "%ti = stablehlo.constant dense<2139095040> : tensor<i32>\n";
  const std::string cast = "\n%r = stablehlo.bitcast_convert %b : (tensor<4xi32>) -> tensor<4xf32>";
  EXPECT_EQ(of(bits + R"(%v, %b = "stablehlo.sort"(%x, %t) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pt: tensor<i32>, %qt: tensor<i32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>))" +
               cast),
            "both");
  EXPECT_EQ(of(bits + R"(%at = stablehlo.constant dense<1> : tensor<1xi32>
  %u = stablehlo.slice %i [0:1] : (tensor<4xi32>) -> tensor<1xi32>
  %us = stablehlo.reshape %u : (tensor<1xi32>) -> tensor<i32>
  %b = "stablehlo.scatter"(%t, %at, %us) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %q : tensor<i32>
  }) : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>)" +
               cast),
            "both");
  EXPECT_EQ(
      of(bits +
         R"(%m = stablehlo.reduce(%i init: %ti) applies stablehlo.maximum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  %b = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<i32>) -> tensor<4xi32>)" +
         cast),
      "both");
  EXPECT_EQ(of(R"(%five = stablehlo.constant dense<3.0e38> : tensor<f32>
  %w = "stablehlo.reduce_window"(%x, %five) <{window_dimensions = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  %r = stablehlo.add %w, %w : tensor<5xf32>)",
               "tensor<5xf32>"),
            "both");
}

/// A boolean is one of two constants, whatever it depends on.
TEST(Infinities, ComeFromBooleansAsNumbers) {
  EXPECT_EQ(of("%f = stablehlo.convert %mask : (tensor<4xi1>) -> tensor<4xf32>\n%r = stablehlo.log %f : tensor<4xf32>"),
            "both");
}

/// x + inf and x / inf are constants again, and so is what functions make of them.
TEST(Infinities, AbsorbArguments) {
  const std::string sum = "%s = stablehlo.add %x, %inf : tensor<4xf32>\n";
  EXPECT_EQ(of(sum + "%t = stablehlo.tanh %s : tensor<4xf32>\n%k = stablehlo.constant dense<3.0e38> : tensor<4xf32>\n"
                     "%m = stablehlo.multiply %t, %k : tensor<4xf32>\n%r = stablehlo.add %m, %m : tensor<4xf32>"),
            "both");
  EXPECT_EQ(of("%q = stablehlo.divide %x, %inf : tensor<4xf32>\n%r = stablehlo.log %q : tensor<4xf32>"), "both");
  EXPECT_EQ(of("%q = stablehlo.divide %x, %x : tensor<4xf32>\n%r = stablehlo.log %q : tensor<4xf32>"), "none");
}

/// Integers beyond 2^53 are not known exactly, sums of narrow floats round at each step, and regions that turn booleans
/// into numbers are not followed.
TEST(Infinities, ComeFromWhatIsNotKnownExactly) {
  EXPECT_EQ(of(R"(%a = stablehlo.constant dense<9007199254740993> : tensor<4xi64>
  %b = stablehlo.constant dense<9007199254740992> : tensor<4xi64>
  %d = stablehlo.subtract %a, %b : tensor<4xi64>
  %f = stablehlo.convert %d : (tensor<4xi64>) -> tensor<4xf32>
  %k = stablehlo.constant dense<3.0e38> : tensor<4xf32>
  %m = stablehlo.multiply %f, %k : tensor<4xf32>
  %r = stablehlo.add %m, %m : tensor<4xf32>)"),
            "both");
  EXPECT_EQ(of(R"(%k = stablehlo.constant dense<17.0> : tensor<3000xf16>
  %e = stablehlo.constant dense<0.0> : tensor<f16>
  %r = stablehlo.reduce(%k init: %e) applies stablehlo.add across dimensions = [0] : (tensor<3000xf16>, tensor<f16>) -> tensor<f16>)",
               "tensor<f16>"),
            "both");
  EXPECT_EQ(of(R"(%r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
    ^bb0(%p: tensor<f32>):
    %c = stablehlo.compare EQ, %p, %p : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %f = stablehlo.convert %c : (tensor<i1>) -> tensor<f32>
    %e = stablehlo.log %f : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>)"),
            "both");
}

/// A counter that a loop increases is at least its initial value, and may be large.
TEST(Infinities, OfCountersFollowTheRangeThatTheyReach) {
  const auto counted = [](const std::string& function) {
    return of(R"(%one = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.constant dense<1> : tensor<4xi32>
  %n = stablehlo.constant dense<30> : tensor<i32>
  %c, %t = stablehlo.while(%k = %one, %a = %start) : tensor<i32>, tensor<4xi32>
    cond {
      %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k1 = stablehlo.add %k, %one : tensor<i32>
      %a1 = stablehlo.maximum %a, %start : tensor<4xi32>
      %a2 = stablehlo.add %a1, %start : tensor<4xi32>
      stablehlo.return %k1, %a2 : tensor<i32>, tensor<4xi32>
    }
  %base = stablehlo.constant dense<0.9> : tensor<4xf32>
  %large = stablehlo.constant dense<2.0> : tensor<4xf32>
  %s = stablehlo.maximum %t, %start : tensor<4xi32>
  %f = stablehlo.convert %s : (tensor<4xi32>) -> tensor<4xf32>
  %r = )" + function +
              " : tensor<4xf32>");
  };
  EXPECT_EQ(counted("stablehlo.power %large, %f"), "both");
}

TEST(Infinities, ComeFromBitsOfConstants) {
  const std::string bits = "%k = stablehlo.constant dense<2139095040> : tensor<4xi32>\n";
  const std::string cast = "%r = stablehlo.bitcast_convert %b : (tensor<4xi32>) -> tensor<4xf32>";
  EXPECT_EQ(of("%b = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>\n" + cast), "none");
  EXPECT_EQ(of(bits + "%i = stablehlo.convert %mask : (tensor<4xi1>) -> tensor<4xi32>\n" +
               "%b = stablehlo.multiply %i, %k : tensor<4xi32>\n" + cast),
            "both");
}

TEST(Infinities, ComeFromTheComputationOfAReduction) {
  EXPECT_EQ(
      of(R"(%r = stablehlo.reduce(%x init: %unit) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    reducer(%p: tensor<f32>, %q: tensor<f32>) {
      %k = stablehlo.constant dense<0x7F800000> : tensor<f32>
      %m = stablehlo.maximum %p, %k : tensor<f32>
      %n = stablehlo.maximum %m, %q : tensor<f32>
      stablehlo.return %n : tensor<f32>
    })",
         "tensor<f32>"),
      "both");
}

TEST(Infinities, OfAMaximumAreThoseOfItsMembers) {
  const auto reduced = [&](const char* value, const char* by) {
    return of(std::string("%r = stablehlo.reduce(%") + value + " init: %init) applies stablehlo." + by +
                  " across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>",
              "tensor<f32>");
  };
  EXPECT_EQ(reduced("x", "maximum"), "none");
  EXPECT_EQ(reduced("masked", "maximum"), "lowest");
  EXPECT_EQ(reduced("x", "minimum"), "lowest");
  EXPECT_EQ(reduced("x", "add"), "lowest");
}

/// The type of the windows of `size` positions over 4, with padding at the ends.
std::string windows_type(std::int64_t size, std::int64_t low, std::int64_t high) {
  return fmt::format("tensor<{}xf32>", 5 - size + low + high);
}

/// A reduce_window of a tensor<4xf32>.
std::string windows_over(const std::string& x, const std::string& by, const std::string& initial, std::int64_t size,
                         std::int64_t low, std::int64_t high) {
  return fmt::format(
      R"("stablehlo.reduce_window"({}, {}) <{{base_dilations = array<i64: 1>, padding = dense<[[{}, {}]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: {}>, window_strides = array<i64: 1>}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.{} %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }}) : (tensor<4xf32>, tensor<f32>) -> {})",
      x, initial, low, high, size, by, windows_type(size, low, high));
}

/// Of windows of two positions over %x, or over another value of its type.
std::string window(const std::string& x, const std::string& by, const std::string& initial, std::int64_t low,
                   std::int64_t high) {
  return of("%r = " + windows_over(x, by, initial, 2, low, high), windows_type(2, low, high));
}

TEST(Infinities, OfWindowsAreThoseOfTheirMembers) {
  EXPECT_EQ(window("%x", "maximum", "%init", 0, 0), "none");
  EXPECT_EQ(window("%x", "maximum", "%init", 1, 1), "none") << "each window has a member";
  EXPECT_EQ(window("%x", "maximum", "%init", 2, 0), "lowest") << "the first one lies in the padding";
  EXPECT_EQ(window("%x", "maximum", "%init", 0, 2), "lowest") << "the last one lies in the padding";
  EXPECT_EQ(window("%masked", "maximum", "%init", 0, 0), "lowest");
}

/// Noise schedules of diffusion models are products of constants.
TEST(Infinities, OfProductsFollowTheirRange) {
  const auto inverse = [](const std::string& constants) {
    return of("%c = stablehlo.constant dense<" + constants + "> : tensor<4xf32>\n%p = " +
              windows_over("%c", "multiply", "%unit", 4, 3, 0) + "\n%r = stablehlo.rsqrt %p : tensor<4xf32>");
  };
  EXPECT_EQ(inverse("[0.9, 0.8, 0.7, 0.5]"), "none");
  EXPECT_EQ(inverse("[3.0, 0.5, 4.0, 1.0]"), "none");
  EXPECT_EQ(inverse("[0.9, 0.0, 0.7, 0.5]"), "both");
  EXPECT_EQ(inverse("[0.9, -0.1, 0.7, 0.5]"), "both") << "0 is inside the range of the products";
  EXPECT_EQ(inverse("[1.0e-12, 1.0e-12, 1.0e-12, 1.0e-12]"), "both") << "the last product is below the type's numbers";
  EXPECT_EQ(inverse("[1.0e12, 1.0e12, 1.0e12, 1.0e12]"), "both") << "the last product exceeds the type";
}

/// NaN alone among the members, and a window that has none of them: it holds the initial value.
TEST(Infinities, OfSumsOfNothingAreThoseOfTheInitialValue) {
  const std::string maybe =
      "%nan = stablehlo.constant dense<0x7FC00000> : tensor<4xf32>\n"
      "%m = stablehlo.select %mask, %x, %nan : tensor<4xi1>, tensor<4xf32>\n"
      "%o = stablehlo.constant dense<0.0> : tensor<f32>\n";
  const auto inverse = [&](std::int64_t low) {
    const std::string out = windows_type(2, low, 0);
    return of(maybe + "%w = " + windows_over("%m", "add", "%o", 2, low, 0) + "\n%r = stablehlo.rsqrt %w : " + out, out);
  };
  EXPECT_EQ(inverse(1), "none");
  EXPECT_EQ(inverse(2), "both");
  EXPECT_EQ(of(R"(%e = stablehlo.constant dense<> : tensor<4x0xf32>
  %o = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%e init: %o) applies stablehlo.add across dimensions = [1] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.rsqrt %s : tensor<4xf32>)"),
            "both");
}

/// An `or` of integers is none of them: 1 | 2 is 3.
TEST(Infinities, OfBitsThatAreCombinedFollowNoRange) {
  const auto inverse = [](const std::string& combine) {
    return of(R"(%k = stablehlo.constant dense<[[1, 2], [1, 2], [1, 2], [1, 2]]> : tensor<4x2xi32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.reduce(%k init: %o) applies stablehlo.)" +
              combine + R"( across dimensions = [1] : (tensor<4x2xi32>, tensor<i32>) -> tensor<4xi32>
  %f = stablehlo.convert %s : (tensor<4xi32>) -> tensor<4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4xf32>
  %d = stablehlo.subtract %three, %f : tensor<4xf32>
  %r = stablehlo.rsqrt %d : tensor<4xf32>)");
  };
  EXPECT_EQ(inverse("maximum"), "none");
  EXPECT_EQ(inverse("or"), "both");
  EXPECT_EQ(inverse("xor"), "both");
}

TEST(Infinities, OfProductsThatExceedADoubleFollowNoRange) {
  EXPECT_EQ(of(R"(%c = stablehlo.constant dense<-1.0e38> : tensor<4x10xf32>
  %o = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%c init: %o) applies stablehlo.multiply across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.rsqrt %s : tensor<4xf32>)"),
            "both");
}

TEST(Infinities, OfSquaresOfComplexNumbersAreOfBothParts) {
  EXPECT_EQ(of(R"(%c = stablehlo.constant dense<(0.0, 1000.0)> : tensor<4xcomplex<f32>>
  %z = stablehlo.complex %x, %x : tensor<4xcomplex<f32>>
  %s = stablehlo.select %mask, %z, %c : tensor<4xi1>, tensor<4xcomplex<f32>>
  %q = chlo.square %s : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %p = stablehlo.real %q : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %m = stablehlo.negate %p : tensor<4xf32>
  %r = stablehlo.exponential %m : tensor<4xf32>)"),
            "both");
}

/// tanh(8) and erf(3.9) are 1 in f32 on some devices.
TEST(Infinities, OfFunctionsFollowWhatDevicesApproximate) {
  const auto inverse = [](const std::string& function, const std::string& constant, const std::string& types) {
    return of("%c = stablehlo.constant dense<" + constant + "> : tensor<4xf32>\n%o = stablehlo.constant dense<1.0> : " +
              "tensor<4xf32>\n%e = stablehlo.select %mask, %x, %c : tensor<4xi1>, tensor<4xf32>\n%f = " + function +
              " %e : " + types +
              "\n%d = stablehlo.subtract %o, %f : tensor<4xf32>\n%r = stablehlo.rsqrt %d : tensor<4xf32>");
  };
  EXPECT_EQ(inverse("stablehlo.tanh", "3.0", "tensor<4xf32>"), "none");
  EXPECT_EQ(inverse("stablehlo.tanh", "8.0", "tensor<4xf32>"), "both");
  EXPECT_EQ(inverse("stablehlo.logistic", "16.5", "tensor<4xf32>"), "both");
  EXPECT_EQ(inverse("chlo.erf", "3.9", "tensor<4xf32> -> tensor<4xf32>"), "both");
}

TEST(Infinities, MayComeFromNumbersBelowFullPrecision) {
  const auto inverse = [](const std::string& constant) {
    return of("%c = stablehlo.constant dense<" + constant + "> : tensor<4xf32>\n" +
              "%e = stablehlo.maximum %x, %c : tensor<4xf32>\n%r = stablehlo.rsqrt %e : tensor<4xf32>");
  };
  EXPECT_EQ(inverse("1.2e-38"), "none");
  EXPECT_EQ(inverse("1.1e-38"), "both") << "where such numbers count as zero";
}

/// JAX's solvers replace results by NaN where a factorisation fails.
TEST(Infinities, DoNotComeFromSolvingWithNaN) {
  const auto solved = [](const std::string& constant) {
    return of(
        "%c = stablehlo.constant dense<" + constant + "> : tensor<2x2xf32>\n" +
            "%m = stablehlo.reshape %mask : (tensor<4xi1>) -> tensor<2x2xi1>\n" +
            "%y = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>\n" +
            "%a = stablehlo.select %m, %y, %c : tensor<2x2xi1>, tensor<2x2xf32>\n" +
            R"(%r = "stablehlo.triangular_solve"(%a, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>)",
        "tensor<2x2xf32>");
  };
  EXPECT_EQ(solved("0x7FC00000"), "none");
  EXPECT_EQ(solved("0.0"), "both");
}

TEST(Infinities, AreCarriedByLoops) {
  EXPECT_EQ(of(R"(%one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r, %y, %i = stablehlo.while(%a = %x, %b = %x, %k = %one) : tensor<4xf32>, tensor<4xf32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k1 = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %b, %low, %k1 : tensor<4xf32>, tensor<4xf32>, tensor<i32>
    })"),
            "lowest");
}

/// The verdict on (sum of a) * y, for a factor %y that is computed from %x: each device multiplies its partial sum.
CertificateReport product(const std::string& factor) {
  const std::string body = R"(
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.compare LT, %x, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %masked = stablehlo.select %c, %x, %m : tensor<i1>, tensor<f32>
  %y = )" + factor + R"( : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.multiply %s, %y : tensor<f32>
)";
  const std::string source =
      "func.func @main(%a: tensor<4xf32>, %x: tensor<f32>) -> tensor<f32> {" + body + "  return %r : tensor<f32>\n}";
  const std::string target = "func.func @main(%a: tensor<2xf32>" + is_part("[{a}]") + ", %x: tensor<f32>" +
                             is_part("[]") + ") -> (tensor<f32>" + is_part("[]") + ") {" +
                             with(body, "tensor<4xf32>", "tensor<2xf32>") + R"(
  %whole = "stablehlo.all_reduce"(%r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %both = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %whole : tensor<f32>
})";
  std::string steps;
  for (const char* place : {"0", "1", "2", "3", "4"})
    steps += std::string(R"({"op": ")") + place + R"(", "source": ")" + place + "\"}, ";
  steps +=
      R"({"op": "5", "source": "5", "along": [{"axis": "a", "operands": ["#tile<0>", "any"], "results": ["#sum"]}]}, )"
      R"({"op": "6", "source": "6", "along": [{"axis": "a", "operands": ["#sum", "any"], "results": ["#sum"]}]}, )"
      R"({"op": "7", "types": ["[]"]})";
  return checked(source, target, steps);
}

TEST(Infinities, AreNoFactorsOfPartialSums) {
  expect_proved(product("stablehlo.exponential %x"));
  expect_proved(product("stablehlo.exponential %masked"));
  expect_unknown(product("stablehlo.negate %masked"), "a value that may be infinite");
}

/// A random program that computes with arguments if the first is positive, and with constants if it is not: so no
/// element is both. Each value is used once, so that nothing cancels.
class RandomConstants {
 public:
  explicit RandomConstants(int operations) {
    text_ = "func.func @main(";
    for (int k = 0; k < kArguments; ++k) text_ += fmt::format("{}%x{}: tensor<4xf32>", k != 0 ? ", " : "", k);
    text_ +=
        ") -> tensor<4xf32> {\n  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>\n"
        "  %mask = stablehlo.compare GT, %x0, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n";
    std::string v = chosen();
    for (int k = 0; k < operations; ++k) v = next(v);
    text_ += fmt::format("  return {} : tensor<4xf32>\n}}", v);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  static constexpr int kArguments = 6;

 private:
  static constexpr const char* kUnary[] = {
      "negate", "abs",      "exponential",           "log",         "tanh", "sqrt", "rsqrt", "cbrt", "sine", "cosine",
      "tan",    "logistic", "exponential_minus_one", "log_plus_one"};
  static constexpr const char* kChlo[] = {"square", "cosh",  "sinh",  "erf",    "asinh",
                                          "atan",   "atanh", "acosh", "erf_inv"};
  static constexpr const char* kBinary[] = {"add", "subtract", "multiply", "divide", "maximum", "minimum", "power"};

  static int below(int n) { return *rc::gen::inRange(0, n); }
  std::string op(const std::string& what) {
    const std::string name = fmt::format("%v{}", count_++);
    text_ += fmt::format("  {} = {}\n", name, what);
    return name;
  }
  static std::string number() {
    return *rc::gen::element<std::string>("0.0", "1.0", "-1.0", "0.5", "3.0", "-7.0", "88.0", "100.0", "1.0e30",
                                          "-1.0e-30", "8.0", "0x7F800000", "0xFF800000", "0x7FC00000");
  }
  std::string constant() {
    if (below(2) == 0) return op(fmt::format("stablehlo.constant dense<{}> : tensor<4xf32>", number()));
    return op(fmt::format("stablehlo.constant dense<[{}, {}, {}, {}]> : tensor<4xf32>", number(), number(), number(),
                          number()));
  }
  /// Integers that are combined over a second dimension.
  std::string folded() {
    const auto list = [] { return fmt::format("[{}, {}, {}]", below(9) - 4, below(9) - 4, below(200)); };
    const std::string k =
        op(fmt::format("stablehlo.constant dense<[{}, {}, {}, {}]> : tensor<4x3xi32>", list(), list(), list(), list()));
    const std::string o = op(fmt::format("stablehlo.constant dense<{}> : tensor<i32>", below(3)));
    const auto by = *rc::gen::element<std::string>("add", "multiply", "maximum", "minimum", "and", "or", "xor");
    const std::string r =
        op(fmt::format("stablehlo.reduce({} init: {}) applies stablehlo.{} across dimensions = [1] : "
                       "(tensor<4x3xi32>, tensor<i32>) -> tensor<4xi32>",
                       k, o, by));
    return op(fmt::format("stablehlo.convert {} : (tensor<4xi32>) -> tensor<4xf32>", r));
  }
  std::string chosen() {
    const std::string c = below(4) == 0 ? folded() : constant();
    return op(fmt::format("stablehlo.select %mask, %x{}, {} : tensor<4xi1>, tensor<4xf32>", argument_++, c));
  }
  std::string next(const std::string& v) {
    switch (below(8)) {
      case 0:
      case 1: {
        const std::string other = argument_ < kArguments ? chosen() : v;
        const char* f = kBinary[below(static_cast<int>(std::size(kBinary)))];
        return op(below(2) == 0 ? fmt::format("stablehlo.{} {}, {} : tensor<4xf32>", f, v, other)
                                : fmt::format("stablehlo.{} {}, {} : tensor<4xf32>", f, other, v));
      }
      case 2: {
        const char* f = kChlo[below(static_cast<int>(std::size(kChlo)))];
        return op(fmt::format("chlo.{} {} : tensor<4xf32> -> tensor<4xf32>", f, v));
      }
      case 3: {  // windows of two positions, some of which lie in the padding
        const auto by = *rc::gen::element<std::string>("add", "multiply", "maximum", "minimum");
        const std::string o = op(fmt::format("stablehlo.constant dense<{}> : tensor<f32>", number()));
        const int low = below(3);
        const std::string w = op(windows_over(v, by, o, 2, low, 0));
        const std::string z = op("stablehlo.constant dense<1.0> : tensor<f32>");
        return op(
            fmt::format("stablehlo.pad {}, {}, low = [0], high = [{}], interior = [0] : ({}, tensor<f32>) -> "
                        "tensor<4xf32>",
                        w, z, 1 - low, windows_type(2, low, 0)));
      }
      case 4: {
        const auto to = *rc::gen::element<std::string>("f16", "bf16", "f64");
        const std::string half = op(fmt::format("stablehlo.convert {0} : (tensor<4xf32>) -> tensor<4x{1}>", v, to));
        return op(fmt::format("stablehlo.convert {0} : (tensor<4x{1}>) -> tensor<4xf32>", half, to));
      }
      default:
        return op(
            fmt::format("stablehlo.{} {} : tensor<4xf32>", kUnary[below(static_cast<int>(std::size(kUnary)))], v));
    }
  }

  std::string text_;
  int count_ = 0;
  int argument_ = 0;
};

/// Arguments between 0.1 and 1; the first between -1 and -0.1 if `negative`.
std::vector<Tensor> small_arguments(const Function& f, unsigned seed, bool negative) {
  std::mt19937 random(seed);
  std::vector<Tensor> out;
  for (const ValueId v : f.arguments()) {
    Tensor x{f.tensor(v), std::vector<Scalar>(4), {}};
    for (Scalar& s : x.data) {
      s.f = round_to(std::uniform_real_distribution<double>(0.1, 1)(random), ElementType::f32);
      if (negative && out.empty()) s.f = -s.f;
    }
    out.push_back(std::move(x));
  }
  return out;
}

/// Where values that vary with the arguments are finite, infinities come from constants, and all are found.
TEST(Infinities, HoldThoseOfRandomPrograms) {
  testing::draw_cases(1000);
  EXPECT_TRUE(rc::check("values are in what the analysis finds", [] {
    const RandomConstants program(*rc::gen::inRange(1, 7));
    const Module module = value_or_throw(read_module(program.text(), "random.mlir"));
    const Function& f = *value_or_throw(module.main());
    const Infinities found = infinities_of(f)[f.returned()[0].index()];
    RC_LOG() << program.text();
    for (unsigned seed = 0; seed < 6; ++seed) {
      const auto varying = value_or_throw(run_sequential(f, small_arguments(f, seed, false), native_domain()));
      if (std::any_of(varying[0].data.begin(), varying[0].data.end(),
                      [](const Scalar& s) { return !std::isfinite(s.f); }))
        return;
      const auto constants = value_or_throw(run_sequential(f, small_arguments(f, seed, true), native_domain()));
      for (const Scalar& s : constants[0].data) {
        if (!std::isinf(s.f)) continue;
        RC_ASSERT((s.f > 0 ? found.highest : found.lowest));
      }
    }
  }));
}

/// Partitions %g times rsqrt(%f) over 3 devices, where %g is a sum over rows that are tiled, and `lines` compute %f from 5
/// columns of %x. Returns whether the sum is reduced before the product.
bool reduces_before_product(const std::string& lines, const std::string& inputs) {
  PartitionInput input;
  input.text = R"(func.func @main(%x: tensor<3x5xf32>, %v: tensor<6x5xf32>) -> tensor<5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.slice %x [1:2, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
  %c = stablehlo.reshape %y : (tensor<1x5xf32>) -> tensor<5xf32>
)" + lines + R"(
  %q = stablehlo.rsqrt %f : tensor<5xf32>
  %g = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf32>
  %p = stablehlo.multiply %g, %q : tensor<5xf32>
  return %p : tensor<5xf32>
})";
  input.file = "product.mlir";
  input.mesh = "a=3,b=2";
  input.schedule = R"({"tactics": [)" + inputs + "]}";
  const Partition p = value_or_throw(partition(input, Emit::stablehlo, [] { return 0.0; }));
  const Module source = value_or_throw(read_module(input.text, input.file));
  const Module written = value_or_throw(read_module(p.stablehlo, "out.mlir"));
  const CertificateReport report = check_certificate(source, written, p.certificate);
  EXPECT_EQ(report.verdict, Verdict::proved) << report.reason;
  const std::size_t product = p.stablehlo.rfind("stablehlo.multiply");
  return p.stablehlo.rfind("stablehlo.all_reduce") < product;
}

/// Decomposing and padding add constants and elements that the given program does not have: they make none of its values
/// infinite. What may be infinite in the given program stays so, and a sum that it is multiplied with is reduced first.
TEST(Infinities, AreThoseOfTheGivenProgram) {
  const std::string rows = R"({"name": "T", "axis": "a", "inputs": {"arg0": 0, "arg1": 0}})";
  const std::string columns = rows + R"(, {"name": "C", "axis": "b", "inputs": {"arg1": 1}, "uneven": true})";
  const std::string finite = "%f = stablehlo.reshape %c : (tensor<5xf32>) -> tensor<5xf32>";
  const std::string infinite =
      "%n = stablehlo.constant dense<0.0> : tensor<5xf32>\n%f = stablehlo.maximum %c, %n : tensor<5xf32>";
  for (const std::string& tactics : {rows, columns}) {
    EXPECT_FALSE(reduces_before_product(finite, tactics)) << tactics;
    EXPECT_TRUE(reduces_before_product(infinite, tactics)) << tactics;
  }
}

}  // namespace
}  // namespace partir::infinities_test
