// Slices of blocks of a tiled dimension: the blocks are moved at once, and their rows are tiled.
#include <fmt/format.h>

#include "tests/partitioned.h"

namespace partir {
namespace {

using testing::no_clock;

/// The collectives of a program of which argument 1 is tiled along dimension `dim`, if its partition is proved.
std::string collectives_of(const std::string& text, int dim, const std::string& mesh) {
  PartitionInput input;
  input.text = text;
  input.file = "test.mlir";
  input.mesh = mesh;
  input.schedule = fmt::format(R"({{"tactics": [{{"name": "T", "axis": "a", "inputs": {{"arg1": {}}}}}]}})", dim);
  const Partition p = value_or_throw(partition(input, Emit::stablehlo, no_clock));
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
  return p.collectives.str();
}

/// A sum over slices [first, first + 8) of the 32 rows of %x.
std::string accumulation(const std::vector<int>& firsts) {
  std::string text = R"(func.func @main(%w: tensor<3x5xf32>, %x: tensor<32x3xf32>) -> tensor<3x5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
)";
  for (std::size_t k = 0; k < firsts.size(); ++k) {
    text += fmt::format(
        "  %r{0} = stablehlo.slice %x [{2}:{3}, 0:3] : (tensor<32x3xf32>) -> tensor<8x3xf32>\n"
        "  %y{0} = stablehlo.dot_general %r{0}, %w, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x5xf32>) "
        "-> "
        "tensor<8x5xf32>\n"
        "  %g{0} = stablehlo.dot_general %r{0}, %y{0}, contracting_dims = [0] x [0] : (tensor<8x3xf32>, "
        "tensor<8x5xf32>) -> tensor<3x5xf32>\n"
        "  %s{1} = stablehlo.add %s{0}, %g{0} : tensor<3x5xf32>\n",
        k, k + 1, firsts[k], firsts[k] + 8);
  }
  return text + fmt::format("  return %s{} : tensor<3x5xf32>\n}}\n", firsts.size());
}

TEST(Blocks, OfABatchAreExchangedOnce) {
  EXPECT_EQ(collectives_of(accumulation({0, 8, 16, 24}), 0, "a=4"), "1 all_reduce, 1 all_to_all");
  EXPECT_EQ(collectives_of(accumulation({0, 8, 16, 24}), 0, "a=2"), "1 all_reduce, 1 all_to_all");
}

TEST(Blocks, AreNoneWhereASliceBeginsInsideOne) {
  EXPECT_EQ(collectives_of(accumulation({4, 12}), 0, "a=4"), "2 all_reduce");  // each device's rows are added up
}

/// Queries and keys of one product keep its columns' tile, although 4 devices do not divide three blocks.
TEST(Blocks, OfAProductAreTiledByTheirColumns) {
  const std::string text = R"(
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x48xf32>) -> tensor<4x4xf32> {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x48xf32>) -> tensor<4x48xf32>
  %q = stablehlo.slice %p [0:4, 0:16] : (tensor<4x48xf32>) -> tensor<4x16xf32>
  %k = stablehlo.slice %p [0:4, 16:32] : (tensor<4x48xf32>) -> tensor<4x16xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
})";
  EXPECT_EQ(collectives_of(text, 1, "a=4"), "1 all_gather, 1 all_reduce");
}

}  // namespace
}  // namespace partir
