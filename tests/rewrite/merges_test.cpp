// Reductions by a monoid that no collective implements (bitwise and, or of integers), and searches of dimensions that do
// not divide: they are done in blocks, whose results are gathered and combined.
#include "tests/partitioned.h"

namespace partir {
namespace {

using testing::Partitioned, testing::partitioned, testing::tile;

/// Returns a reduction of 3x8x4 by a combiner along some dimensions.
std::string reduction(const std::string& combiner, const std::string& element, const std::string& initial,
                      const std::string& dimensions, const std::string& result) {
  return fmt::format(R"(
func.func @main(%x: tensor<3x8x4x{1}>) -> tensor<{4}{1}> {{
  %e = stablehlo.constant dense<{2}> : tensor<{1}>
  %0 = stablehlo.reduce(%x init: %e) applies stablehlo.{0} across dimensions = {3} : (tensor<3x8x4x{1}>, tensor<{1}>) -> tensor<{4}{1}>
  return %0 : tensor<{4}{1}>
}})",
                     combiner, element, initial, dimensions, result);
}

/// Expects one all_gather of the blocks' results, whose type is [.., n, ..] for n blocks.
void expect_gathered(const Partitioned& p, const std::string& totals) {
  EXPECT_EQ(p.partition.collectives.str(), "1 all_gather");
  EXPECT_NE(p.partition.stablehlo.find("-> " + totals), std::string::npos) << p.partition.stablehlo;
  EXPECT_EQ(p.partition.certificate.by_offsets.size(), 1U);
}

/// No collective combines integers by and/or: each device reduces its block, and the results are gathered and combined.
TEST(Folds, ByBitsOfIntegersGatherOneResultOfEachBlock) {
  const std::string tactic = tile("a", R"("arg0": 1)");
  expect_gathered(partitioned(reduction("or", "i32", "0", "[1]", "3x4x"), "a=4", tactic), "tensor<3x4x4xi32>");
  expect_gathered(partitioned(reduction("and", "i8", "-1", "[1]", "3x4x"), "a=2", tactic), "tensor<3x2x4xi8>");
  expect_gathered(partitioned(reduction("and", "ui32", "4294967295", "[0, 1, 2]", ""), "a=4", tactic),
                  "tensor<4xui32>");
  expect_gathered(partitioned(reduction("or", "i32", "0", "[2, 1]", "3x"), "a=4", tactic), "tensor<3x4xi32>");
}

/// and/or are idempotent, so that any initial value may be used in every block.
TEST(Folds, ByBitsStartFromAnyValue) {
  expect_gathered(partitioned(reduction("or", "i32", "6", "[0, 1]", "4x"), "a=2", tile("a", R"("arg0": 1)")),
                  "tensor<2x4xi32>");
}

TEST(Folds, ByBitsAreInBlocksOfSeveralAxes) {
  const Partitioned p = partitioned(reduction("or", "ui8", "0", "[1]", "3x4x"), "a=2,b=2",
                                    tile("a", R"("arg0": 1)") + "," + tile("b", R"("arg0": 1)"));
  ASSERT_EQ(p.partition.certificate.by_offsets.size(), 1U);
  EXPECT_EQ(p.partition.certificate.by_offsets[0].how.devices, 4);
  EXPECT_EQ(p.partition.stablehlo.find("all_reduce"), std::string::npos) << p.partition.stablehlo;
}

/// Blocks of one element save nothing: the operand is gathered, and the conflict says why.
TEST(Folds, ByBitsOfAnElementPerDeviceAreGathered) {
  const Partitioned p = partitioned(reduction("or", "i32", "0", "[1]", "3x4x"), "a=8", tile("a", R"("arg0": 1)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_gather");
  EXPECT_TRUE(p.partition.certificate.by_offsets.empty());
  const auto& conflicts = p.partition.tactics[0].conflicts;
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].reason,
            "(#tile<1>, any) -> (#or) leaves i32 to be combined across devices, which collectives do by and/or of i1 "
            "only");
}

/// The place of the largest element of 509 numbers: their padding becomes initial values, and each device sends the
/// value and the place of its own largest.
TEST(Folds, ByChoiceOfWhatDoesNotDivideGatherOneResultOfEachBlock) {
  const std::string argmax = R"(
func.func @main(%x: tensor<3x509xf32>) -> tensor<3xi32> {
  %e = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<3x509xi32>
  %r:2 = stablehlo.reduce(%x init: %e), (%i init: %z) across dimensions = [1] : (tensor<3x509xf32>, tensor<3x509xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %g = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = stablehlo.or %g, %n : tensor<i1>
    %q = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %l = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = stablehlo.and %q, %l : tensor<i1>
    %p = stablehlo.or %m, %t : tensor<i1>
    %v = stablehlo.select %m, %a, %b : tensor<i1>, tensor<f32>
    %w = stablehlo.select %p, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<3xi32>
})";
  const Partitioned p =
      partitioned(argmax, "a=4", R"({"name": "T", "axis": "a", "uneven": true, "inputs": {"arg0": 1}})");
  EXPECT_EQ(p.partition.collectives.str(), "2 all_gather");
  EXPECT_NE(p.partition.stablehlo.find("-> tensor<3x4xf32>"), std::string::npos) << p.partition.stablehlo;
  EXPECT_NE(p.partition.stablehlo.find("-> tensor<3x4xi32>"), std::string::npos) << p.partition.stablehlo;
}

TEST(Folds, TopKOfWhatDoesNotDivideGathersKOfEachBlock) {
  const std::string top_k = R"(
func.func @main(%x: tensor<3x509xbf16>) -> (tensor<3x2xbf16>, tensor<3x2xi32>) {
  %r:2 = chlo.top_k(%x, k = 2) : tensor<3x509xbf16> -> (tensor<3x2xbf16>, tensor<3x2xi32>)
  return %r#0, %r#1 : tensor<3x2xbf16>, tensor<3x2xi32>
})";
  const Partitioned p =
      partitioned(top_k, "a=4", R"({"name": "T", "axis": "a", "uneven": true, "inputs": {"arg0": 1}})");
  EXPECT_EQ(p.partition.collectives.str(), "2 all_gather");
  EXPECT_NE(p.partition.stablehlo.find("-> tensor<3x8xbf16>"), std::string::npos) << p.partition.stablehlo;
}

/// Collectives do combine booleans by and/or, and any type by min/max.
TEST(Folds, OfBooleansAndByOrderAreAllReduced) {
  const std::string tactic = tile("a", R"("arg0": 1)");
  for (const auto& program :
       {reduction("or", "i1", "false", "[1]", "3x4x"), reduction("and", "i1", "true", "[1]", "3x4x"),
        reduction("maximum", "ui8", "0", "[1]", "3x4x")}) {
    const Partitioned p = partitioned(program, "a=4", tactic);
    EXPECT_EQ(p.partition.collectives.str(), "1 all_reduce");
    EXPECT_TRUE(p.partition.certificate.by_offsets.empty());
  }
}

/// A sum from 3 in four blocks would add 3 four times.
TEST(Folds, ThatCountTheirInitialValueAreNotInBlocks) {
  const Partitioned p = partitioned(reduction("add", "i32", "3", "[1]", "3x4x"), "a=4", tile("a", R"("arg0": 1)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_gather");
  EXPECT_TRUE(p.partition.certificate.by_offsets.empty());
}

TEST(Folds, ByBitsOfUpdatesAreNotLeftToACollective) {
  const Partitioned p = partitioned(R"(
func.func @main(%x: tensor<6x4xi32>, %i: tensor<8x1xi32>, %u: tensor<8x4xi32>) -> tensor<6x4xi32> {
  %z = stablehlo.constant dense<0> : tensor<6x4xi32>
  %0 = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %o = stablehlo.or %a, %b : tensor<i32>
    stablehlo.return %o : tensor<i32>
  }) : (tensor<6x4xi32>, tensor<8x1xi32>, tensor<8x4xi32>) -> tensor<6x4xi32>
  %1 = stablehlo.or %0, %x : tensor<6x4xi32>
  return %1 : tensor<6x4xi32>
})",
                                    "a=4", tile("a", R"("arg1": 0, "arg2": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "2 all_gather");
  ASSERT_FALSE(p.partition.tactics[0].conflicts.empty());
  EXPECT_NE(p.partition.tactics[0].conflicts[0].reason.find("-> (#or) leaves i32"), std::string::npos);
}

}  // namespace
}  // namespace partir
