// Operands that are broadcasts give way: an operation whose operands contradict each other follows the others, and the
// broadcast is computed as its uses need it, so that the smaller value is sent (lowering/gather_before_broadcast.h).
#include <gtest/gtest.h>

#include "tests/partitioned.h"

namespace partir {
namespace {

using testing::partitioned;
using testing::Partitioned;
using testing::tile;

/// Expects one all_gather, of a value of this type, and a device-local result of this type.
void expect_gathers(const Partitioned& p, const std::string& gathered, const std::string& local) {
  EXPECT_EQ(p.partition.collectives.str(), "1 all_gather") << p.partition.stablehlo;
  const std::string& text = p.partition.stablehlo;
  const auto gather = text.find("stablehlo.all_gather");
  ASSERT_NE(gather, std::string::npos);
  EXPECT_NE(text.substr(gather, text.find('\n', gather) - gather).find("-> " + gathered), std::string::npos) << text;
  EXPECT_NE(text.find(" : " + local + "\n"), std::string::npos) << text;
  EXPECT_TRUE(p.partition.tactics.back().conflicts.empty());
}

/// x[None] - x[:, None] gathers x, which is 8 times smaller than either operand, and stays tiled.
TEST(Broadcasts, PairwiseDifferencesGatherTheSmallValue) {
  const Partitioned p = partitioned(R"(func.func @main(%x: tensor<8x3xf32>) -> tensor<8x8x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<8x3xf32>) -> tensor<8x8x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<8x3xf32>) -> tensor<8x8x3xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<8x8x3xf32>
  return %2 : tensor<8x8x3xf32>
})",
                                    "a=4", tile("a", R"("arg0": 0)"));
  expect_gathers(p, "tensor<8x3xf32>", "tensor<8x2x3xf32>");
}

/// As in Adafactor: the moments of rows and columns are tiled, and the gradient, which is no broadcast, decides.
TEST(Broadcasts, FollowTheOperandThatIsNone) {
  const Partitioned p = partitioned(R"(func.func @main(%c: tensor<12xf32>, %g: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<12xf32>) -> tensor<8x12xf32>
  %1 = stablehlo.multiply %0, %g : tensor<8x12xf32>
  return %1 : tensor<8x12xf32>
})",
                                    "a=4", tile("a", R"("arg0": 0, "arg1": 0)"));
  expect_gathers(p, "tensor<12xf32>", "tensor<2x12xf32>");
}

/// A broadcast of a broadcast follows the decision for the later one.
TEST(Broadcasts, InAChainGatherTheFirstValue) {
  const Partitioned p = partitioned(R"(func.func @main(%x: tensor<8xf32>, %g: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %1, %g : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
})",
                                    "a=4", tile("a", R"("arg0": 0, "arg1": 0)"));
  expect_gathers(p, "tensor<8xf32>", "tensor<2x8xf32>");
}

/// Uses that need the value in different ways get it from the tiles that it has.
TEST(Broadcasts, WithUsesThatDisagreeKeepTheirTiles) {
  const Partitioned p =
      partitioned(R"(func.func @main(%x: tensor<8xf32>, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %g : tensor<8x8xf32>
  %2 = stablehlo.negate %0 : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
})",
                  "a=4", tile("a", R"("arg0": 0, "arg1": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_to_all") << p.partition.stablehlo;
  const Partitioned other_order =
      partitioned(R"(func.func @main(%x: tensor<8xf32>, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.negate %0 : tensor<8x8xf32>
  %2 = stablehlo.add %0, %g : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
})",
                  "a=4", tile("a", R"("arg0": 0, "arg1": 0)"));
  EXPECT_EQ(other_order.partition.collectives.str(), "1 all_to_all") << other_order.partition.stablehlo;
}

/// Two operands that are no broadcasts still contradict each other.
TEST(Broadcasts, OnlyGiveWayThemselves) {
  const Partitioned p = partitioned(R"(func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x, %y : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
})",
                                    "a=4", tile("a", R"("arg0": 0, "arg1": 1)"));
  EXPECT_EQ(p.partition.tactics.back().conflicts.size(), 1U);
  EXPECT_EQ(p.partition.collectives.str(), "2 all_gather");
}

}  // namespace
}  // namespace partir
