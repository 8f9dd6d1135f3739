// Claims on which the prover must give up and state why, because a premise of its reasoning does not hold or cannot be
// established. A verdict on them would be right by chance at best.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/prove/instance.h"
#include "verify/prove/prove.h"

namespace partir::prove {
namespace {

/// Returns the verdict of a claim; for "unknown", followed by the reason.
std::string answer(const std::string& claim) {
  const auto claims = value_or_throw(read_claims(claim, "test.tmr"));
  const Decision v = value_or_throw(decide(claims.at(0)));
  return fmt::format("{}{}{}", name_of(v.verdict), v.verdict == Verdict::unknown ? ": " : "",
                     v.verdict == Verdict::unknown ? v.reason : "");
}

TEST(GivingUp, ADivisorThatMayBeZero) {
  // For B = 1 a group has no features.
  EXPECT_EQ(answer("entry @groups tiles N (%x: tensor<NxLxG*Cxf32> #tile<0>, %w: tensor<1xCxG*B-Gxf32> any) -> "
                   "(tensor<NxLxG*B-Gxf32> #tile<0>) {\n"
                   "  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
                   "{stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, "
                   "feature_group_count = G : i64} : (tensor<NxLxG*Cxf32>, tensor<1xCxG*B-Gxf32>) -> "
                   "tensor<NxLxG*B-Gxf32>\n  return %0 : tensor<NxLxG*B-Gxf32>\n}\n"),
            "unknown: a division of indices by what may not be positive");
}

TEST(GivingUp, ANotationThatDiffersBetweenSizes) {
  // For U = N the start does not matter.
  EXPECT_EQ(answer("entry @part tiles D (%x: tensor<NxDxf32> #tile<1>, %s: tensor<i32> any, %z: tensor<i32> any) -> "
                   "(tensor<UxDxf32> #tile<1>) {\n"
                   "  %0 = stablehlo.dynamic_slice %x, %s, %z, sizes = [U, D] : (tensor<NxDxf32>, tensor<i32>, "
                   "tensor<i32>) -> tensor<UxDxf32>\n  return %0 : tensor<UxDxf32>\n}\n"),
            "unknown: stablehlo.dynamic_slice, whose index notation differs between sizes");
}

TEST(GivingUp, AFoldThatNoInterpreterRuns) {
  // Returning "unknown" instead of failing allows the other claims of a file to be decided.
  EXPECT_EQ(
      answer(
          "rewrite @saturated axes A (%x: tensor<Nxi8> whole, %i: tensor<Nxi8> whole) -> (tensor<i8>, tensor<i8>) {\n"
          "  source {\n"
          "    %z = stablehlo.constant dense<0> : tensor<i8>\n"
          "    %r:2 = stablehlo.reduce(%x init: %z), (%i init: %z) across dimensions = [0] : (tensor<Nxi8>, "
          "tensor<Nxi8>, tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>)\n"
          "     reducer(%a: tensor<i8>, %b: tensor<i8>) (%j: tensor<i8>, %k: tensor<i8>) {\n"
          "      %s = stablehlo.add %a, %b : tensor<i8>\n"
          "      %v = stablehlo.clamp %j, %s, %k : tensor<i8>\n"
          "      stablehlo.return %v, %k : tensor<i8>, tensor<i8>\n    }\n"
          "    return %r#0, %r#1 : tensor<i8>, tensor<i8>\n  }\n"
          "  target {\n    %z = stablehlo.constant dense<0> : tensor<i8>\n"
          "    return %z, %z : tensor<i8>, tensor<i8>\n  }\n}\n"),
      "unknown: stablehlo.reduce on these types or attributes");
}

TEST(GivingUp, ATileOfADimensionThatTheTypeLacks) {
  const auto claims =
      value_or_throw(read_claims("entry @rows (%x: tensor<Mxf32> #tile<1>) -> (tensor<Mxf32> #sum) {\n"
                                 "  return %x : tensor<Mxf32>\n}\n",
                                 "test.tmr"));
  const auto verdict = decide(claims.at(0));
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().wanted, "a dimension of the type");
}

TEST(GivingUp, ASizeAsANumberThatWraps) {
  EXPECT_EQ(answer("entry @count tiles D (%x: tensor<NxDxi8> #tile<1>) -> (tensor<NxDxi8> #tile<1>) {\n"
                   "  %n = stablehlo.constant dense<N> : tensor<NxDxi8>\n"
                   "  %0 = stablehlo.add %x, %n : tensor<NxDxi8>\n  return %0 : tensor<NxDxi8>\n}\n"),
            "unknown: a size as a number that wraps");
}

TEST(GivingUp, AConstantThatDiffersBetweenSizes) {
  EXPECT_EQ(answer("entry @weights tiles D (%x: tensor<2xNxDxi32> #tile<2>) -> (tensor<2xNxDxi32> #tile<2>) {\n"
                   "  %n = stablehlo.constant dense<[1, N]> : tensor<2xi32>\n"
                   "  %b = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<2xi32>) -> tensor<2xNxDxi32>\n"
                   "  %0 = stablehlo.add %x, %b : tensor<2xNxDxi32>\n  return %0 : tensor<2xNxDxi32>\n}\n"),
            "unknown: a constant that differs between sizes");
}

/// A program's last operation and its function.
struct Alone {
  Module module;
  explicit Alone(const std::string& text) : module(value_or_throw(read_module(text, "test.mlir"))) {}
  [[nodiscard]] OpInstance op() const {
    const Function& f = module.functions.at(0);
    return instance_of(f, f.body.ops[f.body.ops.size() - 2]);
  }
};

TEST(GivingUp, LocalNumbersThatAreNotTheDevicesTogether) {
  const auto slice = [](int size, int limit) {
    return Alone(
        fmt::format("func.func @main(%x: tensor<{0}xf32>) -> tensor<{1}xf32> {{\n"
                    "  %0 = stablehlo.slice %x [0:{1}] : (tensor<{0}xf32>) -> tensor<{1}xf32>\n"
                    "  return %0 : tensor<{1}xf32>\n}}\n",
                    size, limit));
  };
  const Alone whole = slice(8, 6);
  const Alone part = slice(4, 4);  // two parts of size 4 do not make up 6
  const Decision v = decide_instance(whole.op(), {{Action::tile(0)}, {Action::tile(0)}}, 2, part.op());
  EXPECT_EQ(v.verdict, Verdict::unknown);
  EXPECT_EQ(v.reason, "a number that is not the devices' together");
}

TEST(GivingUp, NotOnStridedSlicesThatEndBeforeTheirLastStride) {
  const auto slice = [](int size, int from, int to) {
    return Alone(
        fmt::format("func.func @main(%x: tensor<{0}xf32>) -> tensor<{1}xf32> {{\n"
                    "  %0 = stablehlo.slice %x [{2}:{3}:2] : (tensor<{0}xf32>) -> tensor<{1}xf32>\n"
                    "  return %0 : tensor<{1}xf32>\n}}\n",
                    size, size / 2, from, to));
  };
  const auto decided = [](const Alone& whole, const Alone& part) {
    return decide_instance(whole.op(), {{Action::tile(0)}, {Action::tile(0)}}, 2, part.op()).verdict;
  };
  EXPECT_EQ(decided(slice(8, 0, 7), slice(4, 0, 4)), Verdict::proved);
  EXPECT_NE(decided(slice(8, 0, 7), slice(4, 1, 4)), Verdict::proved);
  EXPECT_NE(decided(slice(8, 1, 8), slice(4, 0, 4)), Verdict::proved);
}

TEST(GivingUp, AnArrayOfTheOperationThatChanges) {
  const auto constant = [](const char* values) {
    return Alone(
        fmt::format("func.func @main() -> tensor<2xf32> {{\n  %0 = stablehlo.constant dense<{}> : tensor<2xf32>\n"
                    "  return %0 : tensor<2xf32>\n}}\n",
                    values));
  };
  const Alone whole = constant("[1.0, 2.0]");
  const Alone part = constant("[1.0, 3.0]");
  const Decision v = decide_instance(whole.op(), {{}, {Action::any()}}, 2, part.op());
  EXPECT_EQ(v.verdict, Verdict::unknown);
  EXPECT_EQ(v.reason, "an array that changes");
}

TEST(GivingUp, NotOnAKnownOperandThatIsPartial) {
  const Alone sum(
      "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.add %x, %y : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n");
  OpInstance op = sum.op();
  const Alone two(
      "func.func @main() -> tensor<f32> {\n  %0 = stablehlo.constant dense<2.0> : tensor<f32>\n"
      "  return %0 : tensor<f32>\n}\n");
  op.splats[1] = find(two.module.functions[0].body.ops[0].attributes, "value")->as<DenseAttr>()->literal;
  const Action partial = Action::partial(Monoid::sum);
  // The devices' summands of y add up to 2, whatever each of them is. In the entry with `any`, each device holds 2.
  EXPECT_EQ(decide_instance(op, {{partial, partial}, {partial}}, 2, op).verdict, Verdict::proved);
  EXPECT_EQ(decide_instance(op, {{partial, Action::any()}, {partial}}, 2, op).verdict, Verdict::unknown);
}

}  // namespace
}  // namespace partir::prove
