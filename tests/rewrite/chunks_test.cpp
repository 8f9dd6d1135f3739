// Operations between values whose chunks differ in size: tokens before others, steps of scans, several paddings of one
// dimension. Every partition is proved and gives the source's values.
#include "tests/partitioned.h"

namespace partir::chunks {
namespace {

using testing::partitioned, testing::tile;

/// Returns `extra` tokens before (or after) `tokens` others, of which a product is then taken.
std::string with_tokens(std::int64_t tokens, std::int64_t extra, bool before) {
  const auto type = [](std::int64_t n) { return fmt::format("tensor<2x{}x3xf32>", n); };
  const std::string x = type(tokens);
  const std::string t = type(extra);
  const std::string all = type(tokens + extra);
  return fmt::format(R"(func.func @main(%x: {0}, %t: {1}, %w: tensor<3x3xf32>) -> tensor<2x3xf32> {{
  %h = stablehlo.tanh %x : {0}
  %c = stablehlo.concatenate {3}, dim = 1 : ({4}) -> {2}
  %y = stablehlo.dot_general %c, %w, contracting_dims = [2] x [0] : ({2}, tensor<3x3xf32>) -> {2}
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [1] : ({2}, tensor<f32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}})",
                     x, t, all, before ? "%t, %h" : "%h, %t", before ? t + ", " + x : x + ", " + t);
}

/// The tokens are padded to the chunks of the result: their rows move a little further with each device.
TEST(Chunks, OfTokensBehindOthersAreThoseOfAllTogether) {
  for (const bool before : {true, false}) {
    EXPECT_EQ(partitioned(with_tokens(16, 1, before), "a=4", tile("a", R"("arg0": 1)")).partition.collectives.str(),
              before ? "1 all_reduce, 2 collective_permute" : "1 all_reduce, 1 collective_permute");
    // Both sizes divide: 4 and 5 tokens on each device.
    EXPECT_EQ(partitioned(with_tokens(16, 4, before), "a=4", tile("a", R"("arg0": 1)")).partition.collectives.str(),
              before ? "1 all_reduce, 2 collective_permute" : "1 all_reduce, 1 collective_permute");
  }
}

/// Tokens that are less than three quarters of all are gathered, because most of the padding would be the others.
TEST(Chunks, OfFewTokensAreGathered) {
  EXPECT_EQ(partitioned(with_tokens(8, 8, true), "a=4", tile("a", R"("arg0": 1)")).partition.collectives.str(),
            "1 all_gather");
}

/// The even elements but the first (x[2::2]), as the steps of an associative scan take them, and the sum with the odd
/// ones.
TEST(Chunks, OfEverySecondElementReadOneOfTheNextDevice) {
  const auto p = partitioned(R"(func.func @main(%x: tensor<16x3xf32>) -> tensor<7x3xf32> {
  %o = stablehlo.slice %x [1:14:2, 0:3] : (tensor<16x3xf32>) -> tensor<7x3xf32>
  %e = stablehlo.slice %x [2:16:2, 0:3] : (tensor<16x3xf32>) -> tensor<7x3xf32>
  %r = stablehlo.add %o, %e : tensor<7x3xf32>
  return %r : tensor<7x3xf32>
})",
                             "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "1 all_gather, 1 collective_permute");  // the result is returned whole
}

/// Chunks that a stride does not divide (33 rows of 130 over 4 devices) get an element more, and results whose size
/// divides, of operands whose size does not, have the operands' chunks.
TEST(Chunks, OfStridesAndOddSizesAreThoseOfTheOperand) {
  const auto summed = [](std::int64_t rows, std::int64_t count, const std::string& operations) {
    return fmt::format(R"(func.func @main(%x: tensor<{0}x3xf32>) -> tensor<3xf32> {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
{2}
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<{1}x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}})",
                       rows, count, operations);
  };
  const auto difference = [](std::int64_t rows, std::int64_t count, const std::string& a, const std::string& b) {
    return fmt::format(R"(  %a = stablehlo.slice %x [{2}, 0:3] : (tensor<{0}x3xf32>) -> tensor<{1}x3xf32>
  %b = stablehlo.slice %x [{3}, 0:3] : (tensor<{0}x3xf32>) -> tensor<{1}x3xf32>
  %y = stablehlo.subtract %a, %b : tensor<{1}x3xf32>)",
                       rows, count, a, b);
  };
  const std::string pool = R"(  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %l) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<130x3xf32>, tensor<f32>) -> tensor<65x3xf32>)";
  const std::string uneven = R"({"name": "a", "axis": "a", "inputs": {"arg0": 0}, "uneven": true})";
  for (const auto& [program, collectives] :
       {std::pair(summed(13, 12, difference(13, 12, "1:13", "0:12")), "1 all_reduce, 1 collective_permute"),
        std::pair(summed(129, 64, difference(129, 64, "1:129:2", "0:128:2")), "1 all_reduce"),
        std::pair(summed(130, 65, difference(130, 65, "1:130:2", "0:129:2")), "1 all_reduce"),
        std::pair(summed(130, 65, pool), "1 all_reduce")})
    EXPECT_EQ(partitioned(program, "a=4", uneven).partition.collectives.str(), collectives) << program;
}

/// A mask of attention for one token more; booleans are chosen, where numbers are sums of what is not masked.
TEST(Chunks, OfMasksOfTokensAreThoseOfAllTogether) {
  for (const std::int64_t tokens : {16, 13}) {
    const std::string type = fmt::format("tensor<{}x3xi1>", tokens);
    const std::string all = fmt::format("tensor<{}x3xi1>", tokens + 1);
    const auto p = partitioned(fmt::format(R"(func.func @main(%x: {0}, %t: tensor<1x3xi1>) -> {1} {{
  %n = stablehlo.not %x : {0}
  %c = stablehlo.concatenate %t, %n, dim = 0 : (tensor<1x3xi1>, {0}) -> {1}
  %r = stablehlo.reverse %c, dims = [0] : {1}
  return %r : {1}
}})",
                                           type, all),
                               "a=4", R"({"name": "a", "axis": "a", "inputs": {"arg0": 0}, "uneven": true})");
    EXPECT_EQ(p.partition.collectives.str().find("all_reduce"), std::string::npos) << p.partition.collectives.str();
  }
}

/// Elements with others in between, which is what takes every second element backwards.
TEST(Chunks, OfElementsWithGapsAreThoseOfTheResult) {
  const auto p = partitioned(R"(func.func @main(%x: tensor<16x3xf32>) -> tensor<16x3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.slice %x [2:16:2, 0:3] : (tensor<16x3xf32>) -> tensor<7x3xf32>
  %t = stablehlo.tanh %e : tensor<7x3xf32>
  %r = stablehlo.pad %t, %z, low = [2, 0], high = [1, 0], interior = [1, 0] : (tensor<7x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %r : tensor<16x3xf32>
})",
                             "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "2 collective_permute");
}

/// A pad at both ends: the chunks of 5 rows begin 2 rows before those of 4, and end behind them on the last devices.
TEST(Chunks, OfAPadAreLongerThanThoseOfItsOperand) {
  const auto p = partitioned(R"(func.func @main(%x: tensor<16x3xf32>) -> tensor<20x3xf32> {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.pad %x, %z, low = [2, 0], high = [2, 0], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<20x3xf32>
  return %r : tensor<20x3xf32>
})",
                             "a=4", tile("a", R"("arg0": 0)"));
  EXPECT_EQ(p.partition.collectives.str(), "2 collective_permute");
  EXPECT_EQ(p.partition.results.at(0).str(p.partition.mesh), "[{a}, {}]");
}

/// 8 rows on 2 devices; a later tactic asks for the same rows on 3, and so for 9. Both have their parts of 12.
TEST(Chunks, OfAnEarlierTacticArePartsOfTheLatersPadding) {
  const auto p = partitioned(
      R"(func.func @main(%x: tensor<8x3xf32>, %y: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %r = stablehlo.add %x, %y : tensor<8x3xf32>
  return %r : tensor<8x3xf32>
})",
      "a=2,b=3", tile("a", R"("arg0": 0)") + R"(, {"name": "b", "axis": "b", "inputs": {"arg1": 0}, "uneven": true})");
  EXPECT_EQ(p.partition.arguments.at(0).str(p.partition.mesh), "[{a, b}, {}]");
}

}  // namespace
}  // namespace partir::chunks
