// Values that devices hold with padding that no tile asks for, as the partitioned module states (partir.shape).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

std::string source(const char* monoid) {
  return fmt::format(R"(
func.func @main(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>) {{
  %0 = stablehlo.negate %x : tensor<3x5xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.{0} across dimensions = [1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3xf32>
}})",
                     monoid);
}

/// Two devices hold two rows each, the second one of padding, with a column of padding. `columns`: how many the reduction
/// by `monoid` takes; `shape`: what the module says of the argument and the first result.
Validation judged(int columns, const std::string& shape, const char* monoid = "add") {
  const std::string padded = shape.empty() ? "" : fmt::format(R"(, partir.shape = "{}")", shape);
  const std::string part =
      fmt::format(R"({{mhlo.frontend_attributes = {{partir.sharding = "[{{d}}, {{}}]"{}}}}})", padded);
  const std::string text = fmt::format(R"(
module attributes {{mhlo.frontend_attributes = {{partir.mesh = "d=2"}}, mhlo.num_partitions = 2 : i32}} {{
  func.func @main(%x: tensor<2x6xf32> {1}) -> (tensor<2x6xf32> {1}, tensor<2xf32> {{mhlo.frontend_attributes = {{partir.sharding = "[{{d}}]"}}}}) {{
    %0 = stablehlo.negate %x : tensor<2x6xf32>
    %c = stablehlo.slice %x [0:2, 0:{0}] : (tensor<2x6xf32>) -> tensor<2x{0}xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%c init: %z) applies stablehlo.{2} across dimensions = [1] : (tensor<2x{0}xf32>, tensor<f32>) -> tensor<2xf32>
    return %0, %1 : tensor<2x6xf32>, tensor<2xf32>
  }}
}})",
                                       columns, part, monoid);
  Options options;
  return value_or_throw(validate_partition(value_or_throw(read_module(source(monoid), "source")),
                                           value_or_throw(read_module(text, "partitioned")), {}, options));
}

TEST(PaddedParts, AreTakenAsTheModuleStates) { EXPECT_EQ(judged(5, "3x5").verdict, Verdict::proved); }

TEST(PaddedParts, MayHoldAnything) {
  EXPECT_EQ(judged(6, "3x5").verdict, Verdict::refuted) << "the sum reads padding";
  // A maximum would not change if the padding repeated an element of the argument.
  EXPECT_EQ(judged(5, "3x5", "maximum").verdict, Verdict::proved);
  EXPECT_EQ(judged(6, "3x5", "maximum").verdict, Verdict::refuted) << "the maximum reads padding";
  EXPECT_NE(judged(4, "3x5").verdict, Verdict::proved);
}

TEST(PaddedParts, OfAnotherShapeAreErrors) {
  for (const char* shape : {"", "3x6", "5x3", "3", "7x5"}) EXPECT_THROW((void)judged(5, shape), UserError) << shape;
}

/// Also where the types fit as they are: a reader of the module would take padding for data, or cut data off.
TEST(PaddedParts, OfAnotherShapeAreErrorsWithoutPadding) {
  const auto validated = [](const char* shape) {
    const std::string part =
        fmt::format(R"({{mhlo.frontend_attributes = {{partir.sharding = "[{{}}]", partir.shape = "{}"}}}})", shape);
    const auto module_with = [](const std::string& of) {
      return value_or_throw(read_module(
          fmt::format(
              "module attributes {{mhlo.frontend_attributes = {{partir.mesh = \"d=2\"}}}} {{ func.func @main(%x: "
              "tensor<7xf32> {0}) -> (tensor<7xf32> {0}) {{ return %x : tensor<7xf32> }} }}",
              of),
          "module"));
    };
    return validate_partition(module_with(""), module_with(part), {}, {});
  };
  EXPECT_TRUE(validated("7"));
  for (const char* shape : {"8", "6", "7x1"}) EXPECT_FALSE(validated(shape)) << shape;
}

}  // namespace
}  // namespace partir::validate
