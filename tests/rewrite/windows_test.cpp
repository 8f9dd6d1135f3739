// Windows, scans and shifts along a tiled dimension: the collectives that they bring, proved, and with the source's
// values.
#include "semantics/interpreter.h"
#include "tests/partitioned.h"

namespace partir::windows {
namespace {

using testing::no_clock, testing::tile;

Partition partitioned(const std::string& program, const std::string& mesh, const std::string& tactics) {
  return testing::partitioned(program, mesh, tactics).partition;
}

/// Two convolutions, one after the other, on images [2, rows, 4, 2].
std::string two_convolutions(std::int64_t rows, std::int64_t first, std::int64_t second) {
  const std::string x = fmt::format("tensor<2x{}x4x2xf32>", rows);
  const auto convolution = [&](const char* out, const char* in, const char* k, std::int64_t size) {
    return fmt::format(
        "  %{0} = stablehlo.convolution(%{1}, %{2}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
        "{{stride = "
        "[1, 1], pad = [[{3}, {3}], [0, 0]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({4}, "
        "tensor<{5}x1x2x2xf32>) -> {4}\n",
        out, in, k, size / 2, x, size);
  };
  return fmt::format("func.func @main(%x: {0}, %k: tensor<{1}x1x2x2xf32>, %l: tensor<{2}x1x2x2xf32>) -> {0} {{\n", x,
                     first, second) +
         convolution("0", "x", "k", first) + fmt::format("  %1 = stablehlo.tanh %0 : {}\n", x) +
         convolution("2", "1", "l", second) + fmt::format("  return %2 : {}\n}}\n", x);
}

TEST(Windows, TakeTheRowsTheyNeedOfTheirNeighbours) {
  const Partition p = partitioned(two_convolutions(8, 3, 3), "a=4", tile("a", R"("arg0": 1)"));
  EXPECT_EQ(p.collectives.str(), "4 collective_permute");
  EXPECT_TRUE(p.tactics[0].conflicts.empty());
  // A window of 5 over chunks of one row: two neighbours on each side.
  EXPECT_EQ(partitioned(two_convolutions(4, 5, 1), "a=4", tile("a", R"("arg0": 1)")).collectives.str(),
            "4 collective_permute");
}

TEST(Windows, AreInBlocksOfSeveralAxes) {
  const std::string program = two_convolutions(8, 3, 3);
  EXPECT_EQ(
      partitioned(program, "a=2,b=2", tile("a", R"("arg0": 1)") + "," + tile("b", R"("arg0": 1)")).collectives.str(),
      "4 collective_permute");
  EXPECT_EQ(
      partitioned(program, "a=2,b=2", tile("b", R"("arg0": 1)") + "," + tile("a", R"("arg0": 1)")).collectives.str(),
      "4 collective_permute");
  // Beside the batch and the features, whichever comes first.
  const std::string batch = tile("b", R"("arg0": 0)");
  const std::string rows = tile("a", R"("arg0": 1)");
  EXPECT_EQ(partitioned(program, "a=4,b=2", batch + "," + rows).collectives.str(), "4 collective_permute");
  EXPECT_EQ(partitioned(program, "a=4,b=2", rows + "," + batch).collectives.str(), "4 collective_permute");
}

TEST(Windows, NeighboursRowsAreSentOnce) {
  const std::string program = two_convolutions(8, 3, 3);
  std::string both = program;
  both.replace(both.find("(%1, %l)"), 8, "(%x, %l)");  // two readers of one image
  EXPECT_EQ(partitioned(both, "a=4", tile("a", R"("arg0": 1)")).collectives.str(), "2 collective_permute");
}

TEST(Windows, OfWhichBlocksAreNotWholeAreGathered) {
  const char* valid = R"(
func.func @main(%x: tensor<1x8x2xf32>, %k: tensor<3x2x2xf32>) -> tensor<1x6x2xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x2xf32>) -> tensor<1x6x2xf32>
  return %0 : tensor<1x6x2xf32>
})";
  EXPECT_EQ(partitioned(valid, "a=2", tile("a", R"("arg0": 1)")).collectives.str(), "1 all_gather");
}

const char* kCumulative = R"(
func.func @main(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 8, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
})";

TEST(Windows, ScansSendTheirTotals) {
  const Partition p = partitioned(kCumulative, "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.collectives.str(), "1 all_gather");
  EXPECT_NE(p.stablehlo.find("(tensor<1x2xf32>) -> tensor<4x2xf32>"), std::string::npos) << p.stablehlo;
}

TEST(Windows, WhatEntersAPipelineShiftsTheRest) {
  const char* push = R"(
func.func @main(%x: tensor<8x2xf32>, %new: tensor<1x2xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.slice %x [0:7, 0:2] : (tensor<8x2xf32>) -> tensor<7x2xf32>
  %1 = stablehlo.concatenate %new, %0, dim = 0 : (tensor<1x2xf32>, tensor<7x2xf32>) -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
})";
  EXPECT_EQ(partitioned(push, "a=8", tile("a", R"("arg0": 0)")).collectives.str(), "1 collective_permute");
  EXPECT_EQ(partitioned(push, "a=2", tile("a", R"("arg0": 0)")).collectives.str(), "1 collective_permute");
}

std::string shift(std::int64_t by) {
  return fmt::format(
      "func.func @main(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {{\n  %z = stablehlo.constant dense<0.0> : "
      "tensor<f32>\n  %0 = "
      "stablehlo.pad %x, %z, low = [{}, 0], high = [{}, 0], interior = [0, 0] : (tensor<8x2xf32>, tensor<f32>) -> "
      "tensor<8x2xf32>\n  return %0 : tensor<8x2xf32>\n}}\n",
      by, -by);
}

TEST(Windows, ShiftsByWholeChunksArePermutes) {
  const std::string tactic = tile("a", R"("arg0": 0)");
  const Partition p = partitioned(shift(4), "a=4", tactic);
  EXPECT_EQ(p.collectives.str(), "1 collective_permute");
  EXPECT_TRUE(p.certificate.by_offsets.empty());
  // Of chunks of two rows, one row is sent, or two of two devices.
  EXPECT_EQ(partitioned(shift(1), "a=4", tactic).collectives.str(), "1 collective_permute");
  EXPECT_EQ(partitioned(shift(-3), "a=4", tactic).collectives.str(), "2 collective_permute");
}

TEST(Windows, ShiftsInCoreAreOfAll) {
  for (const std::int64_t by : {4, -2}) {
    const Module module = value_or_throw(read_module(shift(by), "test.mlir"));
    PartitionInput input;
    input.text = shift(by);
    input.file = "test.mlir";
    input.schedule = R"({"tactics": [)" + tile("a", R"("arg0": 0)") + "," + tile("b", R"("arg0": 0)") + "]}";
    input.schedule_file = "test.json";
    input.mesh = "a=2,b=2";
    const Partition p = value_or_throw(partition(input, Emit::core, no_clock));
    const Module core_module = value_or_throw(read_module(p.core, "core.mlir"));
    const Function& core = core_module.functions[0];
    const std::vector<Tensor> inputs = {random_tensor({ElementType::f32, {8, 2}}, 1, 0, modular_domain())};
    const auto wanted = value_or_throw(run_sequential(module.functions[0], inputs, modular_domain()));
    const auto found = value_or_throw(run_sequential(core, inputs, modular_domain()));
    EXPECT_EQ(difference(found.at(0), wanted.at(0), modular_domain()).elements, 0);
  }
}

}  // namespace
}  // namespace partir::windows
