// What operations compute: their FLOPs in closed forms, by element type, and what that costs on devices.
#include "simulate/operation_cost.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "simulate/kernel_cost.h"
#include "simulate/simulate.h"

namespace partir {
namespace {

/// The cost of the last operation before a function's return.
struct Cost {
  Module module;
  OperationCosts costs;
  explicit Cost(const std::string& text)
      : module(value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))))) {}
  const OperationCost& operator*() {
    const Function& f = *value_or_throw(module.main());
    return costs.of(f, f.body.ops[f.body.ops.size() - 2]);
  }
};

std::string product(const std::string& type, const std::string& result, const std::string& extra = "") {
  return fmt::format(R"(func.func @main(%a: tensor<4x8x{0}>, %b: tensor<8x16x{0}>) -> tensor<4x16x{1}> {{
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]{2} : (tensor<4x8x{0}>, tensor<8x16x{0}>) -> tensor<4x16x{1}>
    return %0 : tensor<4x16x{1}>
  }})",
                     type, result, extra);
}

TEST(OperationCost, IntegerProductsAreWork) {
  Cost c(product("i8", "i32"));
  EXPECT_EQ((*c).operations, 2.0 * 4 * 8 * 16);
  EXPECT_EQ((*c).matrix->numbers, "i8");
}

TEST(OperationCost, AComplexProductIsFourRealOnes) {
  Cost c(product("complex<f32>", "complex<f32>"));
  EXPECT_EQ((*c).operations, 8.0 * 4 * 8 * 16);
  EXPECT_EQ((*c).matrix->numbers, "f32");
}

TEST(OperationCost, TheAlgorithmSaysWhatIsMultipliedAndHowOften) {
  const char* three =
      ", algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, "
      "lhs_component_count = 2, rhs_component_count = 2, num_primitive_operations = 3, "
      "allow_imprecise_accumulation = false>";
  Cost c(product("f32", "f32", three));
  EXPECT_EQ((*c).operations, 3 * 2.0 * 4 * 8 * 16);
  EXPECT_EQ((*c).matrix->numbers, "bf16");
}

TEST(OperationCost, PairsOfAConvolutionAreThoseThatMeetAnElement) {
  EXPECT_EQ(convolution_pairs(8, 6, 3, 1, 0, 1, 1), 18) << "no padding: all of them";
  EXPECT_EQ(convolution_pairs(8, 8, 3, 1, 1, 1, 1), 22) << "one tap stands in the padding at each end";
  EXPECT_EQ(convolution_pairs(4, 7, 3, 1, 1, 2, 1), 10) << "a dilated input: holes are no products";
  EXPECT_EQ(convolution_pairs(9, 3, 3, 3, 0, 1, 1), 9);
  EXPECT_EQ(convolution_pairs(9, 5, 3, 1, 0, 1, 2), 15) << "a dilated window";
  EXPECT_EQ(convolution_pairs(5, 4, 1, 1, -1, 1, 1), 4) << "negative padding cuts";
  // Compared with an enumeration, for all small windows.
  for (std::int64_t stride = 1; stride <= 3; ++stride) {
    for (std::int64_t base = 1; base <= 4; ++base) {
      for (std::int64_t window = 1; window <= 3; ++window) {
        for (std::int64_t low = -2; low <= 3; ++low) {
          double wanted = 0;
          for (std::int64_t i = 0; i < 7; ++i) {
            for (std::int64_t t = 0; t < 4; ++t) {
              const std::int64_t p = i * stride + t * window - low;
              if (p >= 0 && p % base == 0 && p / base < 5) ++wanted;
            }
          }
          EXPECT_EQ(convolution_pairs(5, 7, 4, stride, low, base, window), wanted)
              << stride << ' ' << base << ' ' << window << ' ' << low;
        }
      }
    }
  }
}

TEST(OperationCost, GroupsOfAConvolutionCostAtMostAsMuchAsWithoutGroups) {
  const auto seconds = [](int features, int groups) {
    const Module module = value_or_throw(read_module(
        fmt::format(
            R"(module attributes {{mhlo.num_partitions = 1 : i32, mhlo.frontend_attributes = {{partir.mesh = "a=1"}}}} {{
        func.func @main(%x: tensor<8x64x64x64xf32> {{mhlo.frontend_attributes = {{partir.sharding = "[{{}}, {{}}, {{}}, {{}}]"}}}}, %w: tensor<3x3x{0}x64xf32> {{mhlo.frontend_attributes = {{partir.sharding = "[{{}}, {{}}, {{}}, {{}}]"}}}}) -> (tensor<8x64x64x64xf32> {{mhlo.frontend_attributes = {{partir.sharding = "[{{}}, {{}}, {{}}, {{}}]"}}}}) {{
        %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = {1} : i64}} : (tensor<8x64x64x64xf32>, tensor<3x3x{0}x64xf32>) -> tensor<8x64x64x64xf32>
        return %0 : tensor<8x64x64x64xf32>
      }} }})",
            features, groups),
        "test.mlir"));
    return value_or_throw(simulate(module, {}, value_or_throw(find_device("a100")), {})).sequential;
  };
  const double dense = seconds(64, 1);
  for (const int groups : {2, 8, 32, 64}) EXPECT_LE(seconds(64 / groups, groups), 1.01 * dense) << groups;
}

TEST(OperationCost, CallsOfLapackCostAsTheOperations) {
  const auto call = [](const char* target) {
    Cost c(
        fmt::format("func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {{\n  %0 = stablehlo.custom_call "
                    "@{}(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>\n  return %0 : tensor<64x64xf32>\n}}\n",
                    target));
    return std::pair((*c).operations, (*c).known);
  };
  EXPECT_DOUBLE_EQ(call("lapack_spotrf_ffi").first, 64.0 * 64 * 64 / 3);
  EXPECT_FALSE(call("lapack_sgesdd_ffi").second);
}

TEST(OperationCost, OfADilatedConvolutionLeavesOutTheHoles) {
  // The gradient of a convolution of stride 2: a quarter of the positions of an input dilated by 2 is not padding.
  Cost c(R"(func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<2x2x4x16xf32>) -> tensor<1x16x16x16xf32> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<2x2x4x16xf32>) -> tensor<1x16x16x16xf32>
    return %0 : tensor<1x16x16x16xf32>
  })");
  EXPECT_EQ((*c).operations, 2.0 * 16 * 16 * 4 * 16) << "each of 16 x 16 places meets one of the four taps";
}

TEST(OperationCost, OfAGroupedConvolutionIsThatOfItsGroups) {
  Cost c(R"(func.func @main(%x: tensor<1x8x8x32xf32>, %w: tensor<3x3x1x32xf32>) -> tensor<1x6x6x32xf32> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x6x6x32xf32>
    return %0 : tensor<1x6x6x32xf32>
  })");
  EXPECT_EQ((*c).operations, 2.0 * 6 * 6 * 32 * 9);
  EXPECT_EQ((*c).matrix->shape.batch, 32);
  EXPECT_EQ((*c).matrix->shape.depth, 9);
}

TEST(OperationCost, LibraryFunctionsFollowTheirClosedForms) {
  Cost sort(R"(func.func @main(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
    %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<4x1024xf32>) -> tensor<4x1024xf32>
    return %0 : tensor<4x1024xf32>
  })");
  EXPECT_EQ((*sort).operations, 4096.0 / 4 * 10 * 11);
  EXPECT_EQ((*sort).passes, 1);
  Cost fft(R"(func.func @main(%x: tensor<3x256xcomplex<f32>>) -> tensor<3x256xcomplex<f32>> {
    %0 = stablehlo.fft %x, type = FFT, length = [256] : (tensor<3x256xcomplex<f32>>) -> tensor<3x256xcomplex<f32>>
    return %0 : tensor<3x256xcomplex<f32>>
  })");
  EXPECT_EQ((*fft).operations, 5.0 * 3 * 256 * 8);
  Cost cholesky(R"(func.func @main(%x: tensor<2x30x30xf32>) -> tensor<2x30x30xf32> {
    %0 = stablehlo.cholesky %x, lower = true : tensor<2x30x30xf32>
    return %0 : tensor<2x30x30xf32>
  })");
  EXPECT_EQ((*cholesky).operations, 2 * 30.0 * 30 * 30 / 3);
}

TEST(OperationCost, SpecialFunctionsAreToldApart) {
  Cost c(R"(func.func @main(%x: tensor<10xf32>) -> tensor<10xf32> {
    %0 = stablehlo.exponential %x : tensor<10xf32>
    return %0 : tensor<10xf32>
  })");
  EXPECT_EQ((*c).special, 10);
  EXPECT_EQ((*c).operations, 0);
}

// --- On devices -----------------------------------------------------------------------------------------------------

Result<Simulation> on(const std::string& name, const std::string& text) {
  Device device = value_or_throw(find_device(name));
  device.sustained = 1;  // the peak of one product by itself
  const Module m = value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
  SimulationOptions options;
  options.mesh = value_or_throw(Mesh::parse("a=1"));
  return simulate(m, {}, device, options);
}

std::string large(const std::string& type, const std::string& result, const std::string& extra = "") {
  return fmt::format(R"(func.func @main(%a: tensor<8192x8192x{0}>) -> tensor<8192x8192x{1}> {{
    %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]{2} : (tensor<8192x8192x{0}>, tensor<8192x8192x{0}>) -> tensor<8192x8192x{1}>
    return %0 : tensor<8192x8192x{1}>
  }})",
                     type, result, extra);
}

TEST(Devices, ComputeEachTypeAtItsOwnPeak) {
  const auto seconds = [](const std::string& device, const std::string& type, const std::string& result) {
    return value_or_throw(on(device, large(type, result))).compute;
  };
  EXPECT_NEAR(seconds("a100", "bf16", "bf16") / seconds("a100", "i8", "i32"), 2, 1e-9);
  EXPECT_NEAR(seconds("h100", "bf16", "bf16") / seconds("h100", "f8E4M3FN", "bf16"), 1979.0 / 989.4, 1e-3);
  EXPECT_NEAR(seconds("a100", "f64", "f64") / seconds("a100", "bf16", "bf16"), 312 / 19.5, 1e-9);
  EXPECT_NEAR(seconds("b200", "f8E4M3FN", "bf16") / seconds("b200", "f4E2M1FN", "bf16"), 2, 1e-9);
  EXPECT_NEAR(seconds("b200", "f8E4M3FN", "bf16") / seconds("b200", "f6E3M2FN", "bf16"), 1, 1e-9);
}

TEST(Devices, EmulateWhatTheyHaveNoUnitsForAndSayIt) {
  const Simulation f8 = value_or_throw(on("a100", large("f8E4M3FN", "bf16")));
  const Simulation bf16 = value_or_throw(on("a100", large("bf16", "bf16")));
  EXPECT_DOUBLE_EQ(f8.compute, bf16.compute);
  ASSERT_EQ(f8.notes.size(), 1U);
  EXPECT_NE(f8.notes[0].find("f8E4M3FN as bf16"), std::string::npos) << f8.notes[0];
  const Simulation f64 = value_or_throw(on("tpu_v4", large("f64", "f64")));
  EXPECT_GT(f64.compute, 100 * value_or_throw(on("tpu_v4", large("bf16", "bf16"))).compute);
  EXPECT_FALSE(f64.notes.empty());
  for (const auto& [device, type, as] : {std::tuple("tpu_v5e", "f16", "bf16"),
                                         {"h100", "f4E2M1FN", "f8"},
                                         {"a100", "i1", "i8"},
                                         {"tpu_v3", "i1", "bf16"}}) {
    const std::string result = type == std::string("i1") ? "i32" : "f32";
    const Simulation s = value_or_throw(on(device, large(type, result)));
    ASSERT_EQ(s.notes.size(), 1U) << device << " " << type;
    EXPECT_NE(s.notes[0].find(fmt::format("{} as {}", type, as)), std::string::npos) << s.notes[0];
  }
}

TEST(Devices, RefuseWhatTheyNeitherHaveNorEmulate) {
  const auto tf32 = on("tpu_v4", large("f32", "f32",
                                       ", algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, "
                                       "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
                                       "num_primitive_operations = 1, allow_imprecise_accumulation = false>"));
  ASSERT_FALSE(tf32.has_value());
  EXPECT_NE(tf32.error().found.find("tf32 on tpu_v4"), std::string::npos) << tf32.error().text();
}

// bf16[8192, 8192] by itself takes 1.329 ms on a TPU v6e (github.com/AI-Hypercomputer/tpu-recipes,
// microbenchmarks/README.md, timed on the device), 827 TFLOP/s.
TEST(Devices, MeetThePublishedProductOnTpuV6e) {
  const Simulation s = value_or_throw(on("tpu_v6e", large("bf16", "bf16")));
  EXPECT_NEAR(s.overlapped, 1.328756e-3, 0.1 * 1.328756e-3);
}

}  // namespace
}  // namespace partir
