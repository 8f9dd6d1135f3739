// Propagation by the registry: which entries operations take, which conflicts remain, and the reasons that they state.
#include "rewrite/propagate.h"

#include <fmt/format.h>

#include "tests/partition_case.h"

namespace partir {
namespace {

const char* kDot = R"(
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
})";

/// Rows of the left operand are tiled: exactly one entry matches, and the result's rows become tiled.
TEST(Propagation, ForwardThroughTheOperandsTile) {
  const PartitionCase c(kDot, "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.entries(0), "a (#tile<0>, any) -> (#tile<0>)");
  EXPECT_EQ(c.result(), "[{a}, {}]");
  EXPECT_EQ(c.counts(), "none");
}

/// The contracted dimension is tiled in one operand. The matching entry slices the other operand and gives a pending
/// sum.
TEST(Propagation, APartialMatchSlicesTheOtherOperand) {
  const PartitionCase c(kDot, "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 1}})");
  EXPECT_EQ(c.entries(0), "a (#tile<1>, #tile<0>) -> (#sum)");
  EXPECT_EQ(c.argument(1), "[{a}, {}]") << "an argument all of whose uses slice it comes in tiled";
  EXPECT_EQ(c.counts(), "1 all_reduce");
}

TEST(Propagation, BackwardFromAResult) {
  const PartitionCase c(kDot, "a=2", R"({"name": "T", "axis": "a", "results": {"result0": 1}})");
  EXPECT_EQ(c.entries(0), "a (any, #tile<1>) -> (#tile<1>)");
  EXPECT_EQ(c.argument(0), "[{}, {}]");
  EXPECT_EQ(c.argument(1), "[{}, {a}]");
}

/// Rows and columns are both requested along one axis. Two entries match, so propagation must not choose.
TEST(Propagation, TwoMatchesAreAConflictLeftAlone) {
  const PartitionCase c(kDot, "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0, "arg1": 1}})");
  EXPECT_EQ(c.entries(0), "");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_EQ(c.conflicts[0].axis, "a");
  EXPECT_NE(c.conflicts[0].reason.find("several entries match"), std::string::npos) << c.conflicts[0].reason;
  EXPECT_NE(c.conflicts[0].operation.find("line 3: stablehlo.dot_general"), std::string::npos)
      << c.conflicts[0].operation;
  EXPECT_EQ(c.counts(), "2 all_gather");
}

/// An entry matches only if no operand is tiled in another way; here that leaves one entry.
TEST(Propagation, AnEntryThatAnOperandContradictsIsNoMatch) {
  const PartitionCase c(kDot, "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 1, "arg1": 1}})");
  EXPECT_EQ(c.entries(0), "a (any, #tile<1>) -> (#tile<1>)");
  EXPECT_EQ(c.counts(), "1 all_gather");
}

/// The operation is still partitioned; its result is gathered for the replicated result.
TEST(Propagation, AResultAskedToStayWholeIsGathered) {
  const PartitionCase c(kDot, "a=2",
                        R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}, "results": {"result0": "replicated"}})");
  EXPECT_EQ(c.entries(0), "a (#tile<0>, any) -> (#tile<0>)");
  EXPECT_EQ(c.result(), "[{}, {}]");
  EXPECT_EQ(c.counts(), "1 all_gather");
}

TEST(Propagation, AnArgumentIsNotCutFinerThanItDivides) {
  // Along a the sum stays replicated because one addend does. Axis b therefore finds 4 rows in the sum, but only 1 in
  // the argument.
  const PartitionCase c(R"(
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %w : tensor<4xf32>
  return %0 : tensor<4xf32>
})",
                        "a=4,b=2",
                        R"({"name": "A", "axis": "a", "inputs": {"arg0": 0, "arg1": "replicated"}},
                           {"name": "B", "axis": "b", "inputs": {"arg1": 0}})");
  EXPECT_EQ(c.entries(0), "b (#tile<0>, #tile<0>) -> (#tile<0>)");
  EXPECT_EQ(c.argument(0), "[{a}]");
}

TEST(Propagation, WhatUpdatesAreAddedToIsZeroEverywhereOrNotKnown) {
  const auto scattered = [](const char* into) {
    return fmt::format(R"(
func.func @main(%i: tensor<6x1xi32>, %u: tensor<6xf32>) -> tensor<4xf32> {{
  %c = stablehlo.constant dense<{}> : tensor<4xf32>
  %0 = "stablehlo.scatter"(%c, %i, %u) <{{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<4xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}})",
                       into);
  };
  const char* const tactic = R"({"name": "T", "axis": "a", "inputs": {"arg1": 0}})";
  EXPECT_EQ(PartitionCase(scattered("0.0"), "a=2", tactic).entries(1), "a (any, #tile<0>, #tile<0>) -> (#sum)");
  EXPECT_EQ(PartitionCase(scattered("[0.0, 1.0, 2.0, 3.0]"), "a=2", tactic).entries(1), "");
}

/// The requested tiling of the result selects one of two matching entries.
TEST(Propagation, ADemandBreaksTheTie) {
  const PartitionCase c(kDot, "a=2",
                        R"({"name": "T", "axis": "a", "inputs": {"arg0": 0, "arg1": 1}, "results": {"result0": 1}})");
  EXPECT_EQ(c.entries(0), "a (any, #tile<1>) -> (#tile<1>)");
  EXPECT_TRUE(c.conflicts.empty());
}

/// With an axis for each request, one tactic after the other, nothing conflicts.
TEST(Propagation, TheOrderOfTacticsResolvesWhatOneTacticCannot) {
  const PartitionCase c(
      kDot, "a=2,b=2",
      R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}}, {"name": "B", "axis": "b", "inputs": {"arg1": 1}})");
  EXPECT_EQ(c.entries(0), "a (#tile<0>, any) -> (#tile<0>); b (any, #tile<1>) -> (#tile<1>)");
  EXPECT_EQ(c.result(), "[{a}, {b}]");
}

/// An argument requested as replicated is never sliced, not even if an entry would need it.
TEST(Propagation, AnAtomicArgumentStopsIt) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %y : tensor<8xf32>
  return %0 : tensor<8xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0, "arg1": "replicated"}})");
  EXPECT_EQ(c.entries(0), "");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_NE(c.conflicts[0].reason.find("stays replicated by request"), std::string::npos);
  EXPECT_EQ(c.argument(1), "[{}]");
}

TEST(Propagation, NoEntryIsAConflictWithItsReason) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_NE(c.conflicts[0].reason.find("no entry takes its operands as they are tiled"), std::string::npos);
  EXPECT_EQ(c.counts(), "1 all_gather");
}

/// Nothing is known about a custom call, so that its operands are replicated.
TEST(Propagation, AnOperationWithoutMeaningTakesItsOperandsWhole) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_NE(c.conflicts[0].reason.find("its meaning is not declared here"), std::string::npos);
  EXPECT_EQ(c.counts(), "1 all_gather");
}

/// One iota is used with two tilings; a device can compute either part, so that this is not a conflict.
TEST(Propagation, ConstantsAreSlicedWhereUsedAndNeverConflict) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<8x8xf32>
  %0 = stablehlo.add %x, %i : tensor<8x8xf32>
  %1 = stablehlo.add %y, %i : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0, "arg1": 1}})");
  EXPECT_TRUE(c.conflicts.empty()) << c.conflicts[0].reason;
  EXPECT_EQ(c.counts(), "none");
  EXPECT_EQ(c.result(0), "[{a}, {}]");
  EXPECT_EQ(c.result(1), "[{}, {a}]");
}

TEST(Propagation, SizesThatDoNotDivideAreSaid) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8x3xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<8x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
})",
                        "a=8", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_NE(c.conflicts[0].reason.find("needs sizes that 8 divides"), std::string::npos) << c.conflicts[0].reason;
}

/// Picks the first dimension that the axis divides; an argument without one stays replicated and is reported.
TEST(Propagation, FirstDivisibleDimTakesWhatTheAxisDividesOrReports) {
  const char* program = R"(
func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x5xf32>) -> (tensor<3x4xf32>, tensor<3x5xf32>) {
  return %x, %y : tensor<3x4xf32>, tensor<3x5xf32>
})";
  const PartitionCase c(program, "a=2", R"({"name": "T", "axis": "a", "inputs": {"*": "first_divisible_dim"}})");
  EXPECT_EQ(c.argument(0), "[{}, {a}]");
  EXPECT_EQ(c.argument(1), "[{}, {}]");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_EQ(c.conflicts[0].operation, "arg1");
  EXPECT_NE(c.conflicts[0].reason.find("stays replicated"), std::string::npos);
}

/// The axis of the first tactic is the major one.
TEST(Propagation, SeveralAxesOnOneDimensionNestInTheOrderOfTactics) {
  const PartitionCase c(
      kDot, "a=2,b=2",
      R"({"name": "B", "axis": "b", "inputs": {"arg0": 0}}, {"name": "A", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.argument(0), "[{b, a}, {}]");
  EXPECT_EQ(c.result(), "[{b, a}, {}]");
  EXPECT_EQ(c.counts(), "none");
}

TEST(Propagation, ALaterTacticNeverUndoesAnEarlierOne) {
  const PartitionCase c(
      kDot, "a=2,b=2",
      R"({"name": "A", "axis": "a", "inputs": {"arg0": 1}}, {"name": "B", "axis": "b", "inputs": {"arg0": 1}})");
  EXPECT_EQ(c.entries(0), "a (#tile<1>, #tile<0>) -> (#sum); b (#tile<1>, #tile<0>) -> (#sum)");
  EXPECT_EQ(c.counts(), "1 all_reduce") << "over both axes together";
}

/// The first tactic tiled %y along a by propagation, so that the second one cannot request another dimension along a.
TEST(Propagation, AnAxisThatPropagationUsedIsAConflictForALaterRequest) {
  const PartitionCase c(
      kDot, "a=2",
      R"({"name": "A", "axis": "a", "inputs": {"arg0": 1}}, {"name": "B", "axis": "a", "inputs": {"arg1": 1}})");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_EQ(c.conflicts[0].operation, "arg1");
  EXPECT_NE(c.conflicts[0].reason.find("an earlier tactic already decided"), std::string::npos);
  EXPECT_EQ(c.argument(1), "[{a}, {}]");
}

/// Scattered updates are a pending sum only if they are added to zeros; otherwise each device would add the
/// accumulator.
TEST(Propagation, EmbeddingGradientsAreSumsOnlyFromZero) {
  const auto program = [](const char* accumulator) {
    return std::string(R"(
func.func @main(%t: tensor<6x4xf32>, %i: tensor<8xi32>, %u: tensor<8x4xf32>) -> tensor<6x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<6x4xf32>
  %0 = "stablehlo.scatter"(%)") +
           accumulator +
           R"(, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<8xi32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
})";
  };
  const char* tactic = R"({"name": "T", "axis": "a", "inputs": {"arg1": 0, "arg2": 0}})";
  EXPECT_EQ(PartitionCase(program("z"), "a=2", tactic).counts(), "1 all_reduce");
  const PartitionCase nonzero(program("t"), "a=2", tactic);
  EXPECT_EQ(nonzero.counts(), "2 all_gather");
  EXPECT_EQ(nonzero.conflicts.size(), 1U);
}

/// The sum of two pending sums stays pending and is reduced once, where it is used tiled.
TEST(Propagation, ASumOfPartialValuesIsLeftForOneReduction) {
  const PartitionCase c(
      R"(
func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  %3 = stablehlo.multiply %2, %m : tensor<4xf32>
  return %3 : tensor<4xf32>
})",
      "a=2",
      R"({"name": "B", "axis": "a", "inputs": {"arg0": 0, "arg1": 0}}, {"name": "Z", "axis": "a", "inputs": {"arg2": 0}})");
  EXPECT_EQ(c.counts(), "1 reduce_scatter");
  EXPECT_TRUE(c.conflicts.empty());
}

/// A result that reuses an argument's buffer must have the argument's layout.
TEST(Propagation, ADonatedArgumentsResultIsPlacedAsTheArgument) {
  const PartitionCase c(R"(
func.func @main(%p: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.subtract %p, %g : tensor<8xf32>
  return %0 : tensor<8xf32>
})",
                        "a=2", R"({"name": "Z", "axis": "a", "inputs": {"arg0": "replicated", "arg1": 0}})");
  EXPECT_EQ(c.result(), "[{}]");
  EXPECT_EQ(c.counts(), "1 all_gather");
}

/// A tile that was requested for the result takes precedence: what remains of the dimension is not divided by more.
TEST(Propagation, AResultInheritsOnlyTilesThatDivideWhatItsOwnLeave) {
  const PartitionCase c(
      R"(
func.func @main(%x: tensor<4xf32>, %p: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
})",
      "a=2,b=4",
      R"({"name": "R", "axis": "a", "inputs": {"arg0": "replicated", "arg1": "replicated"}, "results": {"result0": 0}},
                           {"name": "Z", "axis": "b", "inputs": {"arg0": "replicated", "arg1": 0}})");
  EXPECT_EQ(c.result(), "[{a}]");
}

const char* const kMerge = R"(
func.func @main(%x: tensor<2x8x3xf32>) -> tensor<16x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x8x3xf32>) -> tensor<16x3xf32>
  %1 = stablehlo.tanh %0 : tensor<16x3xf32>
  return %1 : tensor<16x3xf32>
})";

/// In a merge of 2x8, the minor factor can be tiled once the major one is tiled to size 1: chunks are then contiguous.
TEST(PropagationOfReshapes, AMinorFactorIsTiledWhereAnotherAxisUsesUpTheMajorOne) {
  const PartitionCase c(
      kMerge, "a=2,b=2",
      R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}}, {"name": "B", "axis": "b", "inputs": {"arg0": 1}})");
  EXPECT_EQ(c.entries(0), "a (#tile<0>) -> (#tile<0>); b (#tile<1>) -> (#tile<0>)");
  EXPECT_EQ(c.result(), "[{a, b}, {}]");
  EXPECT_EQ(c.counts(), "none");
  EXPECT_TRUE(c.conflicts.empty());
}

/// The same with the tactics exchanged: the reshape takes b's entry after a has tiled the major factor.
TEST(PropagationOfReshapes, TheAxisOfTheMinorFactorMayComeFirst) {
  const PartitionCase c(
      kMerge, "a=2,b=2",
      R"({"name": "B", "axis": "b", "inputs": {"arg0": 1}}, {"name": "A", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.entries(0), "a (#tile<0>) -> (#tile<0>); b (#tile<1>) -> (#tile<0>)");
  EXPECT_EQ(c.result(), "[{a, b}, {}]");
  EXPECT_EQ(c.counts(), "none");
  EXPECT_EQ(c.conflicts.size(), 1U) << "said after B, when nothing fits yet";
}

TEST(PropagationOfReshapes, TheSameForASplitThatItsResultAsksFor) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<16x3xf32>) -> tensor<2x8x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<16x3xf32>) -> tensor<2x8x3xf32>
  %1 = stablehlo.tanh %0 : tensor<2x8x3xf32>
  return %1 : tensor<2x8x3xf32>
})",
                        "a=2,b=2",
                        R"({"name": "B", "axis": "b", "results": {"result0": 1}},
                           {"name": "A", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.entries(0), "a (#tile<0>) -> (#tile<0>); b (#tile<0>) -> (#tile<1>)");
  EXPECT_EQ(c.argument(0), "[{a, b}, {}]");
  EXPECT_EQ(c.result(), "[{a}, {b}, {}]");
  EXPECT_EQ(c.counts(), "none");
}

/// The major factor has 2 of 4 rows left, so that a chunk of the minor one is not contiguous in the result.
TEST(PropagationOfReshapes, AMinorFactorBeneathAMajorOneThatIsNotUsedUpIsNoChunk) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<4x8x3xf32>) -> tensor<32x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<4x8x3xf32>) -> tensor<32x3xf32>
  return %0 : tensor<32x3xf32>
})",
                        "a=2,b=2",
                        R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}},
                           {"name": "B", "axis": "b", "inputs": {"arg0": 1}})");
  EXPECT_EQ(c.entries(0), "a (#tile<0>) -> (#tile<0>)");
  EXPECT_EQ(c.counts(), "1 all_gather");
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_NE(c.conflicts[0].reason.find("no entry takes its operands as they are tiled"), std::string::npos);
}

}  // namespace
}  // namespace partir
