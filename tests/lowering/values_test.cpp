// Lowered programs on a mesh whose axes differ in size: run on all devices they give the source's values, and their
// certificates are proved. Random programs seldom have two axes on one value; these programs do.
#include <fmt/format.h>

#include <cmath>

#include "ir/text/print.h"
#include "lowering/emit.h"
#include "semantics/interpreter.h"
#include "tests/partition_case.h"
#include "verify/certificate/check.h"

namespace partir {
namespace {

constexpr const char* kMesh = "a=2,b=3,c=2";

/// Checks values and certificate, and returns the collectives.
std::string counts(const std::string& program, const std::string& tactics) {
  const PartitionCase c(program, kMesh, tactics);
  const Module emitted = stablehlo_module(c.spmd, c.module);
  const std::string text = print_module(emitted);
  const Module local = value_or_throw(read_module(text, "spmd.mlir"));
  const Function& main = **c.module.main();
  const auto report = check_certificate(c.module, local, certificate_of(c.spmd, emitted, *c.state, main));
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason << "\n" << text;
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < main.arguments().size(); ++k)
    inputs.push_back(random_tensor(main.tensor(main.arguments()[k]), 3, k, native_domain()));
  for (Tensor& t : inputs) {  // integers, whose sums are exact
    for (Scalar& s : t.data) s.f = std::floor(16 * s.f);
  }
  const auto whole = value_or_throw(run_sequential(main, inputs, native_domain()));
  const auto joined = value_or_throw(run_module(local, inputs, native_domain(), 1));
  for (std::size_t k = 0; k < whole.size(); ++k)
    EXPECT_EQ(difference(joined[k], whole[k], native_domain()).elements, 0U) << "result " << k << "\n" << text;
  return c.counts();
}

std::string tile(const char* axis, const char* inputs, const char* name = "") {
  return fmt::format(R"({{"name": "{}{}", "axis": "{}", "inputs": {{{}}}}})", axis, name, axis, inputs);
}
const std::string kZero = "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n";
const std::string kLowest = "  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>\n";

std::string reduced(const std::string& out, const std::string& x, const std::string& from,
                    const std::string& fn = "add") {
  return fmt::format(
      "  %{} = stablehlo.reduce(%{} init: %{}) applies stablehlo.{} across dimensions = [0] : "
      "(tensor<{}xf32>, tensor<f32>) -> tensor<{}xf32>\n",
      out, x, fn == "add" ? "z" : "l", fn, from, from.substr(from.find('x') + 1));
}

/// Replicated values (iota) are sliced by the device's position along several axes, in both orders of nesting.
TEST(LoweredValues, AreSlicedAlongSeveralAxes) {
  const std::string program = R"(
func.func @main(%x: tensor<12x4xf32>) -> tensor<12x4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<12x4xf32>
  %0 = stablehlo.add %x, %i : tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
})";
  const auto by = [&](const char* first, const char* second) {
    return counts(program, tile(first, R"("arg0": 0)") + ", " + tile(second, R"("arg0": 0)"));
  };
  EXPECT_EQ(by("a", "b"), "none");
  EXPECT_EQ(by("b", "a"), "none");
  EXPECT_EQ(by("b", "c"), "none");
  EXPECT_EQ(counts(program, tile("b", R"("arg0": 0)") + ", " + tile("c", R"("arg0": 1)")), "none");
}

/// One all_reduce over the product of the axes instead of one for each axis.
TEST(LoweredValues, AreReducedOverSeveralAxesTogether) {
  const std::string program = "func.func @main(%x: tensor<12x4xf32>) -> tensor<4xf32> {\n" + kZero +
                              reduced("0", "x", "12x4") + "  return %0 : tensor<4xf32>\n}";
  EXPECT_EQ(counts(program, tile("a", R"("arg0": 0)") + ", " + tile("b", R"("arg0": 0)")), "1 all_reduce");
  EXPECT_EQ(counts(program, tile("c", R"("arg0": 0)") + ", " + tile("b", R"("arg0": 0)")), "1 all_reduce");
  EXPECT_EQ(counts(program, tile("b", R"("arg0": 0)")), "1 all_reduce");
}

/// The use needs the sum tiled along a only: it is scattered along a and reduced along b.
TEST(LoweredValues, AreReducedOverTheAxesThatAreNotScattered) {
  const std::string program = "func.func @main(%x: tensor<12x4xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {\n" + kZero +
                              reduced("0", "x", "12x4") +
                              "  %1 = stablehlo.multiply %0, %m : tensor<4xf32>\n  return %1 : tensor<4xf32>\n}";
  EXPECT_EQ(counts(program, tile("a", R"("arg0": 0)") + ", " + tile("b", R"("arg0": 0)") + ", " +
                                tile("a", R"("arg1": 0)", "2")),
            "1 all_reduce, 1 reduce_scatter");
}

/// The two uses need chunks along different dimensions, so the sum is reduced completely and sliced for each.
TEST(LoweredValues, AreScatteredAlongOneDimensionOnly) {
  const std::string program =
      "func.func @main(%x: tensor<12x4x4xf32>, %m: tensor<4x4xf32>, %n: tensor<4x4xf32>) -> (tensor<4x4xf32>, "
      "tensor<4x4xf32>) {\n" +
      kZero + reduced("0", "x", "12x4x4") +
      "  %1 = stablehlo.multiply %0, %m : tensor<4x4xf32>\n  %2 = stablehlo.multiply %0, %n : tensor<4x4xf32>\n"
      "  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>\n}";
  EXPECT_EQ(counts(program, tile("a", R"("arg0": 0)") + ", " + tile("a", R"("arg1": 0, "arg2": 1)", "2")),
            "1 all_reduce");
}

/// A pending maximum remains a pending maximum through a transpose.
TEST(LoweredValues, KeepTheirCombinationWherePartialValuesPass) {
  const std::string program = "func.func @main(%x: tensor<12x4x2xf32>) -> tensor<2x4xf32> {\n" + kLowest +
                              reduced("0", "x", "12x4x2", "maximum") +
                              "  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>\n"
                              "  return %1 : tensor<2x4xf32>\n}";
  EXPECT_EQ(counts(program, tile("a", R"("arg0": 0)")), "1 all_reduce");
}

/// A pending sum and a pending maximum cannot be added before they are reduced.
TEST(LoweredValues, PartialByDifferentCombinationsAreReducedApart) {
  const std::string program = "func.func @main(%x: tensor<12x4xf32>, %y: tensor<12x4xf32>) -> tensor<4xf32> {\n" +
                              kZero + kLowest + reduced("0", "x", "12x4") + reduced("1", "y", "12x4", "maximum") +
                              "  %2 = stablehlo.add %0, %1 : tensor<4xf32>\n  return %2 : tensor<4xf32>\n}";
  EXPECT_EQ(counts(program, tile("a", R"("*": 0)")), "2 all_reduce");
}

/// A scan is left replicated, and so are the values from outside that its body reads.
TEST(LoweredValues, AreWholeWhereRegionsReadThem) {
  const std::string program = R"(
func.func @main(%x: tensor<12x4xf32>, %k: tensor<4xf32>) -> tensor<12x4xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<4xf32>
  %n = stablehlo.negate %k : tensor<4xf32>
  %0:2 = chlo.scan(%x) inits(%c) dimension=0 {
  ^bb0(%e: tensor<4xf32>, %sum: tensor<4xf32>):
    %1 = stablehlo.add %sum, %e : tensor<4xf32>
    %2 = stablehlo.add %1, %n : tensor<4xf32>
    stablehlo.return %2, %2 : tensor<4xf32>, tensor<4xf32>
  } : (tensor<12x4xf32>, tensor<4xf32>) -> (tensor<12x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<12x4xf32>
})";
  EXPECT_EQ(counts(program, tile("a", R"("arg0": 0, "arg1": 0)")), "2 all_gather");
}

}  // namespace
}  // namespace partir
