// The simulated cost of a step, on programs small enough to compute by hand.
#include "simulate/simulate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "ir/control_flow.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "simulate/kernel_cost.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

/// Returns a device on which a matrix FLOP takes one second, another FLOP a tenth, a byte of memory one, and a byte on
/// the link ten.
Device slow_device() {
  Device d;
  d.name = "slow";
  d.memory_bytes = 1e6;
  d.memory_bandwidth = 1;
  d.matrix_peak = {{"f32", 1}};
  d.tile = {1, 1, 1};
  d.vector_peak = {{"f32", 10}};
  Link l;
  l.name = "wire";
  l.shape = Link::Shape::switch_fabric;
  l.bandwidth = 0.1;
  d.links = {l};
  return d;
}

struct Case {
  Module module;
  Simulation result;
  Case(const std::string& text, const std::string& mesh = "", const Device& device = slow_device()) {
    module = value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
    SimulationOptions options;
    if (!mesh.empty()) options.mesh = value_or_throw(Mesh::parse(mesh));
    options.events = true;
    result =
        value_or_throw(simulate(module, value_or_throw(names_of(**module.main(), std::nullopt, "")), device, options));
  }
  [[nodiscard]] FusedBlock fused() const {
    const Function& f = **module.main();
    OperationCosts costs;
    return fuse(f, f.body, costs, {});
  }
};

// --- FLOPs and bytes ------------------------------------------------------------------------------------------------

TEST(Work, OfADotIsTwiceItsProducts) {
  const Case c(R"(func.func @main(%a: tensor<3x4x5xf32>, %b: tensor<3x5x7xf32>) -> tensor<3x4x7xf32> {
    %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x4x5xf32>, tensor<3x5x7xf32>) -> tensor<3x4x7xf32>
    return %0 : tensor<3x4x7xf32>
  })");
  EXPECT_EQ(c.result.flops, 2.0 * 3 * 4 * 5 * 7);
  EXPECT_EQ(c.result.matrix_flops, c.result.flops);
  EXPECT_EQ(c.result.memory_traffic, 4.0 * (60 + 105 + 84));
  OperationCosts costs;
  const MatrixShape s = costs.of(**c.module.main(), (*c.module.main())->body.ops[0]).matrix->shape;
  EXPECT_EQ(std::vector<double>({s.batch, s.rows, s.columns, s.depth}), std::vector<double>({3, 4, 7, 5}));
}

TEST(Work, OfAConvolutionIsTwiceItsProducts) {
  const Case c(R"(func.func @main(%x: tensor<2x8x8x3xf32>, %w: tensor<3x3x3x16xf32>) -> tensor<2x6x6x16xf32> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<2x6x6x16xf32>
    return %0 : tensor<2x6x6x16xf32>
  })");
  EXPECT_EQ(c.result.matrix_flops, 2.0 * 2 * 6 * 6 * 16 * 3 * 3 * 3);
  OperationCosts costs;
  const MatrixShape s = costs.of(**c.module.main(), (*c.module.main())->body.ops[0]).matrix->shape;
  EXPECT_EQ(std::vector<double>({s.rows, s.columns, s.depth}), std::vector<double>({72, 16, 27}));
}

TEST(Work, OfASliceAndAGatherIsWhatTheyTouch) {
  const Case c(R"(func.func @main(%x: tensor<100x8xf32>, %i: tensor<3x1xi32>) -> (tensor<2x8xf32>, tensor<3x8xf32>) {
    %0 = stablehlo.slice %x [4:6, 0:8] : (tensor<100x8xf32>) -> tensor<2x8xf32>
    %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<100x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
    return %0, %1 : tensor<2x8xf32>, tensor<3x8xf32>
  })");
  EXPECT_EQ(c.result.memory_traffic, 4.0 * (16 + 16) + 4.0 * (24 + 3 + 24));
}

// --- Loops ----------------------------------------------------------------------------------------------------------

std::string counted(const std::string& start, const std::string& direction, const std::string& limit,
                    const std::string& step) {
  return fmt::format(R"(func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {{
    %start = stablehlo.constant dense<{}> : tensor<i32>
    %step = stablehlo.constant dense<{}> : tensor<i32>
    %0:3 = stablehlo.while(%i = %start, %s = %step, %v = %x) : tensor<i32>, tensor<i32>, tensor<4xf32>
    cond {{
      %limit = {}
      %1 = stablehlo.compare {}, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }} do {{
      %1 = stablehlo.multiply %v, %v : tensor<4xf32>
      %2 = stablehlo.add %i, %s : tensor<i32>
      stablehlo.return %2, %s, %1 : tensor<i32>, tensor<i32>, tensor<4xf32>
    }}
    return %0#2 : tensor<4xf32>
  }})",
                     start, step,
                     limit == "n" ? "stablehlo.add %n, %n : tensor<i32>"
                                  : fmt::format("stablehlo.constant dense<{}> : tensor<i32>", limit),
                     direction);
}

TEST(TripCounts, FollowFromConstants) {
  for (const auto& [text, wanted] :
       std::vector<std::pair<std::string, std::optional<std::int64_t>>>{{counted("0", "LT", "10", "1"), 10},
                                                                        {counted("3", "LT", "10", "2"), 4},
                                                                        {counted("3", "LE", "9", "2"), 4},
                                                                        {counted("3", "LE", "10", "2"), 4},
                                                                        {counted("10", "LT", "10", "1"), 0},
                                                                        {counted("0", "LT", "10", "-1"), std::nullopt},
                                                                        {counted("0", "NE", "10", "3"), std::nullopt},
                                                                        {counted("0", "LT", "n", "1"), std::nullopt}}) {
    const Case c(text);
    const Function& f = **c.module.main();
    const auto& ops = f.body.ops;
    const auto loop = std::find_if(ops.begin(), ops.end(), [](const Op& op) { return op.name() == "stablehlo.while"; });
    EXPECT_EQ(TripCounts(f).of(*loop), wanted) << text;
    EXPECT_EQ(flops_of(f), 4.0 * static_cast<double>(wanted.value_or(1))) << text;
    EXPECT_EQ(c.result.notes.empty(), wanted.has_value()) << text;
  }
}

// --- Fusion ---------------------------------------------------------------------------------------------------------

TEST(Fusion, ChainsAreOneKernelAndNothingBetweenIsStored) {
  const Case c(R"(func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %0 = stablehlo.multiply %x, %b : tensor<8xf32>
    %1 = stablehlo.exponential %0 : tensor<8xf32>
    %2 = stablehlo.add %1, %0 : tensor<8xf32>
    return %2 : tensor<8xf32>
  })");
  EXPECT_EQ(c.result.kernels, 1);
  EXPECT_EQ(c.result.memory_traffic, 4.0 * 16);
  EXPECT_EQ(total(c.result.peak), 4.0 * 16);
}

TEST(Fusion, NothingRunsAcrossABarrier) {
  const auto text = [](const std::string& between) {
    return R"(func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.negate %x : tensor<8xf32>
    )" + between +
           R"(%2 = stablehlo.exponential %1 : tensor<8xf32>
    %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %2, %3 : tensor<8xf32>, tensor<f32>
  })";
  };
  const Case fused(text("%1 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<8xf32>\n"));
  EXPECT_EQ(fused.result.kernels, 1);
  EXPECT_EQ(fused.result.memory_traffic, 4.0 * (8 + 8 + 1));
  const Case barred(text("%1 = stablehlo.optimization_barrier %0 : tensor<8xf32>\n"));
  EXPECT_EQ(barred.result.kernels, 2) << "the negation is stored; its readers are one kernel";
  EXPECT_EQ(barred.result.memory_traffic, 4.0 * (8 + 8 + 8 + 8 + 1));
}

TEST(Fusion, AFoldTakesInWhatOnlyItReadsAndRunsWithWhatMakesItsInput) {
  // exp(x) is read by the sum and by the division: it is stored once, and summed in the kernel that computes it.
  const Case c(R"(func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.exponential %x : tensor<4x8xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.divide %0, %2 : tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
  })");
  const FusedBlock fused = c.fused();
  ASSERT_EQ(fused.kernels.size(), 2U);
  EXPECT_EQ(fused.kernels[0].kind, Kernel::Kind::fold);
  EXPECT_EQ(fused.kernels[0].bytes(), 4.0 * (32 + 32 + 4));
  EXPECT_EQ(fused.kernels[1].bytes(), 4.0 * (32 + 4 + 32));
}

TEST(Fusion, ProductsStayAloneAndViewsCostNothing) {
  const Case c(R"(func.func @main(%x: tensor<4x4xf32>) -> tensor<16xf32> {
    %0 = stablehlo.negate %x : tensor<4x4xf32>
    %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.reshape %2 : (tensor<4x4xf32>) -> tensor<16xf32>
    %4 = stablehlo.negate %3 : tensor<16xf32>
    return %4 : tensor<16xf32>
  })");
  EXPECT_EQ(c.result.kernels, 3);
  EXPECT_EQ(c.result.memory_traffic, 4.0 * 16 * (2 + 3 + 2));
}

TEST(Fusion, WhatSeveralReadIsMadeOnceInOneKernelOfSeveralResults) {
  const Case c(R"(func.func @main(%x: tensor<64xf32>, %w: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %0 = stablehlo.multiply %x, %w : tensor<64xf32>
    %1 = stablehlo.sine %0 : tensor<64xf32>
    %2 = stablehlo.cosine %0 : tensor<64xf32>
    return %1, %2 : tensor<64xf32>, tensor<64xf32>
  })");
  EXPECT_EQ(c.result.kernels, 1);
  EXPECT_EQ(c.result.memory_traffic, 4.0 * 64 * (2 + 2));
}

TEST(Fusion, KernelsThatReadTheSameBufferAreOne) {
  const Case c(R"(func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.negate %x : tensor<64xf32>
    %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<64xf32>, tensor<f32>
  })");
  EXPECT_EQ(c.result.kernels, 1);
  EXPECT_EQ(c.result.memory_traffic, 4.0 * (64 + 64 + 1));
}

TEST(Fusion, NothingIsJoinedAcrossWhatLiesBetween) {
  // The product needs one reader of x before the other can run, so that x is stored and read by two kernels.
  const Case c(R"(func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %x = stablehlo.exponential %a : tensor<8x8xf32>
    %0 = stablehlo.negate %x : tensor<8x8xf32>
    %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %x, %1 : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  })");
  const FusedBlock fused = c.fused();
  ASSERT_EQ(fused.kernels.size(), 3U);
  EXPECT_EQ(fused.kernels[0].writes.size(), 2U) << "x and its negation in one kernel";
  EXPECT_EQ(c.result.memory_traffic, 256.0 * (3 + 2 + 3)) << "the product reads one buffer, once";
}

TEST(Fusion, CheapOperationsAreMadeAgainRatherThanKept) {
  // The widened copy of a narrow value is read before and after the product; it is cheap and is not stored.
  const Case c(R"(func.func @main(%a: tensor<8x8xbf16>) -> tensor<8x8xf32> {
    %x = stablehlo.convert %a : (tensor<8x8xbf16>) -> tensor<8x8xf32>
    %0 = stablehlo.negate %x : tensor<8x8xf32>
    %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %x, %1 : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  })");
  EXPECT_EQ(c.result.memory_traffic, 128.0 + 256 + 2 * 256 + 128 + 2 * 256);
}

TEST(Fusion, ReturnedViewsOfWhatOthersHoldAreCopies) {
  const auto traffic = [](const std::string& body, const std::string& attributes = "") {
    return Case(fmt::format(R"(func.func @main(%x: tensor<4x8xf32>{}) -> tensor<{}xf32> {{
      {}
      return %r : tensor<{}xf32>
    }})",
                            attributes, body.find("transpose") != std::string::npos ? "8x4" : "32", body,
                            body.find("transpose") != std::string::npos ? "8x4" : "32"))
        .result.memory_traffic;
  };
  EXPECT_EQ(traffic("%r = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>"), 256);
  EXPECT_EQ(traffic("%r = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>"), 256);
  EXPECT_EQ(
      traffic("%r = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>", " {tf.aliasing_output = 0 : i32}"), 0)
      << "the caller's buffer, given and taken back";
  EXPECT_EQ(traffic("%0 = stablehlo.negate %x : tensor<4x8xf32>\n"
                    "%r = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>"),
            256)
      << "written as it is returned";
}

TEST(Fusion, AnUpdateIsInPlaceOnlyWhereNobodyReadsTheOldValue) {
  const char* text = R"(func.func @main(%x: tensor<100xf32>{}, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<100xf32> {{
    %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<100xf32>, tensor<2xf32>, tensor<i32>) -> tensor<100xf32>
    return %0 : tensor<100xf32>
  }})";
  const Case donated(fmt::format(fmt::runtime(text), " {tf.aliasing_output = 0 : i32}"));
  EXPECT_EQ(donated.result.memory_traffic, 4.0 * (2 + 1 + 2));
  EXPECT_EQ(total(donated.result.peak), 4.0 * (100 + 2 + 1));
  const Case kept(fmt::format(fmt::runtime(text), ""));
  EXPECT_EQ(kept.result.memory_traffic, 4.0 * (100 + 2 + 1 + 100));
  EXPECT_EQ(total(kept.result.peak), 4.0 * (100 + 2 + 1 + 100));
}

TEST(Fusion, ReductionsOverDevicesRunRightBehindTheirOperands) {
  // The all_reduce of %0 is last in the program, where lowering places it: before the use of its result.
  const Case c(R"(func.func @main(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
  })",
               "a=2");
  const FusedBlock fused = c.fused();
  ASSERT_EQ(fused.kernels.size(), 3U);
  EXPECT_EQ(fused.kernels[1].kind, Kernel::Kind::collective);
  EXPECT_DOUBLE_EQ(c.result.overlapped, 128 + std::max(128.0, 2 * 64 * 0.5 / 0.1)) << "the second product beside it";
}

TEST(Fusion, AttentionKernelsNeverStoreScores) {
  const std::string text =
      R"(func.func @main(%q: tensor<2x32x4xf32>, %k: tensor<2x32x4xf32>, %v: tensor<2x32x4xf32>) -> tensor<2x32x4xf32> {
    %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x32x4xf32>, tensor<2x32x4xf32>) -> tensor<2x32x32xf32>
    %1 = stablehlo.exponential %0 : tensor<2x32x32xf32>
    %2 = stablehlo.dot_general %1, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x32xf32>, tensor<2x32x4xf32>) -> tensor<2x32x4xf32>
    return %2 : tensor<2x32x4xf32>
  })";
  Case c(text);
  const double small = 4.0 * 2 * 32 * 4;
  const double scores = 4.0 * 2 * 32 * 32;
  EXPECT_DOUBLE_EQ(c.result.memory_traffic, 4 * small + 4 * scores);
  SimulationOptions options;
  options.software.attention["*"] = {1, false};
  const Simulation fused = value_or_throw(simulate(c.module, {}, slow_device(), options));
  EXPECT_DOUBLE_EQ(fused.memory_traffic, 4 * small);
  EXPECT_DOUBLE_EQ(total(fused.peak), 4 * small);
  EXPECT_DOUBLE_EQ(fused.flops, c.result.flops);
}

// --- Memory ---------------------------------------------------------------------------------------------------------

TEST(Memory, BuffersLiveFromTheirWriterToTheirLastReader) {
  // x, a and b are live at the second product, and x and b at the last.
  const char* dot =
      "stablehlo.dot_general {}, {}, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> "
      "tensor<4x4xf32>";
  const auto product = [&](const char* a, const char* b) { return fmt::format(fmt::runtime(dot), a, b); };
  const Case c(fmt::format(R"(func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{
    %a = {}
    %b = {}
    %c = {}
    return %c : tensor<4x4xf32>
  }})",
                           product("%x", "%x"), product("%a", "%a"), product("%b", "%b")));
  // The result has a buffer of its own from the start.
  EXPECT_EQ(total(c.result.peak), 64.0 * 4);
  ASSERT_EQ(c.result.timeline.size(), 3U);
  EXPECT_EQ(total(c.result.timeline[0].bytes), 64.0 * 3);
  EXPECT_EQ(total(c.result.timeline[1].bytes), 64.0 * 4);
  EXPECT_EQ(total(c.result.timeline[2].bytes), 64.0 * 3);
}

/// Two products, each reduced over two devices. With `early`, the first sum is read directly after its reduction.
std::string two_reductions(bool early) {
  const auto reduce = [](int channel, const char* result, const char* operand) {
    return fmt::format(
        R"(%{} = "stablehlo.all_reduce"(%{}) <{{channel_handle = #stablehlo.channel_handle<handle = {}, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}}> ({{
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
)",
        result, operand, channel);
  };
  const auto dot = [](const char* result, const char* a, const char* b) {
    return fmt::format(
        "%{} = stablehlo.dot_general %{}, %{}, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> "
        "tensor<4x4xf32>\n",
        result, a, b);
  };
  return "func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" + dot("a", "x", "x") + reduce(1, "ra", "a") +
         dot("b", early ? "ra" : "x", "x") + reduce(2, "rb", "b") + dot("c", "ra", "rb") +
         "return %c : tensor<4x4xf32>\n}";
}

TEST(Memory, CombinedReductionsHoldAllOperandsAndResults) {
  const auto peak = [](bool early, double bucket) {
    const Module module = value_or_throw(inline_calls(value_or_throw(read_module(two_reductions(early), "test.mlir"))));
    SimulationOptions options;
    options.mesh = value_or_throw(Mesh::parse("a=2"));
    options.software.bucket = bucket;
    const Names names = value_or_throw(names_of(**module.main(), std::nullopt, ""));
    return total(value_or_throw(simulate(module, names, slow_device(), options)).peak);
  };
  // x and the result are always live. Reduced separately, the sum of a is live together with b and its sum; combined,
  // both operands and both sums are live.
  EXPECT_EQ(peak(false, 0), 64.0 * 5);
  EXPECT_EQ(peak(false, 128), 64.0 * 6);
  EXPECT_EQ(peak(false, 127), 64.0 * 5);  // exceeds a bucket
  EXPECT_EQ(peak(true, 128), 64.0 * 5);   // the second operand is computed from the first sum
}

TEST(Memory, KindsAreToldApart) {
  const Case c(
      R"(func.func @main(%w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32} loc("params['w']"), %m: tensor<8x8xf32> {tf.aliasing_output = 1 : i32} loc("opt_state[0].mu"), %x: tensor<4x8xf32> loc("x")) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %m, %1 : tensor<8x8xf32>
    %3 = stablehlo.subtract %w, %2 : tensor<8x8xf32>
    return %3, %2 : tensor<8x8xf32>, tensor<8x8xf32>
  })");
  const auto of = [&](MemoryKind k) { return c.result.peak[static_cast<std::size_t>(k)]; };
  EXPECT_EQ(of(MemoryKind::parameters), 256);
  EXPECT_EQ(of(MemoryKind::optimizer_state), 256);
  EXPECT_EQ(of(MemoryKind::inputs), 128);
  EXPECT_EQ(of(MemoryKind::gradients), 256);
  EXPECT_EQ(of(MemoryKind::activations), 128);
}

TEST(Memory, BuffersAreCalledByTheScopesAroundThem) {
  const Case c(
      R"(func.func @main(%x: tensor<4x4xf32> loc("x")) -> tensor<4x4xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("jit(f)/jvp(layers)/0/mlp/dot_general")
    %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  })");
  std::vector<std::string> names;
  for (const NamedBuffer& b : c.result.live) names.push_back(b.name);
  EXPECT_EQ(names, (std::vector<std::string>{"layers/0/mlp/dot_general (line 2)", "dot_general (line 3)",
                                             "dot_general (line 4)", "x"}));
}

TEST(Memory, ALoopHoldsItsStateOnceAndItsBodysLargestMoment) {
  const Case c(counted("0", "LT", "10", "1"));
  // x belongs to the caller; the loop squares its own copy in place.
  EXPECT_EQ(total(c.result.peak), 16.0 + 4 + 16 + 4 + 4);
  double live = 0;
  for (const NamedBuffer& b : c.result.live) live += b.bytes;
  EXPECT_EQ(live, total(c.result.peak));
}

TEST(Memory, DonorsGiveTheirBuffersToResultsOfTheirType) {
  const auto peak = [](const char* attributes) {
    return total(Case(fmt::format(R"(func.func @main(%a: tensor<8xf32>{}, %b: tensor<4xf32>) -> tensor<8xf32> {{
      %0 = stablehlo.negate %a : tensor<8xf32>
      return %0 : tensor<8xf32>
    }})",
                                  attributes))
                     .result.peak);
  };
  EXPECT_EQ(peak(""), 4.0 * (8 + 4 + 8));
  EXPECT_EQ(peak(" {tf.aliasing_output = 0 : i32}"), 4.0 * (8 + 4));
  EXPECT_EQ(peak(" {jax.buffer_donor = true}"), 4.0 * (8 + 4));
  EXPECT_EQ(peak(" {jax.buffer_donor = false}"), 4.0 * (8 + 4 + 8));
}

// --- Collectives and time -------------------------------------------------------------------------------------------

std::string all_reduce(const std::string& groups) {
  return R"(func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<)" +
         groups + R"(xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  })";
}

TEST(Collectives, AxesAreFoundFromGroups) {
  const auto axes = [](const std::string& groups) {
    const Case c(all_reduce(groups), "a=2,b=2,c=2");
    std::string out;
    for (const std::string& a : c.result.collectives.at(0).axes) out += a;
    EXPECT_EQ(out.empty(), !c.result.notes.empty());
    return out;
  };
  EXPECT_EQ(axes("[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2"), "c");
  EXPECT_EQ(axes("[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2"), "a");
  EXPECT_EQ(axes("[[4, 0], [1, 5], [2, 6], [7, 3]]> : tensor<4x2"), "a") << "order within a group does not matter";
  EXPECT_EQ(axes("[[0, 1, 4, 5], [2, 3, 6, 7]]> : tensor<2x4"), "ac");
  EXPECT_EQ(axes("[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8"), "abc");
  EXPECT_EQ(axes("[[0, 3], [1, 2], [4, 7], [5, 6]]> : tensor<4x2"), "") << "a diagonal is no axis";
  EXPECT_EQ(axes("[[0, 1], [2, 3], [4, 6], [5, 7]]> : tensor<4x2"), "") << "not the same axis everywhere";
}

TEST(Collectives, CostByFormulaAndBytesByAxis) {
  const Case one(all_reduce("[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2"), "a=2,b=2,c=2");
  EXPECT_DOUBLE_EQ(one.result.communication, 2 * 32 * 0.5 / 0.1);
  EXPECT_DOUBLE_EQ(one.result.axis_bytes.at("c"), 32);
  const Case two(all_reduce("[[0, 1, 4, 5], [2, 3, 6, 7]]> : tensor<2x4"), "a=2,b=2,c=2");
  EXPECT_DOUBLE_EQ(two.result.axis_bytes.at("c"), 32);
  EXPECT_DOUBLE_EQ(two.result.axis_bytes.at("a"), 16) << "after the inner axis each device has half";
}

TEST(Time, IsTheSumOfItsPartsAndOverlapHidesWhatNobodyWaitsFor) {
  PartitionCase p(
      R"(func.func @main(%w1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %x, %w2, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  })",
      "batch=4", R"({"name": "BP", "axis": "batch", "inputs": {"arg2": 0}})");
  const Module m = stablehlo_module(p.spmd, p.module);
  SimulationOptions options;
  options.events = true;
  const Simulation s = value_or_throw(simulate(m, {}, slow_device(), options));
  // Products of 8x2 by 2x8 and of 2x8 by 8x8: 256 FLOPs each, and 4 (16 + 64) and 4 (16 + 64 + 16) bytes.
  EXPECT_DOUBLE_EQ(s.matrix_flops, 512);
  EXPECT_DOUBLE_EQ(s.compute, 0);
  EXPECT_DOUBLE_EQ(s.memory, 320 + 384);
  EXPECT_DOUBLE_EQ(s.communication, 2 * 256 * 0.75 / 0.1);
  EXPECT_DOUBLE_EQ(s.sequential, s.compute + s.memory + s.communication);
  EXPECT_DOUBLE_EQ(s.overlapped, 320 + s.communication) << "the second product runs beside the all_reduce of the first";
  EXPECT_NE(s.collectives.at(0).why.find("partial values along batch"), std::string::npos) << s.collectives[0].why;

  const auto trace = nlohmann::json::parse(chrome_trace(s));
  double end = 0;
  std::size_t complete = 0;
  for (const auto& e : trace["traceEvents"]) {
    if (e["ph"] != "X") continue;
    ++complete;
    end = std::max(end, e["ts"].get<double>() + e["dur"].get<double>());
  }
  EXPECT_EQ(complete, 3U);
  EXPECT_DOUBLE_EQ(end, s.overlapped * 1e6);
}

TEST(Time, LinksThatDecomposeRunCollectivesBesideTheProductsAroundThem) {
  const std::string text = R"(func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  })";
  // Products of 1024 FLOPs against 512 and 768 bytes; the all_reduce sends 2 x 256 x 1/2 bytes at 0.1 bytes a second.
  const Case whole(text, "a=2");
  EXPECT_DOUBLE_EQ(whole.result.sequential, 1024 + 2560 + 1024);
  EXPECT_DOUBLE_EQ(whole.result.overlapped, whole.result.sequential);
  Device pieces = slow_device();
  pieces.links[0].decomposes = true;
  EXPECT_DOUBLE_EQ(Case(text, "a=2", pieces).result.overlapped, 2560) << "1024 of each half of 1280 beside a product";
}

TEST(Time, SoftwareThatCopiesWhatItReducesTakesKernelsForIt) {
  const std::string text = R"(func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {
    %1 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  })";
  const auto with = [&](double copies) {
    const Module module = value_or_throw(read_module(text, "test.mlir"));
    SimulationOptions options;
    options.mesh = value_or_throw(Mesh::parse("a=2"));
    options.software.reduce_copies = copies;
    return value_or_throw(
        simulate(module, value_or_throw(names_of(**module.main(), std::nullopt, "")), slow_device(), options));
  };
  EXPECT_DOUBLE_EQ(with(3).sequential - with(0).sequential, 3 * 32.0);
  EXPECT_DOUBLE_EQ(with(3).memory - with(0).memory, 3 * 32.0);
  EXPECT_DOUBLE_EQ(with(3).communication, with(0).communication);
}

TEST(Time, OfBranchesIsTheLongest) {
  const Case c(R"(func.func @main(%p: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.if"(%p) ({
      %1 = stablehlo.negate %x : tensor<8xf32>
      stablehlo.return %1 : tensor<8xf32>
    }, {
      %1 = stablehlo.constant dense<0.0> : tensor<8xf32>
      stablehlo.return %1 : tensor<8xf32>
    }) : (tensor<i1>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  })");
  EXPECT_DOUBLE_EQ(c.result.sequential, 64);
  EXPECT_DOUBLE_EQ(c.result.flops, 8);
  ASSERT_EQ(c.result.notes.size(), 1U);
}

TEST(Time, WhatHasNoMeaningIsSaid) {
  const Case c(R"(func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @mystery(%x) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  })");
  EXPECT_DOUBLE_EQ(c.result.memory_traffic, 64);
  ASSERT_EQ(c.result.notes.size(), 1U);
  EXPECT_NE(c.result.notes[0].find("the arithmetic of stablehlo.custom_call @mystery"), std::string::npos)
      << c.result.notes[0];
}

TEST(Time, LoopsCountByTheirTrips) {
  const Case ten(counted("0", "LT", "10", "1"));
  const Case twenty(counted("0", "LT", "20", "1"));
  const Case thirty(counted("0", "LT", "30", "1"));
  EXPECT_GT(twenty.result.sequential, ten.result.sequential);
  const Simulation& r = ten.result;
  EXPECT_DOUBLE_EQ(r.sequential, r.compute + r.memory + r.launch + r.communication);
  EXPECT_DOUBLE_EQ(thirty.result.sequential - twenty.result.sequential,
                   twenty.result.sequential - ten.result.sequential);
  // A multiplication of four elements and an addition in each iteration; one comparison for each iteration and one
  // more.
  EXPECT_DOUBLE_EQ(ten.result.flops, 10 * (4 + 1) + 11);
  EXPECT_DOUBLE_EQ(twenty.result.flops, 20 * (4 + 1) + 21);
  EXPECT_DOUBLE_EQ(total(twenty.result.peak), total(ten.result.peak));
}

TEST(Time, PaddingToTilesIsWork) {
  const std::string text = R"(func.func @main(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
    return %0 : tensor<100x100xf32>
  })";
  Device padded = slow_device();
  padded.tile = {4, 128, 64};
  const double plain = Case(text).result.compute;
  EXPECT_DOUBLE_EQ(plain, 2e6);
  EXPECT_DOUBLE_EQ(Case(text, "", padded).result.compute, plain * 1.28 * 1.28);
}

}  // namespace
}  // namespace partir
