// Loops, branches and barriers: one layout for each value that control flow forwards, and where collectives go, around
// them and inside them.
#include "tests/lowering/loops.h"

namespace partir {
namespace {

using testing::executed;
using testing::expect_right;
using testing::loop;
using testing::text;

/// The tile of an initial value propagates through the loop to its result.
TEST(ControlFlow, ALoopIsTiledAsItsInitialValueIs) {
  const PartitionCase c(loop("%x: tensor<8x4xf32>", "", "%a = %x", "tensor<8x4xf32>",
                             "    %b = stablehlo.tanh %a : tensor<8x4xf32>", "%b", "%r#1", "tensor<8x4xf32>"),
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "none") << text(c);
  EXPECT_EQ(c.result(), "[{a}, {}]");
  EXPECT_TRUE(c.conflicts.empty());
  expect_right(c);
}

/// The tile of a yielded value propagates back to the initial value, here a constant that each device computes in
/// chunks.
TEST(ControlFlow, ALoopIsTiledAsItsBodyYields) {
  const PartitionCase c(
      loop("%x: tensor<8xf32>", "  %z = stablehlo.constant dense<0.0> : tensor<8xf32>", "%a = %z", "tensor<8xf32>",
           "    %b = stablehlo.add %a, %x : tensor<8xf32>", "%b", "%r#1", "tensor<8xf32>"),
      "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "none") << text(c);
  EXPECT_EQ(c.result(), "[{a}]");
  EXPECT_NE(text(c).find("dense<0.0"), std::string::npos);
  EXPECT_EQ(text(c).find("tensor<8xf32>"), std::string::npos) << "the zeros are made in parts\n" << text(c);
  expect_right(c);
}

/// %w is carried unchanged and the body uses it tiled along a, so that the argument itself becomes tiled.
TEST(ControlFlow, UsesInTheBodyTileAnArgumentThatIsCarriedUnchanged) {
  const PartitionCase c(
      loop("%x: tensor<8x4xf32>, %w: tensor<4x4xf32>", "", "%a = %x, %v = %w", "tensor<8x4xf32>, tensor<4x4xf32>",
           "    %b = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) "
           "-> tensor<8x4xf32>",
           "%b, %v", "%r#1", "tensor<8x4xf32>"),
      "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 1}})");
  EXPECT_EQ(c.argument(1), "[{a}, {}]") << text(c);
  EXPECT_EQ(c.counts(), "1 reduce_scatter") << text(c);
  EXPECT_EQ(executed(c), "5 reduce_scatter");
  expect_right(c);
}

/// The body yields the negated sum and does not accumulate it, so that it is reduced in every iteration.
TEST(ControlFlow, APartialValueIsReducedBeforeItIsYielded) {
  const PartitionCase c(
      loop("%x: tensor<8x4xf32>", "  %z = stablehlo.constant dense<0.0> : tensor<f32>", "%s = %z, %a = %x",
           "tensor<f32>, tensor<8x4xf32>",
           "    %t = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] : "
           "(tensor<8x4xf32>, tensor<f32>) -> tensor<f32>\n"
           "    %u = stablehlo.negate %t : tensor<f32>",
           "%u, %a", "%r#1", "tensor<f32>"),
      "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "1 all_reduce");
  EXPECT_EQ(executed(c), "5 all_reduce") << text(c);
  EXPECT_LT(text(c).find("stablehlo.negate"), text(c).find("spmd.all_reduce")) << text(c);
  expect_right(c);
}

/// A pending sum that the body reads is loop-invariant and is reduced once, before the loop.
TEST(ControlFlow, APartialValueFromOutsideIsReducedOnceBeforeTheLoop) {
  const PartitionCase c(
      loop("%x: tensor<8x4xf32>, %y: tensor<4xf32>",
           "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
           "  %t = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, "
           "tensor<f32>) -> tensor<4xf32>",
           "%a = %y", "tensor<4xf32>", "    %b = stablehlo.add %a, %t : tensor<4xf32>", "%b", "%r#1", "tensor<4xf32>"),
      "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(executed(c), "1 all_reduce") << text(c);
  EXPECT_LT(text(c).find("spmd.all_reduce"), text(c).find("stablehlo.while"));
  expect_right(c);
}

/// All devices must take the same number of iterations, so the condition's pending sum is reduced inside the condition.
TEST(ControlFlow, WhatDecidesHowALoopGoesOnIsReducedInItsCondition) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = stablehlo.while(%a = %x) : tensor<8xi32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
    %most = stablehlo.constant dense<300> : tensor<i32>
    %p = stablehlo.compare LT, %s, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<7> : tensor<8xi32>
    %b = stablehlo.add %a, %one : tensor<8xi32>
    stablehlo.return %b : tensor<8xi32>
  }
  return %0 : tensor<8xi32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "1 all_reduce");
  EXPECT_EQ(executed_collectives(c.spmd.function).uncounted.size(), 1U);
  expect_right(c);
}

TEST(ControlFlow, GathersOfArgumentsStayInTheLoop) {
  // ZeRO-3: the stacked weights are tiled arguments; one layer of them is sliced and gathered where it is used.
  const PartitionCase c(
      loop("%x: tensor<8x4xf32>, %w: tensor<5x4x4xf32>", "", "%a = %x, %v = %w", "tensor<8x4xf32>, tensor<5x4x4xf32>",
           "    %zero = stablehlo.constant dense<0> : tensor<i32>\n"
           "    %s = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 4, 4] : (tensor<5x4x4xf32>, "
           "tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>\n"
           "    %m = stablehlo.reshape %s : (tensor<1x4x4xf32>) -> tensor<4x4xf32>\n"
           "    %b = stablehlo.dot_general %a, %m, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) "
           "-> tensor<8x4xf32>\n"
           "    %d = stablehlo.dot_general %b, %m, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<4x4xf32>) "
           "-> tensor<8x4xf32>",
           "%d, %v", "%r#1", "tensor<8x4xf32>"),
      "a=2",
      R"({"name": "BP", "axis": "a", "inputs": {"arg0": 0}}, {"name": "Z3", "axis": "a", "inputs": {"arg1": 1}})");
  EXPECT_EQ(c.argument(1), "[{}, {a}, {}]");
  EXPECT_EQ(executed(c), "10 all_gather") << text(c);
  EXPECT_LT(text(c).find("stablehlo.dynamic_slice"), text(c).find("spmd.all_gather")) << text(c);
  expect_right(c);
}

TEST(ControlFlow, AMoveOfAValueFromOutsideIsMadeBeforeTheLoop) {
  // The sum is tiled before the reversed value is, and along another dimension.
  const PartitionCase c(
      loop("%x: tensor<8x4xf32>, %y: tensor<8x4xf32>", "  %t = stablehlo.reverse %y, dims = [1] : tensor<8x4xf32>",
           "%a = %x", "tensor<8x4xf32>", "    %b = stablehlo.add %a, %t : tensor<8x4xf32>", "%b", "%r#1",
           "tensor<8x4xf32>"),
      "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 1}}, {"name": "U", "axis": "a", "inputs": {"arg1": 0}})");
  EXPECT_EQ(executed(c), "1 all_to_all") << text(c);
  EXPECT_LT(text(c).find("spmd.all_to_all"), text(c).find("stablehlo.while")) << text(c);
  expect_right(c);
}

/// Gathering before the loop would keep the complete value live for all iterations.
TEST(ControlFlow, AGatherOfAValueFromOutsideStaysInTheLoop) {
  const PartitionCase c(loop("%x: tensor<8x4xf32>, %y: tensor<8x4xf32>", "  %t = stablehlo.tanh %y : tensor<8x4xf32>",
                             "%a = %x", "tensor<8x4xf32>",
                             "    %s = \"stablehlo.sort\"(%t) <{dimension = 0 : i64, is_stable = true}> ({\n"
                             "    ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                             "      %less = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                             "      stablehlo.return %less : tensor<i1>\n"
                             "    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
                             "    %b = stablehlo.add %a, %s : tensor<8x4xf32>",
                             "%b", "%r#1", "tensor<8x4xf32>"),
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 1, "arg1": 0}})");
  EXPECT_EQ(executed(c), "5 all_gather") << text(c);
  expect_right(c);
}

/// The body transposes its value and yields it tiled along the other dimension. It is converted in every iteration, and
/// the conflict is reported.
TEST(ControlFlow, AValueThatIsYieldedOtherwiseIsConvertedAndTheConflictSaid) {
  const PartitionCase c(loop("%x: tensor<4x4xf32>", "", "%a = %x", "tensor<4x4xf32>",
                             "    %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>",
                             "%b", "%r#1", "tensor<4x4xf32>"),
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(executed(c), "5 all_to_all") << text(c);
  ASSERT_EQ(c.conflicts.size(), 1U);
  EXPECT_NE(c.conflicts[0].operation.find("stablehlo.while, value 1"), std::string::npos) << c.conflicts[0].operation;
  EXPECT_NE(c.conflicts[0].reason.find("#tile<0> here and #tile<1>"), std::string::npos) << c.conflicts[0].reason;
  expect_right(c);
}

/// A request for replication holds for the loop-carried value as well.
TEST(ControlFlow, AnArgumentAskedToStayWholeStaysSoInTheLoop) {
  const PartitionCase c(
      loop("%x: tensor<8x4xf32>, %w: tensor<8x4xf32>", "", "%a = %x, %v = %w", "tensor<8x4xf32>, tensor<8x4xf32>",
           "    %b = stablehlo.add %a, %v : tensor<8x4xf32>", "%b, %v", "%r#1", "tensor<8x4xf32>"),
      "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0, "arg1": "replicated"}})");
  EXPECT_EQ(c.argument(1), "[{}, {}]");
  EXPECT_TRUE(std::any_of(c.conflicts.begin(), c.conflicts.end(), [](const ConflictText& k) {
    return k.operation.find("stablehlo.add") != std::string::npos &&
           k.reason == "operand 1 stays replicated by request";
  })) << text(c);
  expect_right(c);
}

/// Tiles propagate through branches and barriers like through any other operation.
TEST(ControlFlow, BranchesAndBarriersHandOnTiles) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.case"(%n) ({
    %a = stablehlo.tanh %x : tensor<8xf32>
    stablehlo.return %a : tensor<8xf32>
  }, {
    %z = stablehlo.constant dense<0.0> : tensor<8xf32>
    stablehlo.return %z : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %1:2 = stablehlo.optimization_barrier %0, %x : tensor<8xf32>, tensor<8xf32>
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "none") << text(c);
  EXPECT_EQ(c.result(0), "[{a}]");
  EXPECT_EQ(c.result(1), "[{a}]");
  EXPECT_TRUE(c.conflicts.empty());
  expect_right(c);
}

/// Only one branch runs: the executed count is the largest of the branches', whereas the program contains both.
TEST(ControlFlow, OfBranchesTheLargestCountsAreExecuted) {
  const PartitionCase c(R"(
func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %b = stablehlo.tanh %a : tensor<f32>
    stablehlo.return %b : tensor<f32>
  }, {
    %y = stablehlo.tanh %x : tensor<8xf32>
    %a = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
})",
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(c.counts(), "2 all_reduce") << text(c);
  EXPECT_EQ(executed(c), "1 all_reduce");
  expect_right(c);
}

/// Trip counts of nested loops multiply. The inner loop that starts at %i has none, so it counts once and is reported.
TEST(ControlFlow, NestedLoopsMultiply) {
  const PartitionCase c(loop("%x: tensor<8x4xf32>", "  %z = stablehlo.constant dense<0.0> : tensor<f32>",
                             "%s = %z, %a = %x", "tensor<f32>, tensor<8x4xf32>", R"(
    %q:2 = stablehlo.while(%k = %i, %t = %s) : tensor<i32>, tensor<f32>
    cond {
      %l = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %k, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %u = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
      %v = stablehlo.tanh %u : tensor<f32>
      %m = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %m, %v : tensor<i32>, tensor<f32>
    }
    %j:2 = stablehlo.while(%k = %start, %t = %q#1) : tensor<i32>, tensor<f32>
    cond {
      %l = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %k, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %u = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
      %m = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %m, %u : tensor<i32>, tensor<f32>
    })",
                             "%j#1, %a", "%r#1", "tensor<f32>"),
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  const ExecutedCounts counts = executed_collectives(c.spmd.function);
  EXPECT_EQ(counts.uncounted.size(), 1U) << "the loop from %i";
  EXPECT_EQ(counts.collectives.str(), "15 all_gather, 5 all_reduce") << "5 x 3, and 5 of the loop that counts once\n"
                                                                     << text(c);
  expect_right(c);
}

/// Dead code in a loop's body is removed.
TEST(ControlFlow, WhatNobodyReadsInABodyIsLeftOut) {
  const PartitionCase c(loop("%x: tensor<8xf32>", "", "%a = %x", "tensor<8xf32>",
                             "    %gone = stablehlo.reverse %a, dims = [0] : tensor<8xf32>\n"
                             "    %b = stablehlo.tanh %a : tensor<8xf32>",
                             "%b", "%r#1", "tensor<8xf32>"),
                        "a=2", R"({"name": "T", "axis": "a", "inputs": {"arg0": 0}})");
  EXPECT_EQ(text(c).find("stablehlo.reverse"), std::string::npos);
}

}  // namespace
}  // namespace partir
