// Windows, scans and shifts along a tiled dimension: which collectives they need. Every partition is proved and gives
// the source's values.
#include "semantics/interpreter.h"
#include "tests/partitioned.h"
#include "verify/certificate/check.h"

namespace partir::windows {
namespace {

using testing::no_clock, testing::tile;

Partition partitioned(const std::string& program, const std::string& mesh, const std::string& tactics) {
  return testing::partitioned(program, mesh, tactics).partition;
}

/// Returns two consecutive convolutions on images [2, rows, 4, 2].
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
  // A window of 5 over chunks of one row needs two neighbours on each side.
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
  // In addition to tiles of the batch, in either order of tactics.
  const std::string batch = tile("b", R"("arg0": 0)");
  const std::string rows = tile("a", R"("arg0": 1)");
  EXPECT_EQ(partitioned(program, "a=4,b=2", batch + "," + rows).collectives.str(), "4 collective_permute");
  EXPECT_EQ(partitioned(program, "a=4,b=2", rows + "," + batch).collectives.str(), "4 collective_permute");
}

TEST(Windows, NeighboursRowsAreSentOnce) {
  const std::string program = two_convolutions(8, 3, 3);
  std::string both = program;
  both.replace(both.find("(%1, %l)"), 8, "(%x, %l)");  // two uses of one image
  EXPECT_EQ(partitioned(both, "a=4", tile("a", R"("arg0": 1)")).collectives.str(), "2 collective_permute");
}

TEST(Windows, OfStretchesOfPaddedAndJoinedRowsSendTheRowsThatMove) {
  // The program of jnp.pad(x, ((1, 0), (0, 0)))[:-1], its gradient, and a periodic neighbourhood, which concatenates x
  // with its own ends.
  const auto permutes = [](const std::string& body) {
    const Partition p = partitioned(
        "func.func @main(%x: tensor<16x2xf32>) -> tensor<16x2xf32> {\n"
        "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n" +
            body + "  return %r : tensor<16x2xf32>\n}\n",
        "a=4", tile("a", R"("arg0": 0)"));
    EXPECT_EQ(p.arguments.at(0).str(p.mesh), p.results.at(0).str(p.mesh));
    return p.collectives.str();
  };
  EXPECT_EQ(
      permutes(
          R"(  %p = stablehlo.pad %x, %z, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<16x2xf32>, tensor<f32>) -> tensor<17x2xf32>
  %r = stablehlo.slice %p [0:16, 0:2] : (tensor<17x2xf32>) -> tensor<16x2xf32>
)"),
      "1 collective_permute");
  EXPECT_EQ(
      permutes(
          R"(  %p = stablehlo.pad %x, %z, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<16x2xf32>, tensor<f32>) -> tensor<17x2xf32>
  %r = stablehlo.pad %p, %z, low = [-1, 0], high = [0, 0], interior = [0, 0] : (tensor<17x2xf32>, tensor<f32>) -> tensor<16x2xf32>
)"),
      "1 collective_permute");
  EXPECT_EQ(permutes(R"(  %a = stablehlo.slice %x [15:16, 0:2] : (tensor<16x2xf32>) -> tensor<1x2xf32>
  %b = stablehlo.slice %x [0:1, 0:2] : (tensor<16x2xf32>) -> tensor<1x2xf32>
  %p = stablehlo.concatenate %a, %x, %b, dim = 0 : (tensor<1x2xf32>, tensor<16x2xf32>, tensor<1x2xf32>) -> tensor<18x2xf32>
  %s = stablehlo.slice %p [0:16, 0:2] : (tensor<18x2xf32>) -> tensor<16x2xf32>
  %t = stablehlo.slice %p [2:18, 0:2] : (tensor<18x2xf32>) -> tensor<16x2xf32>
  %r = stablehlo.add %s, %t : tensor<16x2xf32>
)"),
            "4 collective_permute");
}

/// Returns windows of 3 rows without padding on this many rows, followed by others of stride 1.
std::string valid_windows(std::int64_t rows, std::int64_t stride) {
  const auto image = [](std::int64_t n) { return fmt::format("tensor<2x{}x4x2xf32>", n); };
  const auto convolution = [&](const char* out, const char* in, std::int64_t from, std::int64_t to, std::int64_t s) {
    return fmt::format(
        "  %{} = stablehlo.convolution(%{}, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
        "{{stride "
        "= [{}, 1]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({}, tensor<3x1x2x2xf32>) -> "
        "{}\n",
        out, in, s, image(from), image(to));
  };
  const std::int64_t first = (rows - 3) / stride + 1;
  return fmt::format("func.func @main(%x: {}, %k: tensor<3x1x2x2xf32>) -> {} {{\n", image(rows), image(first - 2)) +
         convolution("0", "x", rows, first, stride) + fmt::format("  %1 = stablehlo.tanh %0 : {}\n", image(first)) +
         convolution("2", "1", first, first - 2, 1) + fmt::format("  return %2 : {}\n}}\n", image(first - 2));
}

TEST(Windows, WithoutPaddingGoOnBehindTheEndOfWhatTheyGive) {
  for (const auto& [rows, stride] : {std::pair<std::int64_t, std::int64_t>{32, 1}, {64, 2}, {31, 1}}) {
    const std::string uneven = R"({"name": "a", "axis": "a", "inputs": {"arg0": 1}, "uneven": true})";
    const Partition p = partitioned(valid_windows(rows, stride), "a=8", uneven);
    EXPECT_EQ(p.collectives.str(), "2 collective_permute") << rows;
    EXPECT_EQ(p.results.at(0).str(p.mesh), "[{}, {a}, {}, {}]");
    EXPECT_TRUE(p.tactics[0].conflicts.empty());
  }
  // Without "uneven" in the tactic, the result is returned replicated.
  const Partition p = partitioned(valid_windows(32, 1), "a=8", tile("a", R"("arg0": 1)"));
  EXPECT_EQ(p.collectives.str(), "1 all_gather, 2 collective_permute");
  EXPECT_EQ(p.results.at(0).str(p.mesh), "[{}, {}, {}, {}]");
}

TEST(Windows, DifferencesOfSlicesSendTheRowsThatMove) {
  // sum(sin(x[2:] - x[:-2])): the slices have two rows fewer than x.
  const std::string sum = R"(
func.func @main(%x: tensor<16x2xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.slice %x [2:16, 0:2] : (tensor<16x2xf32>) -> tensor<14x2xf32>
  %b = stablehlo.slice %x [0:14, 0:2] : (tensor<16x2xf32>) -> tensor<14x2xf32>
  %d = stablehlo.subtract %a, %b : tensor<14x2xf32>
  %s = stablehlo.sine %d : tensor<14x2xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<14x2xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})";
  EXPECT_EQ(partitioned(sum, "a=4", tile("a", R"("arg0": 0)")).collectives.str(), "1 all_reduce, 1 collective_permute");
  // The inner rows of x are updated from their neighbours, in a loop.
  const std::string heat = R"(
func.func @main(%x: tensor<16x2xf32>, %n: tensor<i32>) -> tensor<16x2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %r, %i = stablehlo.while(%y = %x, %k = %n) : tensor<16x2xf32>, tensor<i32>
  cond {
    %c = stablehlo.compare GT, %k, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %l = stablehlo.subtract %k, %one : tensor<i32>
    %a = stablehlo.slice %y [2:16, 0:2] : (tensor<16x2xf32>) -> tensor<14x2xf32>
    %b = stablehlo.slice %y [0:14, 0:2] : (tensor<16x2xf32>) -> tensor<14x2xf32>
    %d = stablehlo.subtract %a, %b : tensor<14x2xf32>
    %p = stablehlo.pad %d, %z, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<14x2xf32>, tensor<f32>) -> tensor<16x2xf32>
    %t = stablehlo.add %y, %p : tensor<16x2xf32>
    stablehlo.return %t, %l : tensor<16x2xf32>, tensor<i32>
  }
  return %r : tensor<16x2xf32>
})";
  const Partition p = partitioned(heat, "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.collectives.str().find("all_gather"), std::string::npos) << p.collectives.str();
  EXPECT_EQ(p.results.at(0).str(p.mesh), "[{a}, {}]");
}

/// Returns x.at[1:-1].add(d) or, if `replaces`, x.at[1:-1].set(d), for d = x[2:] - x[:-2] and x of 16 rows.
std::string updated_inside(bool replaces, const std::string& start) {
  return R"(
func.func @main(%x: tensor<16x2xf32>) -> tensor<16x2xf32> {
  %one = stablehlo.constant dense<)" +
         start + R"(> : tensor<1xi32>
  %a = stablehlo.slice %x [2:16, 0:2] : (tensor<16x2xf32>) -> tensor<14x2xf32>
  %b = stablehlo.slice %x [0:14, 0:2] : (tensor<16x2xf32>) -> tensor<14x2xf32>
  %d = stablehlo.subtract %a, %b : tensor<14x2xf32>
  %r = "stablehlo.scatter"(%x, %one, %d) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
)" +
         (replaces ? "    stablehlo.return %q : tensor<f32>\n"
                   : "    %t = stablehlo.add %p, %q : tensor<f32>\n    stablehlo.return %t : tensor<f32>\n") +
         R"(
  }) : (tensor<16x2xf32>, tensor<1xi32>, tensor<14x2xf32>) -> tensor<16x2xf32>
  return %r : tensor<16x2xf32>
})";
}

TEST(Windows, OfAScatterAtAKnownPlaceStayTiled) {
  const auto collectives = [](bool replaces, const std::string& start) {
    return partitioned(updated_inside(replaces, start), "a=4", tile("a", R"("arg0": 0)")).collectives.str();
  };
  EXPECT_EQ(collectives(false, "1"), "2 collective_permute");
  EXPECT_EQ(collectives(true, "1"), "2 collective_permute");
  EXPECT_EQ(collectives(true, "2"), "2 collective_permute");
  // A window that reaches beyond the end is dropped: nothing is updated, and only what is computed for it is gathered.
  EXPECT_NE(collectives(true, "3").find("all_gather"), std::string::npos);
}

TEST(Windows, OfSlicesAlongTwoTiledDimensionsSendTheRowsAndColumnsThatMove) {
  const std::string program = R"(
func.func @main(%x: tensor<16x16xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.slice %x [2:16, 1:15] : (tensor<16x16xf32>) -> tensor<14x14xf32>
  %b = stablehlo.slice %x [1:15, 0:14] : (tensor<16x16xf32>) -> tensor<14x14xf32>
  %d = stablehlo.subtract %a, %b : tensor<14x14xf32>
  %s = stablehlo.sine %d : tensor<14x14xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<14x14xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})";
  EXPECT_EQ(
      partitioned(program, "a=4,b=2", tile("a", R"("arg0": 0)") + "," + tile("b", R"("arg0": 1)")).collectives.str(),
      "1 all_reduce, 3 collective_permute");
}

TEST(Windows, WithoutPaddingAreTiledInALoop) {
  const std::string program = R"(
func.func @main(%x: tensor<2x16x4x2xf32>, %k: tensor<3x1x2x2xf32>, %n: tensor<i32>) -> tensor<2x16x4x2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %r, %i = stablehlo.while(%y = %x, %m = %n) : tensor<2x16x4x2xf32>, tensor<i32>
  cond {
    %c = stablehlo.compare GT, %m, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %l = stablehlo.subtract %m, %one : tensor<i32>
    %v = stablehlo.convolution(%y, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x4x2xf32>, tensor<3x1x2x2xf32>) -> tensor<2x14x4x2xf32>
    %p = stablehlo.pad %v, %z, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x14x4x2xf32>, tensor<f32>) -> tensor<2x16x4x2xf32>
    stablehlo.return %p, %l : tensor<2x16x4x2xf32>, tensor<i32>
  }
  return %r : tensor<2x16x4x2xf32>
})";
  const Partition p = partitioned(program, "a=4", tile("a", R"("arg0": 1)"));
  EXPECT_EQ(p.collectives.str().find("all_gather"), std::string::npos) << p.collectives.str();
}

/// Both dimensions are padded and masked, and so are channels that do not divide.
TEST(Windows, OverTwoDimensionsThatDoNotDivideAreInBlocksOfBoth) {
  const std::string uneven_rows = R"({"name": "a", "axis": "a", "inputs": {"arg0": 1}, "uneven": true})";
  const auto sends_rows = [&](const std::string& rest, const std::string& other) {
    const auto p = testing::partitioned("func.func @main(%x: tensor<1x7x9x3xf32>, %k: tensor<3x3x3x2xf32>) -> " + rest,
                                        "a=2,b=2", uneven_rows + ", " + other);
    EXPECT_EQ(p.partition.collectives.str().find("all_gather"), std::string::npos) << p.partition.collectives.str();
  };
  const char* convolution = R"(tensor<1x7x9x2xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x7x9x3xf32>, tensor<3x3x3x2xf32>) -> tensor<1x7x9x2xf32>
  return %0 : tensor<1x7x9x2xf32>
})";
  sends_rows(convolution, R"({"name": "b", "axis": "b", "inputs": {"arg0": 2}, "uneven": true})");
  sends_rows(convolution, R"({"name": "b", "axis": "b", "inputs": {"arg0": 3}, "uneven": true})");
  sends_rows(R"(tensor<1x7x9x3xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<1x7x9x3xf32>, tensor<f32>) -> tensor<1x7x9x3xf32>
  return %0 : tensor<1x7x9x3xf32>
})",
             R"({"name": "b", "axis": "b", "inputs": {"arg0": 2}, "uneven": true})");
}

/// A stencil that is written back into the inner rows and columns, of sizes that divide and that do not.
TEST(Windows, OfStencilsThatAreWrittenBackSendRowsAndColumns) {
  for (const auto& [rows, columns] : {std::pair(16, 16), std::pair(13, 11)}) {
    for (const char* body : {"stablehlo.add %a, %b", "stablehlo.maximum %a, %b", ""}) {
      const std::string combined =
          *body == 0 ? "    stablehlo.return %b : tensor<f32>"
                     : fmt::format("    %c = {} : tensor<f32>\n    stablehlo.return %c : tensor<f32>", body);
      const std::string program = fmt::format(R"(func.func @main(%x: tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32> {{
  %u = stablehlo.slice %x [2:{0}, 1:{2}] : (tensor<{0}x{1}xf32>) -> tensor<{3}x{4}xf32>
  %v = stablehlo.slice %x [1:{5}, 0:{4}] : (tensor<{0}x{1}xf32>) -> tensor<{3}x{4}xf32>
  %w = stablehlo.subtract %u, %v : tensor<{3}x{4}xf32>
  %i = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%x, %i, %w) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
{6}
  }}) : (tensor<{0}x{1}xf32>, tensor<2xi32>, tensor<{3}x{4}xf32>) -> tensor<{0}x{1}xf32>
  return %0 : tensor<{0}x{1}xf32>
}})",
                                              rows, columns, columns - 1, rows - 2, columns - 2, rows - 1, combined);
      const auto p = partitioned(program, "a=2,b=2",
                                 R"({"name": "a", "axis": "a", "inputs": {"arg0": 0}, "uneven": true},
                                    {"name": "b", "axis": "b", "inputs": {"arg0": 1}, "uneven": true})");
      EXPECT_EQ(p.collectives.str().find("all_gather"), std::string::npos) << body << ": " << p.collectives.str();
    }
  }
}

/// `jnp.pad` of both dimensions: what is padded back in has its own padding, and so has the result.
TEST(Windows, OfWhatIsPaddedBackAlongTwoDimensionsAreInBlocks) {
  const Partition p = partitioned(R"(func.func @main(%x: tensor<13x11xf32>) -> tensor<13x11xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %u = stablehlo.slice %x [1:12, 1:10] : (tensor<13x11xf32>) -> tensor<11x9xf32>
  %v = stablehlo.pad %u, %z, low = [2, 1], high = [0, 1], interior = [0, 0] : (tensor<11x9xf32>, tensor<f32>) -> tensor<13x11xf32>
  %0 = stablehlo.multiply %v, %x : tensor<13x11xf32>
  return %0 : tensor<13x11xf32>
})",
                                  "a=2,b=2", R"({"name": "a", "axis": "a", "inputs": {"arg0": 0}, "uneven": true},
                                    {"name": "b", "axis": "b", "inputs": {"arg0": 1}, "uneven": true})");
  EXPECT_EQ(p.collectives.str().find("all_gather"), std::string::npos) << p.collectives.str();
}

TEST(Windows, OfWhichBlocksAreNotWholeAreGathered) {
  // 3 windows in 8 rows, with a stride of 3 that does not divide a chunk.
  const char* valid = R"(
func.func @main(%x: tensor<1x8x2xf32>, %k: tensor<2x2x2xf32>) -> tensor<1x3x2xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<2x2x2xf32>) -> tensor<1x3x2xf32>
  return %0 : tensor<1x3x2xf32>
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

/// Returns a reduce_window on [8, 2] by a combination: with 3 taps, or a scan whose windows are all rows up to each.
std::string windows_by(const std::string& combine, const std::string& identity, const std::string& type, bool scans,
                       std::int64_t stride) {
  const std::string x = fmt::format("tensor<8x2x{}>", type);
  const std::string y = fmt::format("tensor<{}x2x{}>", 8 / stride, type);
  return fmt::format(
      "func.func @main(%x: {0}) -> {1} {{\n  %i = stablehlo.constant dense<{2}> : tensor<{3}>\n  %0 = "
      "\"stablehlo.reduce_window\"(%x, %i) <{{window_dimensions = array<i64: {4}, 1>, window_strides = array<i64: {5}, "
      "1>, "
      "padding = dense<[[{6}, {7}], [0, 0]]> : tensor<2x2xi64>}}> ({{\n  ^bb0(%p: tensor<{3}>, %q: tensor<{3}>):\n    "
      "%s = "
      "stablehlo.{8} %p, %q : tensor<{3}>\n    stablehlo.return %s : tensor<{3}>\n  }}) : ({0}, tensor<{3}>) -> "
      "{1}\n  return %0 : {1}\n}}\n",
      x, y, identity, type, scans ? 8 : 3, stride, scans ? 7 : 1, scans ? 0 : 2 - stride, combine);
}

const char* const kCombinations[][3] = {{"maximum", "0xFF800000", "f32"},
                                        {"minimum", "0x7F800000", "f32"},
                                        {"multiply", "1.0", "f32"},
                                        {"add", "0", "i32"},
                                        {"and", "true", "i1"},
                                        {"or", "0", "ui8"}};

TEST(Windows, CombineByAnyMonoidWithTheirNeighbours) {
  for (const auto& [combine, identity, type] : kCombinations) {
    for (const std::int64_t devices : {2, 4}) {
      const std::string mesh = fmt::format("a={}", devices);
      SCOPED_TRACE(fmt::format("{} on {} devices", combine, devices));
      EXPECT_EQ(
          partitioned(windows_by(combine, identity, type, false, 1), mesh, tile("a", R"("arg0": 0)")).collectives.str(),
          "2 collective_permute");
      EXPECT_EQ(
          partitioned(windows_by(combine, identity, type, false, 2), mesh, tile("a", R"("arg0": 0)")).collectives.str(),
          "1 collective_permute");
    }
  }
}

TEST(Windows, ScansByAnyMonoidSendTheirTotals) {
  for (const auto& [combine, identity, type] : kCombinations) {
    for (const std::int64_t devices : {2, 4, 8}) {
      SCOPED_TRACE(fmt::format("{} on {} devices", combine, devices));
      const Partition p = partitioned(windows_by(combine, identity, type, true, 1), fmt::format("a={}", devices),
                                      tile("a", R"("arg0": 0)"));
      EXPECT_EQ(p.collectives.str(), "1 all_gather");
      EXPECT_NE(p.stablehlo.find(fmt::format("(tensor<1x2x{0}>) -> tensor<{1}x2x{0}>", type, devices)),
                std::string::npos)
          << p.stablehlo;
    }
  }
}

TEST(Windows, ScansOfManyPlacesAreProved) {
  const std::string long_scan = R"(
func.func @main(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 4096>, padding = dense<[[4095, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %m = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %1 = "stablehlo.reduce_window"(%x, %m) <{window_dimensions = array<i64: 4096>, padding = dense<[[0, 4095]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.minimum %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4096xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0, %1 : tensor<4096xf32>, tensor<4096xf32>
})";
  PartitionInput input;
  input.text = long_scan;
  input.file = "test.mlir";
  input.schedule = R"({"tactics": [)" + tile("a", R"("arg0": 0)") + "]}";
  input.schedule_file = "test.json";
  input.mesh = "a=8";
  const Partition p = value_or_throw(partition(input, Emit::stablehlo, no_clock));
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason.substr(0, 1000);
  EXPECT_EQ(p.collectives.str(), "2 all_gather");
}

/// The number of rows is not divisible by the number of devices; the rows and the windows' results are padded alike.
TEST(Windows, OfRowsThatDoNotDivideAreInBlocks) {
  for (const std::int64_t devices : {2, 4}) {
    const std::string uneven = R"({"name": "a", "axis": "a", "inputs": {"arg0": 1}, "uneven": true})";
    const std::string mesh = fmt::format("a={}", devices);
    const Partition p = partitioned(two_convolutions(7, 3, 3), mesh, uneven);
    EXPECT_EQ(p.collectives.str(), "4 collective_permute");
    EXPECT_TRUE(p.tactics[0].conflicts.empty());
  }
}

TEST(Windows, ScansOfRowsThatDoNotDivideSendTheirTotals) {
  for (const auto& [combine, identity, type] : kCombinations) {
    std::string program = windows_by(combine, identity, type, true, 1);
    for (const auto& [from, to] : {std::pair("8x2", "7x2"), std::pair("i64: 8", "i64: 7"), std::pair("[[7,", "[[6,")}) {
      for (auto at = program.find(from); at != std::string::npos; at = program.find(from, at + 1))
        program.replace(at, std::string_view(from).size(), to);
    }
    // JAX broadcasts the initial value, a constant, to its own shape.
    std::string broadcast = program;
    const std::string scalar = fmt::format("tensor<{}>", type);
    broadcast.replace(broadcast.find("  %0 ="), 0,
                      fmt::format("  %j = stablehlo.broadcast_in_dim %i, dims = [] : ({0}) -> {0}\n", scalar));
    broadcast.replace(broadcast.find("(%x, %i)"), 8, "(%x, %j)");
    for (const std::string& text : {program, broadcast}) {
      SCOPED_TRACE(text);
      const Partition p =
          partitioned(text, "a=4", R"({"name": "a", "axis": "a", "inputs": {"arg0": 0}, "uneven": true})");
      EXPECT_EQ(p.collectives.str(), "1 all_gather");
      EXPECT_NE(p.stablehlo.find(fmt::format("(tensor<1x2x{0}>) -> tensor<4x2x{0}>", type)), std::string::npos);
    }
  }
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

/// Windows over rows and columns exchange both: what the first decomposition contains is decomposed again.
TEST(Windows, OverRowsAndColumnsExchangeBoth) {
  const auto convolution = [](int stride, int dilation) {
    const int out = 16 / stride;
    return fmt::format(R"(
func.func @main(%x: tensor<2x16x16x4xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<2x{0}x{0}x4xf32> {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{stride = [{1}, {1}], pad = [[{2}, {3}], [{2}, {3}]], rhs_dilate = [{4}, {4}]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<2x16x16x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x{0}x{0}x4xf32>
  return %0 : tensor<2x{0}x{0}x4xf32>
}})",
                       out, stride, stride == 2 ? 0 : dilation, dilation, dilation);
  };
  const std::string pool = R"(
func.func @main(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3, 3>, padding = dense<1> : tensor<2x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x12xf32>, tensor<f32>) -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
})";
  const std::string reversal = R"(
func.func @main(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
})";
  const auto on = [](const std::string& program, const char* mesh, int rows) {
    const std::string tiles = fmt::format(R"("arg0": {})", rows);
    const std::string columns = fmt::format(R"("arg0": {})", rows + 1);
    return partitioned(program, mesh, tile("a", tiles) + "," + tile("b", columns));
  };
  for (const char* mesh : {"a=2,b=2", "a=4,b=2"}) {
    EXPECT_EQ(on(convolution(1, 1), mesh, 1).collectives.str(), "4 collective_permute");
    EXPECT_EQ(on(convolution(1, 2), mesh, 1).collectives.str(), "4 collective_permute");
    EXPECT_EQ(on(convolution(2, 1), mesh, 1).collectives.str(), "2 collective_permute");
    EXPECT_EQ(on(pool, mesh, 0).collectives.str(), "4 collective_permute");
    EXPECT_EQ(on(reversal, mesh, 0).collectives.str(), "2 collective_permute");
  }
  // The certificate lists what is decomposed again, and nothing else is accepted in its place.
  const auto p = on(pool, "a=2,b=2", 0);
  ASSERT_EQ(p.certificate.by_offsets_again.size(), 1U);
  const Module source = value_or_throw(read_module(pool, "pool.mlir"));
  const Module written = value_or_throw(read_module(p.stablehlo, "written"));
  const auto checked = [&](const std::function<void(Certificate&)>& change) {
    Certificate c = value_or_throw(read_certificate(to_json(p.certificate), "c.json"));
    change(c);
    return check_certificate(source, written, c).verdict;
  };
  EXPECT_EQ(checked([](Certificate&) {}), Verdict::proved);
  EXPECT_EQ(checked([](Certificate& c) { c.by_offsets_again.clear(); }), Verdict::refuted);
  EXPECT_EQ(checked([](Certificate& c) { c.by_offsets_again[0].how.dim = 0; }), Verdict::refuted);
  EXPECT_EQ(checked([](Certificate& c) { c.by_offsets_again[0].how.devices = 4; }), Verdict::refuted);
  EXPECT_EQ(checked([](Certificate& c) { c.by_offsets_again[0].source = {77}; }), Verdict::refuted);
}

/// Along rows that do not divide, a rotation, a token before the others and a reversal send what they need, too.
TEST(Windows, MovementOfRowsThatDoNotDivide) {
  const std::string roll = R"(
func.func @main(%x: tensor<63x2xf32>) -> tensor<63x2xf32> {{
  %a = stablehlo.slice %x [0:{0}, 0:2] : (tensor<63x2xf32>) -> tensor<{0}x2xf32>
  %b = stablehlo.slice %x [{0}:63, 0:2] : (tensor<63x2xf32>) -> tensor<{1}x2xf32>
  %1 = stablehlo.concatenate %b, %a, dim = 0 : (tensor<{1}x2xf32>, tensor<{0}x2xf32>) -> tensor<63x2xf32>
  %2 = stablehlo.tanh %1 : tensor<63x2xf32>
  return %2 : tensor<63x2xf32>
}})";
  const std::string uneven = R"({"name": "a", "axis": "a", "inputs": {"arg0": 0}, "uneven": true})";
  for (const int by : {1, 3, 31, 62}) {
    const auto p = partitioned(fmt::format(fmt::runtime(roll), by, 63 - by), "a=4", uneven);
    EXPECT_EQ(p.collectives.str().find("gather"), std::string::npos) << by << ": " << p.collectives.str();
  }
  const std::string token = R"(
func.func @main(%x: tensor<63x2xf32>, %t: tensor<1x2xf32>) -> tensor<64x2xf32> {
  %0 = stablehlo.negate %x : tensor<63x2xf32>
  %1 = stablehlo.concatenate %t, %0, dim = 0 : (tensor<1x2xf32>, tensor<63x2xf32>) -> tensor<64x2xf32>
  return %1 : tensor<64x2xf32>
})";
  EXPECT_EQ(partitioned(token, "a=4", uneven).collectives.str(), "1 collective_permute");
  const std::string reversal = R"(
func.func @main(%x: tensor<63x2xf32>) -> tensor<63x2xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<63x2xf32>
  return %0 : tensor<63x2xf32>
})";
  EXPECT_EQ(partitioned(reversal, "a=4", uneven).collectives.str(), "2 collective_permute");
}

TEST(Windows, ReversalsSendOneChunkEach) {
  const auto reversal = [](const std::string& dims) {
    return fmt::format(
        "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {{\n  %0 = stablehlo.reverse %x, dims = [{}] : "
        "tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>\n}}\n",
        dims);
  };
  for (const std::int64_t devices : {2, 4, 8}) {
    const std::string mesh = fmt::format("a={}", devices);
    EXPECT_EQ(partitioned(reversal("0"), mesh, tile("a", R"("arg0": 0)")).collectives.str(), "1 collective_permute");
    EXPECT_EQ(partitioned(reversal("0, 1"), mesh, tile("a", R"("arg0": 0)")).collectives.str(), "1 collective_permute");
    EXPECT_EQ(partitioned(reversal("1"), mesh, tile("a", R"("arg0": 0)")).collectives.str(), "none");
  }
  const std::string rows = tile("a", R"("arg0": 0)");
  const std::string more_rows = tile("b", R"("arg0": 0)");
  EXPECT_EQ(partitioned(reversal("0"), "a=2,b=4", rows + "," + more_rows).collectives.str(), "1 collective_permute");
  EXPECT_EQ(partitioned(reversal("0"), "a=2,b=2", more_rows + "," + rows).collectives.str(), "1 collective_permute");
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
  // Chunks have two rows: shifting by one row sends one row, and shifting by three sends rows of two devices.
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

/// A convolution of 8 features in groups, with the kernel tiled along its output features on 4 devices.
Partition in_groups(int groups) {
  const int inputs = 8 / groups;
  return partitioned(
      fmt::format("func.func @main(%x: tensor<2x6x8xf32>, %k: tensor<3x{0}x8xf32>) -> tensor<2x4x8xf32> {{\n"
                  "  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window "
                  "= {{}} {{batch_group_count = 1 : i64, feature_group_count = {1} : i64}} : "
                  "(tensor<2x6x8xf32>, tensor<3x{0}x8xf32>) -> tensor<2x4x8xf32>\n"
                  "  return %0 : tensor<2x4x8xf32>\n}}",
                  inputs, groups),
      "a=4", tile("a", R"("arg1": 2)"));
}

/// Each device has groups of its own, and slices the features that they read.
TEST(Windows, GroupsAreTiled) {
  for (const int groups : {4, 8}) {
    const Partition p = in_groups(groups);
    EXPECT_EQ(p.collectives.str(), "none") << p.stablehlo;
    EXPECT_TRUE(p.tactics[0].conflicts.empty());
    EXPECT_NE(p.stablehlo.find(fmt::format("feature_group_count = {} : i64", groups / 4)), std::string::npos);
  }
}

/// 4 devices cannot share 2 groups.
TEST(Windows, AGroupIsNotDivided) {
  const Partition p = in_groups(2);
  EXPECT_EQ(p.collectives.str(), "1 all_gather") << p.stablehlo;
  EXPECT_EQ(p.tactics[0].conflicts.size(), 1U);
}

}  // namespace
}  // namespace partir::windows
