// A difference that rounding explains is not a counterexample, even where rounding decides which branch runs or which
// element is read. A difference that rounding does not explain is one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/validate/counterexample.h"

namespace partir::validate {
namespace {

constexpr const char* kAddition = R"(({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }))";

std::string sum_of(const std::string& to, const std::string& from, const std::string& type) {
  return fmt::format(
      "    %{0}_0 = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "    %{0} = stablehlo.reduce(%{1} init: %{0}_0) applies stablehlo.add across dimensions = [0] : ({2}, "
      "tensor<f32>) -> "
      "tensor<f32>\n",
      to, from, type);
}

std::string all_reduced(const std::string& to, const std::string& from) {
  return fmt::format(
      "    %{0} = \"stablehlo.all_reduce\"(%{1}) {2} {{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
      "channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}} : "
      "(tensor<f32>) -> tensor<f32>\n",
      to, from, kAddition);
}

/// Returns a program that sums y and uses the sign of the sum. y is e^x less its mean if `centred`, so that the sum is
/// rounding error only, and x otherwise; `reduced` sums over both devices. No sum of e^x is exact, not even in double
/// precision.
Module program(bool device, bool centred, bool reduced, const std::string& use) {
  const std::string type = device ? "tensor<4xf32>" : "tensor<8xf32>";
  std::string text = fmt::format("module {{\n  func.func @main(%x: {0}) -> {0} {{\n", type);
  const auto sum = [&](const std::string& to, const std::string& from, bool over_all) {
    text += sum_of(device && over_all ? to + "_part" : to, from, type);
    if (device && over_all) text += all_reduced(to, to + "_part");
  };
  text += "    %e = stablehlo.exponential %x : " + type + "\n";
  sum("total", "e", true);
  text += fmt::format(
      "    %share = stablehlo.constant dense<{}> : tensor<f32>\n    %mean = stablehlo.multiply %total, %share : "
      "tensor<f32>\n"
      "    %means = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f32>) -> {}\n"
      "    %y = stablehlo.subtract %{}, %means : {}\n",
      centred ? "0.125" : "0.0", type, centred ? "e" : "x", type);
  sum("s", "y", reduced);
  text += fmt::format(
              "    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
              "    %positive = stablehlo.compare GT, %s, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>\n") +
          fmt::format(fmt::runtime(use), fmt::arg("t", type)) + "    return %out : " + type + "\n  }\n}\n";
  return value_or_throw(read_module(text, device ? "device" : "source"));
}

const char* const kBranch = R"(    %out = "stablehlo.if"(%positive) ({{
      %a = stablehlo.add %x, %x : {t}
      stablehlo.return %a : {t}
    }}, {{
      stablehlo.return %x : {t}
    }}) : (tensor<i1>) -> {t}
)";
const char* const kSelect = R"(    %a = stablehlo.add %x, %x : {t}
    %out = stablehlo.select %positive, %a, %x : tensor<i1>, {t}
)";
const char* const kIndex = R"(    %i = stablehlo.convert %positive : (tensor<i1>) -> tensor<i32>
    %table = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %one = stablehlo.dynamic_slice %table, %i, sizes = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<1xf32>
    %scalar = stablehlo.reshape %one : (tensor<1xf32>) -> tensor<f32>
    %scale = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> {t}
    %out = stablehlo.multiply %x, %scale : {t}
)";

const char* const kSort = R"(    %one = stablehlo.reshape %s : (tensor<f32>) -> tensor<1xf32>
    %other = stablehlo.negate %one : tensor<1xf32>
    %keys = stablehlo.concatenate %one, %other, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %table = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %sorted:2 = "stablehlo.sort"(%keys, %table) <{{dimension = 0 : i64, is_stable = true}}> ({{
    ^bb0(%k: tensor<f32>, %l: tensor<f32>, %p: tensor<f32>, %q: tensor<f32>):
      %less = stablehlo.compare LT, %k, %l, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }}) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    %first = stablehlo.slice %sorted#1 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %scalar = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
    %scale = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> {t}
    %out = stablehlo.multiply %x, %scale : {t}
)";
/// The sum, or a number instead of NaN.
const char* const kGuard = R"(    %nan = stablehlo.compare NE, %s, %s, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %finite = stablehlo.is_finite %s : (tensor<f32>) -> tensor<i1>
    %infinite = stablehlo.not %finite : tensor<i1>
    %bad = stablehlo.or %nan, %infinite : tensor<i1>
    %seven = stablehlo.constant dense<7.0> : tensor<f32>
    %scalar = stablehlo.select %bad, %seven, %s : tensor<i1>, tensor<f32>
    %scale = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> {t}
    %out = stablehlo.add %x, %scale : {t}
)";

/// With this many trials, rounding flips the sign in some of them in both precisions.
constexpr std::size_t kMany = 1000;

bool differs(bool centred, bool reduced, const std::string& use) {
  const Module source = program(false, centred, true, use);
  const Module device = program(true, centred, reduced, use);
  const Layouts layouts = value_or_throw(
      layouts_of(source, device, R"({"mesh": "d=2", "arguments": ["[{d}]"], "results": ["[{d}]"]})", std::nullopt));
  return find_counterexample(*value_or_throw(source.main()), *value_or_throw(device.main()), layouts, 1, {}, kMany)
      .has_value();
}

TEST(Rounding, IsNoCounterexampleWhereItDecidesWhatRuns) {
  for (const char* use : {kBranch, kSelect, kIndex, kSort, kGuard}) EXPECT_FALSE(differs(true, true, use)) << use;
}

TEST(Rounding, DoesNotExplainASumOverTooFew) {
  for (const char* use : {kBranch, kSelect, kIndex, kSort, kGuard}) EXPECT_TRUE(differs(false, false, use)) << use;
}

}  // namespace
}  // namespace partir::validate
