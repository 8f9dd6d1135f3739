// The exact lists of entries of operations beyond the core: windows, library functions, bit representations, wider
// computations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

using Lines = std::vector<std::string>;

void expect_entries(const std::string& arguments, const std::string& lines, const Lines& wanted) {
  const std::string text = module_text(arguments, lines);
  const ReadInstance read(text);
  Lines found;
  for (const Entry& e : entries_of(read.op())) found.push_back(e.str());
  EXPECT_EQ(found, wanted) << text;
}

std::string window(const char* attributes, const char* types) {
  return fmt::format(
      "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 = \"stablehlo.reduce_window\"(%x, %c) <{{{}}}> {} : {}",
      attributes, body("stablehlo.add", "f32"), types);
}

TEST(EntriesOfWindows, AreTilesWhereWindowsStayOnADevice) {
  const char* const pool = "window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>";
  expect_entries("%x: tensor<4x6xf32>", window(pool, "(tensor<4x6xf32>, tensor<f32>) -> tensor<4x3xf32>"),
                 {"(#tile<0>, any) -> (#tile<0>)", "(#tile<1>, any) -> (#tile<1>)", "(#sum, any) -> (#sum)"});
  expect_entries("%x: tensor<4x7xf32>", window(pool, "(tensor<4x7xf32>, tensor<f32>) -> tensor<4x3xf32>"),
                 {"(#tile<0>, any) -> (#tile<0>)", "(#sum, any) -> (#sum)"});
  expect_entries("%x: tensor<4x6xf32>",
                 window("window_dimensions = array<i64: 1, 2>", "(tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>"),
                 {"(#tile<0>, any) -> (#tile<0>)", "(#sum, any) -> (#sum)"});
  expect_entries("%x: tensor<4x6xf32>",
                 window("window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, window_dilations = "
                        "array<i64: 1, 2>",
                        "(tensor<4x6xf32>, tensor<f32>) -> tensor<4x2xf32>"),
                 {"(#tile<0>, any) -> (#tile<0>)", "(#sum, any) -> (#sum)"});
  // Windows of one element read every second position of elements that are three apart.
  expect_entries("%x: tensor<4x6xf32>",
                 window("window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 2>, base_dilations = "
                        "array<i64: 1, 3>",
                        "(tensor<4x6xf32>, tensor<f32>) -> tensor<4x8xf32>"),
                 {"(#tile<0>, any) -> (#tile<0>)", "(#sum, any) -> (#sum)"});
}

TEST(EntriesOfWindows, PassPartialSourcesOn) {
  expect_entries("%x: tensor<4x6xf32>, %s: tensor<4x5xf32>",
                 "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 = \"stablehlo.select_and_scatter\"(%x, %s, "
                 "%c) <{window_dimensions = array<i64: 1, 2>}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %s = "
                 "stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %s : "
                 "tensor<i1>\n  }, " +
                     body("stablehlo.add", "f32").substr(1) +
                     " : (tensor<4x6xf32>, tensor<4x5xf32>, tensor<f32>) -> tensor<4x6xf32>",
                 {"(#tile<0>, #tile<0>, any) -> (#tile<0>)", "(any, #sum, any) -> (#sum)"});
}

TEST(EntriesOfReductions, OfBooleansAddByOrAndMultiplyByAnd) {
  const auto reduce = [](const char* init, const char* fn) {
    return fmt::format(
        "  %c = stablehlo.constant dense<{}> : tensor<i1>\n  %0 = stablehlo.reduce(%x init: %c) applies "
        "stablehlo.{} across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>",
        init, fn);
  };
  for (const char* fn : {"add", "maximum", "or"})
    expect_entries("%x: tensor<4xi1>", reduce("false", fn), {"(#tile<0>, any) -> (#or)", "(#or, any) -> (#or)"});
  for (const char* fn : {"multiply", "minimum", "and"})
    expect_entries("%x: tensor<4xi1>", reduce("true", fn), {"(#tile<0>, any) -> (#and)", "(#and, any) -> (#and)"});
  expect_entries("%x: tensor<4xi1>", reduce("true", "add"), {});
}

TEST(EntriesOfStrides, AreTilesWhereStridesDivide) {
  const Lines moved = {"(#sum) -> (#sum)", "(#prod) -> (#prod)", "(#max) -> (#max)", "(#min) -> (#min)"};
  const auto slice = [&](const char* range, const char* out, bool tiled, const char* whole = "tensor<6xf32>") {
    Lines wanted = moved;
    if (tiled) wanted.insert(wanted.begin(), "(#tile<0>) -> (#tile<0>)");
    expect_entries(fmt::format("%x: {}", whole),
                   fmt::format("  %0 = stablehlo.slice %x [{}] : ({}) -> {}", range, whole, out), wanted);
  };
  slice("0:6:2", "tensor<3xf32>", true);
  slice("1:6:2", "tensor<3xf32>", true);
  slice("2:6:3", "tensor<2xf32>", true);
  slice("1:5:2", "tensor<2xf32>", false);
  slice("0:6:4", "tensor<2xf32>", false);
  slice("1:6", "tensor<5xf32>", false);
  slice("0:6:3", "tensor<2xf32>", false, "tensor<8xf32>");
  const auto pad = [&](int low, int high, int interior, int size, bool tiled) {
    // An unknown padding value must be pending like the operand, or be replicated if the monoid is idempotent.
    Lines wanted = {"(#max, any) -> (#max)",     "(#min, any) -> (#min)",  "(#sum, #sum) -> (#sum)",
                    "(#prod, #prod) -> (#prod)", "(#max, #max) -> (#max)", "(#min, #min) -> (#min)"};
    if (tiled) wanted.insert(wanted.begin(), "(#tile<0>, any) -> (#tile<0>)");
    expect_entries("%x: tensor<6xf32>, %c: tensor<f32>",
                   fmt::format("  %0 = stablehlo.pad %x, %c, low = [{}], high = [{}], interior = [{}] : "
                               "(tensor<6xf32>, tensor<f32>) -> tensor<{}xf32>",
                               low, high, interior, size),
                   wanted);
  };
  pad(0, 1, 1, 12, true);
  pad(1, 1, 2, 18, true);
  pad(0, 0, 1, 11, false);
  pad(2, -1, 1, 12, false);
}

TEST(EntriesOfConvolutions, AreTilesOfPatches) {
  const auto patches = [](const char* window, int size, bool tiled) {
    Lines wanted = {"(#tile<0>, any) -> (#tile<0>)", "(any, #tile<2>) -> (#tile<2>)", "(#tile<2>, #tile<1>) -> (#sum)"};
    if (tiled) wanted.emplace_back("(#tile<1>, any) -> (#tile<1>)");
    wanted.insert(wanted.end(), {"(#sum, any) -> (#sum)", "(any, #sum) -> (#sum)"});
    expect_entries(
        "%x: tensor<4x12x2xf32>, %k: tensor<2x2x6xf32>",
        fmt::format("  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window "
                    "= {{{}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
                    "(tensor<4x12x2xf32>, tensor<2x2x6xf32>) -> tensor<4x{}x6xf32>",
                    window, size),
        wanted);
  };
  patches("stride = [2], pad = [[0, 0]]", 6, true);
  patches("stride = [3], pad = [[0, 0]]", 4, true);
  patches("stride = [2], pad = [[1, 1]]", 7, false);
  patches("stride = [1], pad = [[0, 0]]", 11, false);
  patches("stride = [2], pad = [[0, 0]], rhs_dilate = [2]", 5, false);
  patches("stride = [5], pad = [[0, 0]]", 3, false);
}

TEST(EntriesOfRaggedProducts, LeaveTheRaggedDimensionWhole) {
  const auto product = [](const char* x, const char* y, const char* numbers, const char* result) {
    return fmt::format(
        "  %0 = \"chlo.ragged_dot\"(%x, %y, %g) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{}>}}> : "
        "(tensor<{}xf32>, tensor<{}xf32>, tensor<2xi32>) -> tensor<{}xf32>",
        numbers, x, y, result);
  };
  expect_entries(
      "%x: tensor<4x6xf32>, %y: tensor<2x6x8xf32>, %g: tensor<2xi32>",
      product("4x6", "2x6x8",
              "lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], "
              "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]",
              "4x8"),
      {"(#tile<1>, #tile<1>, any) -> (#sum)", "(any, #tile<2>, any) -> (#tile<1>)"});
  expect_entries(
      "%x: tensor<4x6xf32>, %y: tensor<6x8xf32>, %g: tensor<2xi32>",
      product("4x6", "6x8",
              "lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], "
              "rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []",
              "2x4x8"),
      {"(#tile<0>, any, any) -> (#tile<1>)", "(any, #tile<1>, any) -> (#tile<2>)"});
}

TEST(EntriesOfLibraryFunctions, AreTilesOfWhatTheyDoNotMix) {
  expect_entries("%x: tensor<4x6x8xcomplex<f32>>",
                 "  %0 = stablehlo.fft %x, type = IFFT, length = [6, 8] : (tensor<4x6x8xcomplex<f32>>) -> "
                 "tensor<4x6x8xcomplex<f32>>",
                 {"(#tile<0>) -> (#tile<0>)", "(#sum) -> (#sum)"});
  expect_entries("%x: tensor<4x2x2xf32>",
                 "  %0 = stablehlo.cholesky %x, lower = true : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>",
                 {"(#tile<0>) -> (#tile<0>)"});
  expect_entries("%a: tensor<4x2x2xf32>, %b: tensor<4x6x2xf32>",
                 "  %0 = \"stablehlo.triangular_solve\"(%a, %b) <{left_side = false, lower = true, unit_diagonal = "
                 "true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<4x2x2xf32>, tensor<4x6x2xf32>) -> "
                 "tensor<4x6x2xf32>",
                 {"(#tile<0>, #tile<0>) -> (#tile<0>)", "(any, #tile<1>) -> (#tile<1>)", "(any, #sum) -> (#sum)"});
  expect_entries("%x: tensor<4x6xf32>",
                 "  %v, %i = chlo.top_k(%x, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)",
                 {"(#tile<0>) -> (#tile<0>, #tile<0>)"});
}

TEST(EntriesOfMonotoneFunctions, PassMaximaOn) {
  // Rounding acts on the floats themselves. It is monotone, but nothing about it is proved over the reals.
  for (const char* narrow : {"bf16", "f8E4M3FN"}) {
    expect_entries("%x: tensor<4xf32>",
                   fmt::format("  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4x{}>", narrow),
                   {"(#tile<0>) -> (#tile<0>)"});
  }
  expect_entries("%x: tensor<4xbf16>", "  %0 = stablehlo.convert %x : (tensor<4xbf16>) -> tensor<4xf32>",
                 {"(#tile<0>) -> (#tile<0>)", "(#sum) -> (#sum)", "(#max) -> (#max)", "(#min) -> (#min)"});
  expect_entries("%x: tensor<4xi8>", "  %0 = stablehlo.convert %x : (tensor<4xi8>) -> tensor<4xi32>",
                 {"(#tile<0>) -> (#tile<0>)", "(#max) -> (#max)", "(#min) -> (#min)"});
  expect_entries("%x: tensor<4xi8>", "  %0 = stablehlo.convert %x : (tensor<4xi8>) -> tensor<4xui32>",
                 {"(#tile<0>) -> (#tile<0>)"});
  expect_entries("%x: tensor<4xf32>, %y: tensor<4xf32>", "  %0 = stablehlo.maximum %x, %y : tensor<4xf32>",
                 {"(#tile<0>, #tile<0>) -> (#tile<0>)", "(#max, #max) -> (#max)", "(#max, any) -> (#max)",
                  "(any, #max) -> (#max)"});
}

TEST(EntriesOfWiderComputations, ReduceTilesButNoNarrowParts) {
  expect_entries("%x: tensor<4x6xi8>",
                 "  %c = stablehlo.constant dense<0> : tensor<i8>\n  %0 = \"stablehlo.reduce\"(%x, %c) <{dimensions = "
                 "array<i64: 1>}> " +
                     body("stablehlo.add", "i32") + " : (tensor<4x6xi8>, tensor<i8>) -> tensor<4xi32>",
                 {"(#tile<0>, any) -> (#tile<0>)", "(#tile<1>, any) -> (#sum)"});
}

TEST(EntriesOfScatters, OfSeveralInputsAreTilesOfWindowsAndBatches) {
  expect_entries(
      "%x: tensor<4x6x3xf32>, %y: tensor<4x6x3xi32>, %s: tensor<4x2x1xi32>, %u: tensor<4x2x3xf32>, %v: "
      "tensor<4x2x3xi32>",
      "  %0:2 = \"stablehlo.scatter\"(%x, %y, %s, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<"
      "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims "
      "= [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> (" +
          region("%a: tensor<f32>, %p: tensor<i32>, %b: tensor<f32>, %q: tensor<i32>",
                 "    %s = stablehlo.add %a, %b : tensor<f32>\n    %t = stablehlo.maximum %p, %q : tensor<i32>\n",
                 "%s, %t : tensor<f32>, tensor<i32>") +
          ") : (tensor<4x6x3xf32>, tensor<4x6x3xi32>, tensor<4x2x1xi32>, tensor<4x2x3xf32>, tensor<4x2x3xi32>) -> "
          "(tensor<4x6x3xf32>, tensor<4x6x3xi32>)",
      {"(#tile<2>, #tile<2>, any, #tile<2>, #tile<2>) -> (#tile<2>, #tile<2>)",
       "(#tile<0>, #tile<0>, #tile<0>, #tile<0>, #tile<0>) -> (#tile<0>, #tile<0>)"});
}

}  // namespace
}  // namespace partir::testing
