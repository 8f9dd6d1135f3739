// Microbatches: where a reshape splits a batch and a loop steps through the parts, the tile moves to the rows of each
// microbatch, so that all devices work in every iteration.
#include "rewrite/microbatches.h"

#include <fmt/format.h>

#include "tests/partition_case.h"

namespace partir {
namespace {

/// Returns a loop that sums the rows of each microbatch: `cut` computes %cut from %x, `taken` computes %row from it.
std::string accumulation(const std::string& x, const std::string& cut, const std::string& shape,
                         const std::string& taken) {
  return fmt::format(R"(
func.func @main(%x: tensor<{0}xf32>) -> tensor<3xf32> {{
  {1}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<3xf32>
  %0:3 = stablehlo.while(%xs = %cut, %i = %zero, %sum = %none) : tensor<{2}xf32>, tensor<i32>, tensor<3xf32>
  cond {{
    %n = stablehlo.constant dense<4> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %start = stablehlo.constant dense<0> : tensor<i32>
    {3}
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %here = stablehlo.reduce(%row init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x8x3xf32>, tensor<f32>) -> tensor<3xf32>
    %next = stablehlo.add %sum, %here : tensor<3xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %xs, %j, %next : tensor<{2}xf32>, tensor<i32>, tensor<3xf32>
  }}
  return %0#2 : tensor<3xf32>
}})",
                     x, cut, shape, taken);
}

const char* const kTaken =
    "%row = stablehlo.dynamic_slice %xs, %i, %start, %start, sizes = [1, 8, 3] : "
    "(tensor<4x8x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x3xf32>";
const char* const kCut = "%cut = stablehlo.reshape %x : (tensor<32x3xf32>) -> tensor<4x8x3xf32>";
const char* const kRows = R"({"name": "BP", "axis": "a", "inputs": {"arg0": 0}})";

/// Returns the collectives and the layout of the loop's argument.
std::string outcome(const PartitionCase& c) {
  const Op& loop = *find_op(c.spmd.function.body, [](const Op& op) { return runs_regions(op); });
  return c.counts() + " " + c.spmd.layouts[loop.regions[1].arguments[0].index()]->str(c.spmd.mesh);
}

/// Tiled along the microbatches, a single device would hold each one; tiled along its rows, all devices work on it.
TEST(Microbatches, TheTileMovesToTheRowsOfEachOne) {
  const PartitionCase c(accumulation("32x3", kCut, "4x8x3", kTaken), "a=4", kRows);
  EXPECT_EQ(c.argument(0), "[{a}, {}]");
  EXPECT_EQ(outcome(c), "1 all_reduce, 1 all_to_all [{}, {a}, {}]");
}

/// With 4 microbatches and 8 devices, only the rows of each microbatch can be tiled.
TEST(Microbatches, AlsoWhereTheAxisDoesNotDivideTheirNumber) {
  const PartitionCase c(accumulation("32x3", kCut, "4x8x3", kTaken), "a=8", kRows);
  EXPECT_EQ(outcome(c), "1 all_gather, 1 all_reduce [{}, {a}, {}]");
}

TEST(Microbatches, OperationsThatCarryBothTilesMayStandBetween) {
  const std::string carried = "%xs = %cut";
  const auto with = [&](const std::string& between, const char* mesh = "a=4") {
    const std::string text = accumulation("32x3", std::string(kCut) + "\n" + between, "4x8x3", kTaken);
    return outcome(
        PartitionCase(std::string(text).replace(text.find(carried), carried.size(), "%xs = %made"), mesh, kRows));
  };
  EXPECT_EQ(with("%two = stablehlo.constant dense<2.0> : tensor<4x8x3xf32>\n"
                 "%made = stablehlo.multiply %two, %cut : tensor<4x8x3xf32>"),
            "1 all_reduce, 1 all_to_all [{}, {a}, {}]");
  EXPECT_EQ(with("%made = stablehlo.negate %cut : tensor<4x8x3xf32>", "a=8"),
            "1 all_gather, 1 all_reduce [{}, {a}, {}]");
  EXPECT_EQ(with("%w = stablehlo.constant dense<2.0> : tensor<3x3xf32>\n"
                 "%made = stablehlo.dot_general %cut, %w, contracting_dims = [2] x [0] : (tensor<4x8x3xf32>, "
                 "tensor<3x3xf32>) -> tensor<4x8x3xf32>"),
            "1 all_reduce, 1 all_to_all [{}, {a}, {}]");
  EXPECT_EQ(with("%made = stablehlo.reverse %cut, dims = [1] : tensor<4x8x3xf32>"),
            "1 all_reduce, 1 all_to_all [{}, {a}, {}]")
      << "a reversal carries a tile of what it reverses, too, in blocks";
}

/// `shape` is the shape to which %x (32x3) is reshaped; one microbatch is everything but its first dimension.
std::string cut_into(const std::string& shape, const std::string& taken) {
  const std::string cut = fmt::format("%cut = stablehlo.reshape %x : (tensor<32x3xf32>) -> tensor<{}xf32>", shape);
  const std::string row = fmt::format(
      "%few = stablehlo.dynamic_slice %xs, %i, {0}, sizes = [1, {1}] : (tensor<{2}xf32>, tensor<i32>, {3}) -> "
      "tensor<1x{4}xf32>\n%row = stablehlo.reshape %few : (tensor<1x{4}xf32>) -> tensor<1x8x3xf32>",
      taken == "4, 2, 3" ? "%start, %start, %start" : "%start", taken, shape,
      taken == "4, 2, 3" ? "tensor<i32>, tensor<i32>, tensor<i32>" : "tensor<i32>",
      taken == "4, 2, 3" ? "4x2x3" : "24");
  return accumulation("32x3", cut, shape, row);
}

TEST(Microbatches, MayBeCutAgainBehindTheirRows) {
  EXPECT_EQ(outcome(PartitionCase(cut_into("4x4x2x3", "4, 2, 3"), "a=4", kRows)),
            "1 all_reduce, 1 all_to_all [{}, {a}, {}, {}]");
}

/// A microbatch with rows and columns merged has no dimension of rows.
TEST(Microbatches, RowsThatAreCutWithTheirColumnsAreNone) {
  EXPECT_EQ(outcome(PartitionCase(cut_into("4x24", "24"), "a=4", kRows)), "1 all_gather [{a}, {}]");
}

/// Microbatches of 2 rows cannot be tiled over 4 devices, so that the requested tile remains.
TEST(Microbatches, WhatTheRowsDoNotDivideStaysAsItCame) {
  const std::string taken =
      "%few = stablehlo.dynamic_slice %xs, %i, %start, %start, sizes = [1, 2, 3] : "
      "(tensor<16x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>\n"
      "%row = stablehlo.concatenate %few, %few, %few, %few, dim = 1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, "
      "tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x8x3xf32>";
  const PartitionCase c(
      accumulation("32x3", "%cut = stablehlo.reshape %x : (tensor<32x3xf32>) -> tensor<16x2x3xf32>", "16x2x3", taken),
      "a=4", kRows);
  EXPECT_EQ(outcome(c), "1 all_gather [{a}, {}, {}]");
}

/// The argument's own dimension was requested; it is not a batch that the program splits.
TEST(Microbatches, AnArgumentThatNoReshapeCutKeepsTheTileThatWasAskedFor) {
  const PartitionCase c(accumulation("4x8x3", "%cut = stablehlo.negate %x : tensor<4x8x3xf32>", "4x8x3", kTaken), "a=4",
                        kRows);
  EXPECT_EQ(outcome(c), "1 all_gather [{a}, {}, {}]");
}

/// The body reads two microbatches at once as well, so that the dimension is not stepped through.
TEST(Microbatches, ALoopThatReadsAllOfThemStepsThroughNone) {
  const std::string taken = std::string(kTaken) +
                            "\n%two = stablehlo.slice %xs [0:2, 0:8, 0:3] : (tensor<4x8x3xf32>) -> tensor<2x8x3xf32>\n"
                            "%other = stablehlo.slice %two [1:2, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>\n"
                            "%unused = stablehlo.add %row, %other : tensor<1x8x3xf32>";
  const std::string text = accumulation("32x3", kCut, "4x8x3", taken);
  const std::string row = "reduce(%row ";
  const PartitionCase c(std::string(text).replace(text.find(row), row.size(), "reduce(%unused "), "a=4", kRows);
  const Op& loop = *find_op(c.spmd.function.body, [](const Op& op) { return runs_regions(op); });
  EXPECT_EQ(c.spmd.layouts[loop.regions[1].arguments[0].index()]->str(c.spmd.mesh), "[{a}, {}, {}]");
}

/// Microbatches of a loop that Python has unrolled: static slices, each read through `taken`.
std::string unrolled(const std::string& taken, const std::string& start = "0.0") {
  std::string text = R"(func.func @main(%x: tensor<32x3xf32>, %w: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %zero = stablehlo.constant dense<)" +
                     start +
                     R"(> : tensor<f32>
  %sum0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
  %cut = stablehlo.reshape %x : (tensor<32x3xf32>) -> tensor<4x8x3xf32>
)";
  for (int k = 0; k < 4; ++k) {
    text += fmt::format(fmt::runtime(taken), fmt::arg("k", k), fmt::arg("next", k + 1));
    text += fmt::format(
        "%y{0} = stablehlo.dot_general %r{0}, %w, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x5xf32>) -> "
        "tensor<8x5xf32>\n"
        "%g{0} = stablehlo.dot_general %r{0}, %y{0}, contracting_dims = [0] x [0] : (tensor<8x3xf32>, "
        "tensor<8x5xf32>) -> tensor<3x5xf32>\n"
        "%sum{1} = stablehlo.add %sum{0}, %g{0} : tensor<3x5xf32>\n",
        k, k + 1);
  }
  return text + "return %sum4 : tensor<3x5xf32>\n}\n";
}

/// The rows of all microbatches are exchanged once, and a sum that begins with zeros is reduced once.
TEST(Microbatches, OfAnUnrolledLoopAreTiledByRows) {
  const std::string taken =
      "%s{k} = stablehlo.slice %cut [{k}:{next}, 0:8, 0:3] : (tensor<4x8x3xf32>) -> tensor<1x8x3xf32>\n"
      "%r{k} = stablehlo.reshape %s{k} : (tensor<1x8x3xf32>) -> tensor<8x3xf32>\n";
  const auto counts = [&](const std::string& start) {
    const PartitionCase c(unrolled(taken, start), "a=4", kRows);
    return count_collectives(c.spmd.function).str();
  };
  EXPECT_EQ(counts("0.0"), "1 all_reduce, 1 all_to_all");
  EXPECT_EQ(counts("1.0"), "4 all_reduce, 1 all_to_all");
}

/// A slice of two of them shows no microbatches.
TEST(Microbatches, SlicesOfSeveralPositionsTakeNone) {
  const PartitionCase c(unrolled("%s{k} = stablehlo.slice %cut [1:3, 0:8, 0:3] : (tensor<4x8x3xf32>) -> "
                                 "tensor<2x8x3xf32>\n"
                                 "%t{k} = stablehlo.slice %s{k} [0:1, 0:8, 0:3] : (tensor<2x8x3xf32>) -> "
                                 "tensor<1x8x3xf32>\n"
                                 "%r{k} = stablehlo.reshape %t{k} : (tensor<1x8x3xf32>) -> tensor<8x3xf32>\n"),
                        "a=4", kRows);
  EXPECT_EQ(count_collectives(c.spmd.function).counts[static_cast<std::size_t>(CollectiveKind::all_to_all)], 0);
}

}  // namespace
}  // namespace partir
