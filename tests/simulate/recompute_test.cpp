// Steps rewritten with recomputation: which values are kept, which are computed again, and that all results stay the
// same.
#include "simulate/recompute.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/print.h"
#include "ir/text/read.h"
#include "simulate/simulate.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

Module remat_module(const std::string& text) {
  return value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
}

struct RecomputedStep {
  Module module;
  Recomputed out;
  RecomputedStep(const std::string& text, Recomputation policy) : module(remat_module(text)) {
    const Function& main = **module.main();
    out = value_or_throw(recompute(main, value_or_throw(names_of(main, std::nullopt, "")), policy));
  }
  [[nodiscard]] const Function& before() const { return **module.main(); }
  [[nodiscard]] std::size_t count(const std::string& name) const {
    std::size_t n = 0;
    for (const Op& op : out.function.body.ops) n += op.name() == name ? 1 : 0;
    return n;
  }
};

/// Two layers h = tanh(h w) with a skip connection, their sum as loss, and the gradients of both weights.
constexpr const char* kTwoLayers = R"(func.func @main(
    %x: tensor<4x8xf32>, %u: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %w: tensor<8x8xf32> {tf.aliasing_output = 2 : i32})
    -> (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<4x8xf32>
  %a = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.tanh %a : tensor<4x8xf32>
  %s2 = stablehlo.multiply %s, %s : tensor<4x8xf32>
  %ds = stablehlo.subtract %one, %s2 : tensor<4x8xf32>
  %h = stablehlo.add %s, %x : tensor<4x8xf32>
  %b = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t = stablehlo.tanh %b : tensor<4x8xf32>
  %y = stablehlo.add %t, %h : tensor<4x8xf32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %t2 = stablehlo.multiply %t, %t : tensor<4x8xf32>
  %db = stablehlo.subtract %one, %t2 : tensor<4x8xf32>
  %gw = stablehlo.dot_general %h, %db, contracting_dims = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %dh = stablehlo.dot_general %db, %w, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %dh1 = stablehlo.add %dh, %one : tensor<4x8xf32>
  %da = stablehlo.multiply %dh1, %ds : tensor<4x8xf32>
  %gu = stablehlo.dot_general %x, %da, contracting_dims = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %loss, %gu, %gw : tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>
})";

TEST(Recomputation, NoneIsTheStepAsItIs) {
  const RecomputedStep c(kTwoLayers, Recomputation::none);
  EXPECT_EQ(c.out.again, 0U);
  EXPECT_EQ(c.out.function.body.ops.size(), c.before().body.ops.size());
}

TEST(Recomputation, SelectiveKeepsProducts) {
  const RecomputedStep c(kTwoLayers, Recomputation::selective);
  EXPECT_EQ(c.count("stablehlo.dot_general"), 5U);  // no product is computed again
  EXPECT_EQ(c.count("stablehlo.tanh"), 4U);
  EXPECT_EQ(c.out.again, 3U);  // both tanh, and h
  EXPECT_EQ(c.out.kept, 2U);   // a and b
  EXPECT_TRUE(same_expressions(c.before(), c.out.function));
}

TEST(Recomputation, FullKeepsNarrowPoints) {
  // After the first addition only h is needed. a is read by tanh only.
  const RecomputedStep c(kTwoLayers, Recomputation::full);
  EXPECT_EQ(c.count("stablehlo.dot_general"), 7U);
  EXPECT_EQ(c.out.kept, 1U);
  EXPECT_TRUE(same_expressions(c.before(), c.out.function));
}

TEST(Recomputation, WhatDifferentiationComputesAheadComesLate) {
  // The program computes 1 - s * s in the forward pass, from a value that is not kept.
  const RecomputedStep c(kTwoLayers, Recomputation::selective);
  const auto position = [&](const std::string& name, std::size_t nth) {
    for (std::size_t i = 0; i < c.out.function.body.ops.size(); ++i) {
      if (c.out.function.body.ops[i].name() == name && nth-- == 0) return i;
    }
    return c.out.function.body.ops.size();
  };
  EXPECT_EQ(c.count("stablehlo.subtract"), 2U);
  EXPECT_LT(position("stablehlo.reduce", 0), position("stablehlo.subtract", 0));
}

TEST(Recomputation, IsReadBackAndSimulated) {
  RecomputedStep c(kTwoLayers, Recomputation::full);
  const Names names = value_or_throw(names_of(c.before(), std::nullopt, ""));
  SimulationOptions options;
  options.mesh = value_or_throw(Mesh::parse("x=1"));
  const Device device = value_or_throw(find_device("a100"));
  const Simulation before = value_or_throw(simulate(c.module, names, device, options));
  c.module.functions[0] = c.out.function;
  const Module again = remat_module(print_module(c.module));
  const Simulation after = value_or_throw(simulate(again, names, device, options));
  EXPECT_EQ(after.matrix_flops - before.matrix_flops, 2 * 2.0 * 4 * 8 * 8);
}

TEST(Recomputation, WantsALoss) {
  const Module m = remat_module(R"(func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
    %0 = stablehlo.tanh %x : tensor<4xf32>
    return %0, %n : tensor<4xf32>, tensor<i32>
  })");
  const auto out = recompute(**m.main(), value_or_throw(names_of(**m.main(), std::nullopt, "")), Recomputation::full);
  ASSERT_FALSE(out.has_value());
  EXPECT_NE(out.error().text().find("loss"), std::string::npos);
}

TEST(Recomputation, LeavesLoopsAndEffectsWhereTheyAre) {
  const RecomputedStep c(
      R"(func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<f32>, tensor<4x4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %shape = stablehlo.constant dense<4> : tensor<2xi64>
    %noise = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32>
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h = stablehlo.multiply %p, %noise : tensor<4x4xf32>
    %s = stablehlo.sine %h : tensor<4x4xf32>
    %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %c = stablehlo.cosine %h : tensor<4x4xf32>
    %g = stablehlo.multiply %c, %noise : tensor<4x4xf32>
    return %loss, %g : tensor<f32>, tensor<4x4xf32>
  })",
      Recomputation::full);
  EXPECT_EQ(c.count("stablehlo.rng"), 1U);
  EXPECT_EQ(c.count("stablehlo.dot_general"), 2U);
  EXPECT_TRUE(same_expressions(c.before(), c.out.function));
}

TEST(Recomputation, CountsTheLoopsThatItLeaves) {
  const char* const text =
      R"(func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<f32>, tensor<4x4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %i0 = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %i0, %h = %x) : tensor<i32>, tensor<4x4xf32>
      cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        %p = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        stablehlo.return %j, %p : tensor<i32>, tensor<4x4xf32>
      }
    %s = stablehlo.sine %r#1 : tensor<4x4xf32>
    %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %c = stablehlo.cosine %r#1 : tensor<4x4xf32>
    return %loss, %c : tensor<f32>, tensor<4x4xf32>
  })";
  EXPECT_EQ(RecomputedStep(text, Recomputation::full).out.loops, 1U);
  EXPECT_EQ(RecomputedStep(kTwoLayers, Recomputation::full).out.loops, 0U);
}

// --- The proof ------------------------------------------------------------------------------------------------------

bool same_as(const std::string& changed_from, const std::string& changed_to) {
  std::string text = kTwoLayers;
  const auto at = text.find(changed_from);
  EXPECT_NE(at, std::string::npos) << changed_from;
  text.replace(at, changed_from.size(), changed_to);
  const Module a = remat_module(kTwoLayers);
  const Module b = remat_module(text);
  return same_expressions(**a.main(), **b.main());
}

TEST(SameExpressions, SeeEveryChange) {
  EXPECT_TRUE(same_as("%loss, %gu", "%loss, %gu"));
  EXPECT_FALSE(same_as("return %loss, %gu, %gw", "return %loss, %gw, %gu"));
  EXPECT_FALSE(same_as("subtract %one, %s2", "subtract %s2, %one"));
  EXPECT_FALSE(same_as("stablehlo.tanh %b", "stablehlo.sine %b"));
  EXPECT_FALSE(same_as("dense<1.0>", "dense<2.0>"));
  EXPECT_FALSE(same_as("%db, %w, contracting_dims = [1] x [1]", "%db, %w, contracting_dims = [1] x [0]"));
  EXPECT_FALSE(same_as("applies stablehlo.add across", "applies stablehlo.maximum across"));
  EXPECT_FALSE(same_as("tanh %a", "tanh %x"));
}

TEST(SameExpressions, ReadConstantsToTheLastElement) {
  const auto module = [](int last) {
    std::string elements;
    for (int k = 0; k < 2000; ++k) elements += fmt::format("{}{}", k == 0 ? "" : ", ", k == 1999 ? last : k);
    return remat_module("func.func @main() -> tensor<2000xi32> {\n %0 = stablehlo.constant dense<[" + elements +
                        "]> : tensor<2000xi32>\n return %0 : tensor<2000xi32>\n}");
  };
  EXPECT_TRUE(same_expressions(**module(5).main(), **module(5).main()));
  EXPECT_FALSE(same_expressions(**module(5).main(), **module(6).main()));
}

TEST(SameExpressions, LookThroughBarriersAndOrder) {
  EXPECT_TRUE(same_as("%t = stablehlo.tanh %b",
                      "%k = stablehlo.optimization_barrier %b : tensor<4x8xf32>\n %t = stablehlo.tanh %k"));
  EXPECT_TRUE(
      same_as("%s = stablehlo.tanh %a", "%s = stablehlo.tanh %a : tensor<4x8xf32>\n %unread = stablehlo.sine %a"));
}

TEST(SameExpressions, CountEffectsAndRandomNumbers) {
  const std::string draw =
      "%0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> "
      "tensor<4xf32>\n";
  const std::string again =
      "%1 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> "
      "tensor<4xf32>\n";
  const auto module = [&](const std::string& body, const std::string& second) {
    return remat_module("func.func @main(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>) -> tensor<4xf32> {\n" +
                        body + "%2 = stablehlo.add %0, " + second + " : tensor<4xf32>\n return %2 : tensor<4xf32>\n}");
  };
  const Module once = module(draw, "%0");
  const Module twice = module(draw + again, "%1");
  const Module unread = module(draw + again, "%0");
  EXPECT_TRUE(same_expressions(**once.main(), **once.main()));
  EXPECT_TRUE(same_expressions(**twice.main(), **twice.main()));
  EXPECT_FALSE(same_expressions(**once.main(), **twice.main()));
  EXPECT_FALSE(same_expressions(**once.main(), **unread.main()));
}

TEST(SameExpressions, KnowRegionsByWhatTheyCompute) {
  const auto module = [](const std::string& body, const std::string& captured) {
    return remat_module(
        "func.func @main(%x: tensor<4xf32>, %p: tensor<i1>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
        "%0 = \"stablehlo.if\"(%p) ({\n %1 = stablehlo." +
        body +
        " : tensor<4xf32>\n stablehlo.return %1 : tensor<4xf32>\n}, {\n"
        " stablehlo.return " +
        captured + " : tensor<4xf32>\n}) : (tensor<i1>) -> tensor<4xf32>\n return %0 : tensor<4xf32>\n}");
  };
  const Module a = module("sine %x", "%x");
  EXPECT_TRUE(same_expressions(**a.main(), **module("sine %x", "%x").main()));
  EXPECT_FALSE(same_expressions(**a.main(), **module("cosine %x", "%x").main()));
  EXPECT_FALSE(same_expressions(**a.main(), **module("sine %y", "%x").main()));
  EXPECT_FALSE(same_expressions(**a.main(), **module("sine %x", "%y").main()));
}

}  // namespace
}  // namespace partir
