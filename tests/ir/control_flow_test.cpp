// Facts about control flow (ir/control_flow.h): the trip counts of counted loops, and the flows that connect the values
// that enter a loop or a branch with the region arguments and results that they become.
#include "ir/control_flow.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/op_decl.h"
#include "ir/text/read.h"

namespace partir {
namespace {

Module parsed(const std::string& text) {
  return value_or_throw(inline_calls(value_or_throw(read_module(text, "test"))));
}

/// Returns the trip count inferred for `for (i = first; i DIRECTION limit; i STEP by)`, or -1 if none is inferred:
/// trips("3", "LT", "10", "add", "2") is 4.
std::int64_t trips(const std::string& first, const std::string& direction, const std::string& limit,
                   const std::string& step, const std::string& by, const std::string& type = "i32") {
  const Module m = parsed(fmt::format(R"(
func.func @main() -> tensor<{5}> {{
  %first = stablehlo.constant dense<{0}> : tensor<{5}>
  %0 = stablehlo.while(%i = %first) : tensor<{5}>
  cond {{
    %limit = stablehlo.constant dense<{2}> : tensor<{5}>
    %p = stablehlo.compare {1}, %i, %limit : (tensor<{5}>, tensor<{5}>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %by = stablehlo.constant dense<{4}> : tensor<{5}>
    %j = stablehlo.{3} %i, %by : tensor<{5}>
    stablehlo.return %j : tensor<{5}>
  }}
  return %0 : tensor<{5}>
}})",
                                      first, direction, limit, step, by, type));
  const Function& f = **m.main();
  return TripCounts(f).of(f.body.ops.at(1)).value_or(-1);
}

TEST(TripCounts, OfCountersGoingUpAndDown) {
  EXPECT_EQ(trips("0", "LT", "1536", "add", "1"), 1536);
  EXPECT_EQ(trips("0", "LE", "1536", "add", "1"), 1537);
  EXPECT_EQ(trips("3", "LT", "10", "add", "2"), 4);
  EXPECT_EQ(trips("3", "LT", "11", "add", "2"), 4);
  EXPECT_EQ(trips("5", "LT", "5", "add", "1"), 0);
  EXPECT_EQ(trips("9", "LT", "5", "add", "1"), 0);
  EXPECT_EQ(trips("7", "GT", "0", "subtract", "3"), 3);
  EXPECT_EQ(trips("7", "GE", "1", "add", "-3"), 3);
  EXPECT_EQ(trips("0", "LT", "200", "add", "7", "ui8"), 29);
}

TEST(TripCounts, AreNotGuessed) {
  EXPECT_EQ(trips("0", "LT", "5", "add", "0"), -1) << "it does not end";
  EXPECT_EQ(trips("0", "LT", "5", "subtract", "1"), -1) << "it ends by wrapping";
  EXPECT_EQ(trips("0", "LE", "127", "add", "1", "i8"), -1) << "it does not end, since 127 + 1 is -128";
  EXPECT_EQ(trips("0", "LT", "127", "add", "100", "i8"), -1) << "200 is -56";
  EXPECT_EQ(trips("0", "NE", "5", "add", "1"), -1) << "not a form that is known here";
  EXPECT_EQ(trips("1", "LT", "100", "multiply", "2"), -1);
  EXPECT_EQ(trips("0.0", "LT", "5.0", "add", "1.0", "f32"), -1) << "floats round";
}

TEST(TripCounts, SeeConstantsThatLoopsCarryUnchangedAndNestedLoops) {
  const Module m = parsed(R"(
func.func @main(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %most = %five, %by = %one, %m = %n) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  cond {
    %p = stablehlo.compare GT, %most, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%k = %by, %l = %most) : tensor<i32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %k, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %by, %k : tensor<i32>
      stablehlo.return %next, %l : tensor<i32>, tensor<i32>
    }
    %2 = stablehlo.while(%k = %zero) : tensor<i32>
    cond {
      %p = stablehlo.compare LT, %k, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
    %j = stablehlo.add %i, %by : tensor<i32>
    stablehlo.return %j, %most, %by, %2 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#3 : tensor<i32>, tensor<i32>
})");
  const Function& f = **m.main();
  const TripCounts counts(f);
  std::vector<std::optional<std::int64_t>> found;
  for_each_op(f.body, [&](const Op& op) {
    if (op.name() == "stablehlo.while") found.push_back(counts.of(op));
  });
  EXPECT_EQ(found, (std::vector<std::optional<std::int64_t>>{5, 4, std::nullopt}));
}

TEST(Flows, JoinWhereAValueComesFromAndWhatItBecomes) {
  const Module m = parsed(R"(
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = stablehlo.while(%i = %n, %a = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.negate %a : tensor<4xf32>
    stablehlo.return %i, %b : tensor<i32>, tensor<4xf32>
  }
  %1 = "stablehlo.case"(%n) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %0#1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %2:2 = stablehlo.optimization_barrier %1, %x : tensor<4xf32>, tensor<4xf32>
  return %2#0, %2#1 : tensor<4xf32>, tensor<4xf32>
})");
  const Function& f = **m.main();
  const ValueId x = f.arguments()[0];
  const Op& loop = f.body.ops[0];
  const Op& branches = f.body.ops[1];
  const Op& barrier = f.body.ops[2];
  const ValueId negated = loop.regions[1].ops[0].results[0];
  EXPECT_EQ(flows_of(loop)[1],
            (Flow{{x, negated}, {loop.regions[0].arguments[1], loop.regions[1].arguments[1], loop.results[1]}}));
  EXPECT_EQ(flows_of(branches), (std::vector<Flow>{{{x, loop.results[1]}, branches.results}}));
  EXPECT_EQ(flows_of(barrier)[1], (Flow{{x}, {barrier.results[1]}}));
  EXPECT_TRUE(flows_of(loop.regions[1].ops[0]).empty());
}

}  // namespace
}  // namespace partir
