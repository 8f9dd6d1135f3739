// Which values may be infinite (verify/certificate/infinities.h), and that a product of a partial sum with such a value
// is not proved.
#include "verify/certificate/infinities.h"

#include <gtest/gtest.h>

#include "tests/certificate/by_hand.h"

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

}  // namespace
}  // namespace partir::infinities_test
