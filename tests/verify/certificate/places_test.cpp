// Facts inferred about the components of scatter indices decide along which dimensions a scatter can be done in chunks.
// A window that starts at 0 and spans a dimension can; one whose start is unknown must be gathered.
#include <gtest/gtest.h>

#include <string>

#include "driver/partition.h"

namespace partir::places_test {
namespace {

/// Partitions a scatter along the last dimension. Each batch row of the caches [4, 8, 2] is updated by a slice at a
/// position of its own, [p, 0]; `columns` computes %p: tensor<4x2xi32> from the positions %i: tensor<4x1xi32>.
Partition of_positions(const std::string& columns) {
  PartitionInput input;
  input.text =
      "func.func @main(%x: tensor<4x8x2xf32>, %i: tensor<4x1xi32>, %u: tensor<4x1x2xf32>) -> tensor<4x8x2xf32> {\n" +
      columns +
      R"(  %r = "stablehlo.scatter"(%x, %p, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8x2xf32>, tensor<4x2xi32>, tensor<4x1x2xf32>) -> tensor<4x8x2xf32>
  return %r : tensor<4x8x2xf32>
})";
  input.file = "cache.mlir";
  input.mesh = "a=2";
  input.schedule = R"({"tactics": [{"name": "A", "axis": "a", "inputs": {"arg0": 2, "arg2": 2}}]})";
  return value_or_throw(partition(input, Emit::stablehlo, [] { return 0.0; }));
}

std::string joined_with(const std::string& number) {
  return "  %c = stablehlo.constant dense<" + number +
         "> : tensor<4x1xi32>\n  %p = stablehlo.concatenate %i, %c, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> "
         "tensor<4x2xi32>\n";
}

/// Clamps positions as vmap of dynamic_update_slice does, to 0 from below and to `high` from above. With [7, 0] the
/// second component is 0 whatever it was.
std::string clamped(const std::string& high) {
  return "  %s = stablehlo.concatenate %i, %i, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>\n"
         "  %m = stablehlo.constant dense<2147483647> : tensor<2xi32>\n"
         "  %h = stablehlo.constant dense<" +
         high +
         "> : tensor<2xi32>\n"
         "  %n = stablehlo.minimum %h, %m : tensor<2xi32>\n"
         "  %t = stablehlo.broadcast_in_dim %n, dims = [1] : (tensor<2xi32>) -> tensor<4x2xi32>\n"
         "  %z = stablehlo.constant dense<0> : tensor<4x2xi32>\n"
         "  %p = stablehlo.clamp %z, %s, %t : tensor<4x2xi32>\n";
}

TEST(KnownPlaces, SlicesThatBeginAtZeroArePutInParts) {
  for (const std::string& columns : {joined_with("0"), clamped("[7, 0]")}) {
    const Partition p = of_positions(columns);
    EXPECT_EQ(p.judgement.verdict, Verdict::proved) << columns << p.judgement.reason;
    EXPECT_EQ(p.judgement.scope, "all inputs; bit-exact");
    EXPECT_EQ(p.stablehlo.find("stablehlo.all_gather"), std::string::npos) << p.stablehlo;
  }
}

/// A slice that starts elsewhere, or at an unknown position, may reach past its chunk and into the other device's.
TEST(KnownPlaces, SlicesThatBeginElsewhereAreGathered) {
  for (const std::string& columns : {joined_with("1"), clamped("[7, 1]"), clamped("[0, 7]")}) {
    const Partition p = of_positions(columns);
    EXPECT_EQ(p.judgement.verdict, Verdict::proved) << columns << p.judgement.reason;
    EXPECT_NE(p.stablehlo.find("stablehlo.all_gather"), std::string::npos) << p.stablehlo;
  }
}

}  // namespace
}  // namespace partir::places_test
