// Where lowering places collectives. Each test demonstrates one of the laws that keep them few, on a program in which
// the law makes a difference.
#include "lowering/lower.h"

#include "ir/text/print.h"
#include "lowering/emit.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

std::string body(const PartitionCase& c) { return print_module(spmd_module(c.spmd, c.module)); }

/// Linear operations on pending sums stay pending. One all_reduce at the smallest value, a scalar, replaces one for
/// each sum.
TEST(Lowering, SumsOfPartialValuesAreReducedOnceWhereSmallest) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %k = stablehlo.constant dense<3.0> : tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4xf32>
  %3 = stablehlo.multiply %2, %k : tensor<4xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.negate %4 : tensor<f32>
  return %5 : tensor<f32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"*": 0}})");
  EXPECT_EQ(c.counts(), "1 all_reduce") << body(c);
  EXPECT_NE(body(c).find("partir.sharding = \"[]\"} : tensor<f32>"), std::string::npos) << body(c);
}

/// exp does not commute with a sum, so the pending sum must be reduced before it.
TEST(Lowering, APartialValueIsReducedBeforeWhatIsNotLinear) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"*": 0}})");
  const std::string text = body(c);
  EXPECT_LT(text.find("spmd.all_reduce"), text.find("stablehlo.exponential")) << text;
}

/// A replicated addend must be added after the reduction; added to each device's summand it would count twice.
TEST(Lowering, AWholeAddendIsNotAddedOncePerDevice) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  const std::string text = body(c);
  EXPECT_LT(text.find("spmd.all_reduce"), text.find("stablehlo.add %")) << text;
}

/// A broadcast commutes with a sum, but reducing after it would move more bytes.
TEST(Lowering, NothingIsReducedAfterItGrows) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x4xf32>) -> tensor<4x16xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"*": 0}})");
  const std::string text = body(c);
  EXPECT_LT(text.find("spmd.all_reduce"), text.find("stablehlo.broadcast_in_dim")) << text;
}

/// Both uses read the result of one all_reduce.
TEST(Lowering, AReductionSharedByItsUsesIsMadeOnce) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.multiply %0, %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"*": 0}})");
  EXPECT_EQ(c.counts(), "1 all_reduce");
}

/// Every use of the sum needs it tiled, so that each device only needs its own chunk.
TEST(Lowering, AReductionWhoseUsesAllSliceIsAReduceScatter) {
  const PartitionCase c(
      R"(
func.func @main(%x: tensor<8x4xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %m : tensor<4xf32>
  return %1 : tensor<4xf32>
})",
      "a=2", R"({"name": "B", "axis": "a", "inputs": {"arg0": 0}}, {"name": "Z", "axis": "a", "inputs": {"arg1": 0}})");
  EXPECT_EQ(c.counts(), "1 reduce_scatter") << body(c);
  EXPECT_EQ(c.result(), "[{a}]");
}

TEST(Lowering, AReduceScatterMustPutItsAxisBehindThoseThatTileTheDimension) {
  // The product needs [{b, a}]. The sum cannot be computed tiled by b, so a reduce_scatter over a would give chunks
  // that have to be gathered again.
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x4xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %m : tensor<4xf32>
  return %1 : tensor<4xf32>
})",
                        "a=2,b=2", R"({"name": "B", "axis": "b", "inputs": {"arg0": "replicated", "arg1": 0}},
                                      {"name": "A", "axis": "a", "inputs": {"arg0": 0}},
                                      {"name": "A2", "axis": "a", "inputs": {"arg1": 0}})");
  EXPECT_EQ(c.result(), "[{b, a}]") << body(c);
  EXPECT_EQ(c.counts(), "1 all_reduce") << body(c);
}

/// A tiled parameter (ZeRO-3) is gathered for each use, so that the complete value is not live in between.
TEST(Lowering, AnArgumentIsGatheredAtEachOperationThatUsesIt) {
  const PartitionCase c(
      R"(
func.func @main(%w: tensor<4x4xf32>, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.dot_general %0, %t, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
})",
      "a=2", R"({"name": "B", "axis": "a", "inputs": {"arg1": 0}}, {"name": "Z", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "2 all_gather") << body(c);
}

/// Equal conversions of values other than arguments are done once.
TEST(Lowering, OtherEqualConversionsAreShared) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %x : tensor<8xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<8xf32>
  %2 = stablehlo.reverse %0, dims = [0] : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "1 all_gather");
}

/// A pending maximum is reduced by max, not by sum.
TEST(Lowering, MaximaAreReducedByTheirOwnCombination) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"*": 0}})");
  EXPECT_NE(body(c).find("monoid = \"max\""), std::string::npos) << body(c);
}

}  // namespace
}  // namespace partir
