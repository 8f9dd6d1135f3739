// Inputs for which the source leaves the domain of an operation are no counterexamples, also where its results are
// numbers: the infinity or NaN may have become an integer, or may not have been selected.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/validate/counterexample.h"

namespace partir::validate {
namespace {

/// Returns a program of x and w that computes `body` into %s, and converts it to integers.
Module program(const std::string& body) {
  return value_or_throw(read_module(
      "module {\n  func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xi32> {\n" + body +
          "    %i = stablehlo.convert %s : (tensor<4xf32>) -> tensor<4xi32>\n    return %i : tensor<4xi32>\n  }\n}\n",
      "test"));
}

bool differ(const std::string& left, const std::string& right) {
  const Module source = program(left);
  const Module device = program(right);
  const Layouts layouts = value_or_throw(layouts_of(
      source, device, R"({"mesh": "d=1", "arguments": ["[{}]", "[{}]"], "results": ["[{}]"]})", std::nullopt));
  return find_counterexample(*value_or_throw(source.main()), *value_or_throw(device.main()), layouts, 1, {}, 200)
      .has_value();
}

TEST(Domains, AZeroDivisorIsNoCounterexample) {
  // The quotients agree but for the sign of the infinity where v is 0, because 0 - 0 is +0.0.
  const auto quotients = [](const std::string& v) {
    return std::pair(v + "    %s = stablehlo.divide %x, %v : tensor<4xf32>\n",
                     v + "    %o = stablehlo.constant dense<0.0> : tensor<4xf32>\n    %u = stablehlo.subtract %o, %v : "
                         "tensor<4xf32>\n    %q = stablehlo.divide %x, %u : "
                         "tensor<4xf32>\n    %s = stablehlo.negate %q : tensor<4xf32>\n");
  };
  const auto [zero, of_zero] = quotients("    %v = stablehlo.subtract %w, %w : tensor<4xf32>\n");
  EXPECT_FALSE(differ(zero, of_zero));
  const auto [any, of_any] = quotients("    %v = stablehlo.floor %w : tensor<4xf32>\n");
  EXPECT_FALSE(differ(any, of_any));
}

TEST(Domains, OtherDivisorsAreCounterexamples) {
  EXPECT_TRUE(differ("    %s = stablehlo.divide %x, %w : tensor<4xf32>\n",
                     "    %s = stablehlo.divide %w, %x : tensor<4xf32>\n"));
}

}  // namespace
}  // namespace partir::validate
