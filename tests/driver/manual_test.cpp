// Manual computations (shard_map): their bodies run on the devices unchanged, and the checker verifies that.
#include "ir/sharding/manual.h"

#include <gtest/gtest.h>

#include "driver/session.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "verify/certificate/check.h"
#include "verify/check_values.h"

namespace partir {
namespace {

/// Returns a function of two 8x8 arrays around a manual computation, on a mesh with "x" of size 4 and "y" of size 2.
std::string program(const std::string& shardings, const std::string& arguments, const std::string& body,
                    const std::string& result, const std::string& returned = "tensor<8x8xf32>") {
  return "sdy.mesh @m = <[\"x\"=4, \"y\"=2]>\nfunc.func public @main(%p: tensor<8x8xf32>, %q: tensor<8x8xf32>) -> " +
         returned + " {\n  %s = stablehlo.add %p, %q : tensor<8x8xf32>\n  %0 = sdy.manual_computation(%s, %q) " +
         shardings + " (" + arguments + ") {\n" + body + "\n    sdy.return " + result +
         "\n  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> " + returned + "\n  %1 = stablehlo.negate %0 : " + returned +
         "\n  return %1 : " + returned + "\n}\n";
}

const char* const kRows =
    R"(in_shardings=[<@m, [{"x"}, {}]>, <@m, [{}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x", "y"})";
const char* const kGroups =
    "replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, channel_handle = "
    "#stablehlo.channel_handle<handle = 1, type = 1>";

std::string all_reduce(const std::string& of, const std::string& type) {
  return "\"stablehlo.all_reduce\"(" + of + ") <{" + kGroups + R"(, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %c = stablehlo.add %l, %r : tensor<f32>
      %k = sdy.sharding_constraint %c <@m, []> : tensor<f32>
      stablehlo.return %k : tensor<f32>
    }) : ()" +
         type + ") -> " + type;
}

Session opened(const std::string& text) {
  Session session = value_or_throw(Session::open_annotated({.text = text, .file = "test.mlir"}, std::nullopt));
  for (const ResolvedTactic& t : tactics_of(value_or_throw(session.annotations()))) value_or_throw(session.apply(t));
  return session;
}

/// Expects the partition to be proved and its values to be the source's in both interpreters; returns the collectives.
std::string sound(const std::string& text) {
  Session session = opened(text);
  const Module written = session.stablehlo();
  const Judgement judgement = session.check();
  EXPECT_EQ(judgement.verdict, Verdict::proved) << judgement.reason << "\n" << print_module(written);
  const Judgement values =
      check_values(session.module(), value_or_throw(read_module(print_module(written), "written")));
  EXPECT_EQ(values.verdict, Verdict::passed) << values.reason << "\n" << print_module(written);
  return session.collectives().str();
}

TEST(ManualComputations, RunTheirCollectives) {
  EXPECT_EQ(sound(program(kRows, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>",
                          "    %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8xf32>, "
                          "tensor<8x8xf32>) -> tensor<2x8xf32>\n"
                          "    %e = " +
                              all_reduce("%d", "tensor<2x8xf32>"),
                          "%e : tensor<2x8xf32>")),
            "1 all_reduce");
}

TEST(ManualComputations, RunOnTheDevicesThatTheMeshLists) {
  std::string text =
      program(kRows, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>", R"(    %i = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %j = stablehlo.divide %i, %two : tensor<ui32>
    %f = stablehlo.convert %j : (tensor<ui32>) -> tensor<f32>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %e = stablehlo.add %a, %g : tensor<2x8xf32>)",
              "%e : tensor<2x8xf32>");
  const std::string axes = R"(["x"=4, "y"=2])";
  text.replace(text.find(axes), axes.size(), axes + ", device_ids=[6, 7, 0, 1, 5, 4, 3, 2]");
  EXPECT_EQ(opened(text).mesh().str(), "x=4,y=2,device_ids=[6,7,0,1,5,4,3,2]");
  EXPECT_EQ(sound(text), "none");
}

TEST(ManualComputations, KnowWhichDeviceTheyRunOn) {
  EXPECT_EQ(
      sound(program(kRows, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>", R"(    %i = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %j = stablehlo.divide %i, %two : tensor<ui32>
    %f = stablehlo.convert %j : (tensor<ui32>) -> tensor<f32>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %h = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 4], [4, 6], [6, 0], [1, 3], [3, 5], [5, 7], [7, 1]]> : tensor<8x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %e = stablehlo.add %h, %g : tensor<2x8xf32>)",
                    "%e : tensor<2x8xf32>")),
      "1 collective_permute");
}

TEST(ManualComputations, ChangeShapesByTheirResultShardings) {
  EXPECT_EQ(
      sound(program(
          R"(in_shardings=[<@m, [{"x"}, {}]>, <@m, [{}, {"y"}]>] out_shardings=[<@m, [{}, {}]>] manual_axes={"x", "y"})",
          "%a: tensor<2x8xf32>, %b: tensor<8x4xf32>", "    %e = " + all_reduce("%a", "tensor<2x8xf32>"),
          "%e : tensor<2x8xf32>", "tensor<2x8xf32>")),
      "1 all_reduce");
}

TEST(ManualComputations, LoopWithCollectivesInside) {
  EXPECT_EQ(sound(program(kRows, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>",
                          R"(    %n = stablehlo.constant dense<3> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%i = %z, %v = %a) : tensor<i32>, tensor<2x8xf32>
     cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %h = "stablehlo.collective_permute"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 4], [4, 6], [6, 0], [1, 3], [3, 5], [5, 7], [7, 1]]> : tensor<8x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
      %u = stablehlo.add %h, %a : tensor<2x8xf32>
      stablehlo.return %j, %u : tensor<i32>, tensor<2x8xf32>
    })",
                          "%w#1 : tensor<2x8xf32>")),
            "1 collective_permute");
}

TEST(ManualComputations, AreReplicatedAlongFreeAxes) {
  EXPECT_EQ(
      sound(program(
          R"(in_shardings=[<@m, [{"x", ?}, {?}]>, <@m, [{?}, {?}]>] out_shardings=[<@m, [{"x", ?}, {?}]>] manual_axes={"x"})",
          "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>", "    %e = " + all_reduce("%a", "tensor<2x8xf32>"),
          "%e : tensor<2x8xf32>")),
      "1 all_reduce");
}

// As jax.lax.axis_index in a shard_map over some of the axes is lowered.
constexpr const char* kIndex =
    R"(    %i = sdy.manual_computation() in_shardings=[] out_shardings=[<@m, []>] manual_axes={"y"} () {
      %two = stablehlo.constant dense<2> : tensor<ui32>
      %p0 = stablehlo.partition_id : tensor<ui32>
      %x = stablehlo.divide %p0, %two : tensor<ui32>
      sdy.return %x : tensor<ui32>
    } : () -> tensor<ui32>
    %f = stablehlo.convert %i : (tensor<ui32>) -> tensor<f32>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %e = stablehlo.add %a, %g : tensor<2x8xf32>)";
constexpr const char* kOverX =
    R"(in_shardings=[<@m, [{"x", ?}, {?}]>, <@m, [{?}, {?}]>] out_shardings=[<@m, [{"x", ?}, {?}]>] manual_axes={"x"})";

TEST(ManualComputations, ContainOthersThatDivideNothing) {
  EXPECT_EQ(sound(program(kOverX, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>", kIndex, "%e : tensor<2x8xf32>")), "none");
}

TEST(ManualComputations, InsideOthersThatDivideAreUnsupported) {
  const auto session = Session::open_annotated(
      {.text = program(
           kOverX, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>",
           R"(    %e = sdy.manual_computation(%a) in_shardings=[<@m, [{}, {"y"}]>] out_shardings=[<@m, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<2x4xf32>) {
      sdy.return %c : tensor<2x4xf32>
    } : (tensor<2x8xf32>) -> tensor<2x8xf32>)",
           "%e : tensor<2x8xf32>"),
       .file = "test.mlir"},
      std::nullopt);
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().code, "unsupported");
}

TEST(ManualComputations, NestAxesInOrdersThatAgree) {
  EXPECT_EQ(
      sound(program(
          R"(in_shardings=[<@m, [{"x"}, {"y"}]>, <@m, [{"y", "x"}, {}]>] out_shardings=[<@m, [{"x"}, {"y"}]>] manual_axes={"x", "y"})",
          "%a: tensor<2x4xf32>, %b: tensor<1x8xf32>",
          R"(    %r = stablehlo.reshape %b : (tensor<1x8xf32>) -> tensor<2x4xf32>
    %e = stablehlo.add %a, %r : tensor<2x4xf32>)",
          "%e : tensor<2x4xf32>")),
      "1 collective_permute");  // %q is resharded to one layout first
}

TEST(ManualComputations, ThatReturnWhatTheyTake) {
  EXPECT_EQ(sound(program(kRows, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>", "", "%a : tensor<2x8xf32>")), "none");
}

TEST(ManualComputations, ThatDoNotFitAreErrors) {
  const auto code = [](const std::string& text) {
    const auto session = Session::open_annotated({.text = text, .file = "test.mlir"}, std::nullopt);
    return session ? std::string("fine") : session.error().code;
  };
  EXPECT_EQ(code(program(kRows, "%a: tensor<4x8xf32>, %b: tensor<8x8xf32>", "", "%a : tensor<4x8xf32>")),
            "manual_computation");
  EXPECT_EQ(code(program(R"(in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"})",
                         "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>", "", "%a : tensor<2x8xf32>")),
            "manual_computation");
  EXPECT_EQ(code(program(kRows, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>", "", "%a : tensor<2x8xf32>")), "fine");
}

// --- What the checker refuses ----------------------------------------------------------------------------------------

/// Returns the verdict on the written module with `from` replaced by `to`, under the certificate of the unaltered one.
Verdict altered(const std::string& from, const std::string& to) {
  const std::string text =
      program(kRows, "%a: tensor<2x8xf32>, %b: tensor<8x8xf32>",
              "    %t = stablehlo.tanh %a : tensor<2x8xf32>\n    %e = " + all_reduce("%t", "tensor<2x8xf32>"),
              "%e : tensor<2x8xf32>");
  Session session = opened(text);
  const Module module = session.stablehlo();
  std::string written = print_module(module);
  EXPECT_NE(written.find(from), std::string::npos) << from << "\n" << written;
  written.replace(written.find(from), from.size(), to);
  return check_certificate(session.module(), value_or_throw(read_module(written, "altered")),
                           session.certificate(module))
      .verdict;
}

TEST(ManualComputationsThatAreAltered, AreRefuted) {
  EXPECT_EQ(altered("stablehlo.tanh", "stablehlo.tanh"), Verdict::proved);
  EXPECT_EQ(altered("stablehlo.tanh", "stablehlo.exponential"), Verdict::refuted);
  EXPECT_EQ(altered("dense<[[0, 2, 4, 6], [1, 3, 5, 7]]>", "dense<[[0, 2, 6, 4], [1, 3, 5, 7]]>"), Verdict::refuted);
  EXPECT_EQ(altered("argument 0", "argument 1"), Verdict::refuted);
  EXPECT_EQ(altered("argument 1", "argument 0"), Verdict::refuted);
  EXPECT_EQ(altered("result 0", "result 1"), Verdict::refuted);
  EXPECT_EQ(altered("result 0", "argument 0"), Verdict::refuted);
}

}  // namespace
}  // namespace partir
