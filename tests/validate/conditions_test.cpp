// Validation proves nothing unless device computations are shown to be defined wherever the source is, and promises of
// operations to be kept. The conditions that are not shown are named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

/// Validates a source and a device program that compute %1 from %x = a + 100000 by these lines. Random inputs are near
/// 0, so that no trial meets an argument on which a root or a logarithm is undefined.
Validation validated(const std::string& source, const std::string& device) {
  const auto program = [](const std::string& size, const std::string& lines) {
    return fmt::format(R"(module {{
  func.func @main(%a: tensor<{0}xf32>) -> tensor<{0}xf32> {{
    %c = stablehlo.constant dense<100000.0> : tensor<{0}xf32>
    %x = stablehlo.add %a, %c : tensor<{0}xf32>
    {1}
    return %1 : tensor<{0}xf32>
  }}
}})",
                       size, fmt::format(fmt::runtime(lines), fmt::format("tensor<{}xf32>", size)));
  };
  Options options;
  options.shardings = R"({"mesh": "d=2", "arguments": ["[{d}]"], "results": ["[{d}]"]})";
  return value_or_throw(validate_partition(value_or_throw(read_module(program("4", source), "source")),
                                           value_or_throw(read_module(program("2", device), "device")), {}, options));
}

const char* const kItself = "%1 = stablehlo.reshape %x : ({0}) -> {0}";

TEST(Conditions, NameWhatADeviceAloneTakesLogarithmsAndRootsOf) {
  for (const char* device : {"%0 = stablehlo.log %x : {0}\n    %1 = stablehlo.exponential %0 : {0}",
                             "%0 = stablehlo.sqrt %x : {0}\n    %1 = stablehlo.multiply %0, %0 : {0}",
                             "%z = stablehlo.constant dense<0.0> : {0}\n    %l = chlo.acosh %x : {0} -> {0}\n    %0 = "
                             "stablehlo.multiply %l, %z : "
                             "{0}\n    %1 = stablehlo.add %x, %0 : {0}",
                             "%z = stablehlo.constant dense<0.3> : {0}\n    %l = stablehlo.power %x, %z : {0}\n    %0 "
                             "= stablehlo.subtract %l, %l "
                             ": {0}\n    %1 = stablehlo.add %x, %0 : {0}"}) {
    const Validation v = validated(kItself, device);
    EXPECT_EQ(v.verdict, Verdict::unknown) << device << v.reason;
    ASSERT_EQ(v.conditions.size(), 1U) << device;
    EXPECT_NE(v.conditions[0].find("logarithms, roots or powers"), std::string::npos) << v.conditions[0];
  }
}

TEST(Conditions, AreOfEveryFunctionThatSomeNumbersLackAValueOf) {
  for (const char* hidden : {"%l = chlo.lgamma %x : {0} -> {0}", "%l = chlo.digamma %x : {0} -> {0}",
                             "%l = chlo.zeta %x, %x : {0}, {0} -> {0}", "%l = stablehlo.tan %x : {0}",
                             "%l = stablehlo.log_plus_one %x : {0}", "%l = chlo.polygamma %x, %x : {0}, {0} -> {0}"}) {
    const Validation v =
        validated(kItself, std::string(hidden) +
                               "\n    %z = stablehlo.constant dense<0.0> : {0}\n    %0 = stablehlo.multiply %l, %z : "
                               "{0}\n    %1 = stablehlo.add %x, %0 : {0}");
    EXPECT_NE(v.verdict, Verdict::proved) << hidden << v.reason;
  }
}

TEST(Conditions, LeaveToTheCallerWhatTheSourceDoes) {
  const auto program = [](const std::string& attributes) {
    return value_or_throw(read_module("module {\nfunc.func @main(%a: tensor<4xf32>" + attributes +
                                          ") -> tensor<4xf32> {\n  %0 = stablehlo.add %a, %a : tensor<4xf32>\n  return "
                                          "%0 : tensor<4xf32>\n}\n}",
                                      "program"));
  };
  Options options;
  options.shardings = R"({"mesh": "d=2", "arguments": ["[{}]"], "results": ["[{}]"]})";
  const auto verdict = [&](const std::string& source, const std::string& device) {
    return value_or_throw(validate_partition(program(source), program(device), {}, options)).verdict;
  };
  const std::string given = " {tf.aliasing_output = 0 : i32}";
  const std::string donor = " {jax.buffer_donor = true}";
  EXPECT_EQ(verdict(given, given), Verdict::proved);
  EXPECT_EQ(verdict(donor, given), Verdict::proved);
  EXPECT_EQ(verdict(given, ""), Verdict::proved);
  EXPECT_EQ(verdict("", given), Verdict::unknown);
  EXPECT_EQ(verdict("", donor), Verdict::unknown);
}

TEST(Conditions, NameWhatADeviceAloneDividesBy) {
  const Validation v =
      validated(kItself, "%0 = stablehlo.divide %x, %x : {0}\n    %1 = stablehlo.multiply %0, %x : {0}");
  EXPECT_EQ(v.verdict, Verdict::unknown) << v.reason;
  ASSERT_EQ(v.conditions.size(), 1U);
  EXPECT_NE(v.conditions[0].find("divisors"), std::string::npos);
}

TEST(Conditions, AreNoneWhereTheSourceHasThemToo) {
  const char* const same = "%0 = stablehlo.log %x : {0}\n    %1 = stablehlo.add %0, %0 : {0}";
  const char* const twice =
      "%0 = stablehlo.log %x : {0}\n    %z = stablehlo.constant dense<2.0> : {0}\n    %1 = stablehlo.multiply %0, %z : "
      "{0}";
  const Validation v = validated(same, twice);
  EXPECT_EQ(v.verdict, Verdict::proved) << v.reason;
  EXPECT_TRUE(v.conditions.empty());
}

TEST(Conditions, AreNoneOfWhatIsPositiveOnAllInputs) {
  const Validation v = validated(kItself,
                                 "%e = stablehlo.exponential %a : {0}\n    %l = stablehlo.log %e : {0}\n    "
                                 "%1 = stablehlo.add %l, %c : {0}");
  EXPECT_EQ(v.verdict, Verdict::proved) << v.reason;
  EXPECT_TRUE(v.conditions.empty());
}

/// Validates a program against two devices that hold all of its arguments and run the same program with some text
/// replaced.
Validation with_text(const std::string& program, const std::string& text, const std::string& by) {
  std::string device = program;
  device.replace(device.find(text), text.size(), by);
  Options options;
  options.mesh = value_or_throw(Mesh::parse("d=2"));
  options.infer = false;
  return value_or_throw(validate_partition(value_or_throw(read_module(program, "source")),
                                           value_or_throw(read_module(device, "device")), {}, options));
}

TEST(Conditions, NameSortsThatMayExchangeEqualKeys) {
  const std::string program = R"(module {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})";
  const Validation unstable = with_text(program, "is_stable = true", "is_stable = false");
  EXPECT_EQ(unstable.verdict, Verdict::unknown);
  ASSERT_EQ(unstable.conditions.size(), 1U);
  EXPECT_NE(unstable.conditions[0].find("not stable"), std::string::npos) << unstable.conditions[0];
  EXPECT_TRUE(with_text(program, "@main", "@main").conditions.empty());
}

}  // namespace
}  // namespace partir::validate
