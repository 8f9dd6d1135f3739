// Which gathers and scatters are rewritten on batching dimensions, and what they become (ir/batching.h).
#include "ir/batching.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"

namespace partir {
namespace {

/// x[rows, y] of x [6, 8] at 6 pairs of indices; `rows` computes %r: tensor<6x1xi32>.
Module lookup(const std::string& rows, const std::string& operand = "6x8", const std::string& sizes = "1, 1") {
  const std::string x = "tensor<" + operand + "xf32>";
  return value_or_throw(read_module(
      "func.func @main(%x: " + x + ", %y: tensor<6x1xi32>, %any: tensor<6x1xi32>) -> tensor<6xf32> {\n" + rows +
          "  %p = stablehlo.concatenate %r, %y, dim = 1 : (tensor<6x1xi32>, "
          "tensor<6x1xi32>) -> tensor<6x2xi32>\n"
          "  %0 = \"stablehlo.gather\"(%x, %p) <{dimension_numbers = "
          "#stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], "
          "index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: " +
          sizes + ">}> : (" + x + ", tensor<6x2xi32>) -> tensor<6xf32>\n" + "  return %0 : tensor<6xf32>\n}",
      "lookup.mlir"));
}

const std::string kPositions = "  %r = stablehlo.iota dim = 0 : tensor<6x1xi32>\n";

/// What JAX writes for arange(6), of which it counts negative numbers from the end.
std::string counted_from_the_end(const std::string& direction, const std::string& below) {
  return "  %i = stablehlo.iota dim = 0 : tensor<6xi32>\n"
         "  %z = stablehlo.constant dense<" +
         below +
         "> : tensor<6xi32>\n"
         "  %n = stablehlo.constant dense<6> : tensor<6xi32>\n"
         "  %b = stablehlo.compare " +
         direction +
         ", %i, %z, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>\n"
         "  %e = stablehlo.add %i, %n : tensor<6xi32>\n"
         "  %s = stablehlo.select %b, %e, %i : tensor<6xi1>, tensor<6xi32>\n"
         "  %r = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>\n";
}

std::string printed(const Function& f) {
  Module module;
  module.functions.push_back(f);
  return print_module(module);
}

std::size_t batched(const Module& module) { return batchable(**module.main()).size(); }

TEST(Batching, IndicesThatHoldTheirOwnPosition) {
  EXPECT_EQ(batched(lookup(kPositions)), 1U);
  EXPECT_EQ(batched(lookup(counted_from_the_end("LT", "0"))), 1U);
  EXPECT_EQ(batched(lookup("  %i = stablehlo.iota dim = 0 : tensor<6xi64>\n"
                           "  %c = stablehlo.convert %i : (tensor<6xi64>) -> tensor<6xi32>\n"
                           "  %r = stablehlo.reshape %c : (tensor<6xi32>) -> tensor<6x1xi32>\n")),
            1U);
}

/// A position elsewhere, an index that wraps or one that merely may be its own position.
TEST(Batching, OtherIndicesAreLeft) {
  EXPECT_EQ(batched(lookup("  %r = stablehlo.add %any, %any : tensor<6x1xi32>\n")), 0U);
  EXPECT_EQ(batched(lookup("  %i = stablehlo.iota dim = 0 : tensor<6x1xi32>\n"
                           "  %r = stablehlo.add %i, %i : tensor<6x1xi32>\n")),
            0U);
  EXPECT_EQ(batched(lookup("  %r = stablehlo.iota dim = 1 : tensor<6x1xi32>\n")), 0U);
  EXPECT_EQ(batched(lookup("  %i = stablehlo.iota dim = 0 : tensor<6x1xi32>\n"
                           "  %r = stablehlo.reverse %i, dims = [0] : tensor<6x1xi32>\n")),
            0U);
  for (const auto& [direction, below] : {std::pair("LT", "1"), std::pair("GE", "0"), std::pair("NE", "0")})
    EXPECT_EQ(batched(lookup(counted_from_the_end(direction, below))), 0U) << direction << below;
}

/// The operand must have as many positions as the indices: clamped, position 5 of 4 would be 3.
TEST(Batching, DimensionsOfOtherSizesAreLeft) {
  EXPECT_EQ(batched(lookup(kPositions, "4x8")), 0U);
  EXPECT_EQ(batched(lookup(kPositions, "7x8")), 0U);
}

/// A window of the operand is not one position of it, even if its size is 1.
TEST(Batching, WindowsAreLeft) {
  const Module module =
      value_or_throw(read_module(R"(func.func @main(%x: tensor<6x8xf32>, %y: tensor<6x1xi32>) -> tensor<6x1xf32> {
  %p = stablehlo.iota dim = 0 : tensor<6x1xi32>
  %q = stablehlo.concatenate %p, %y, dim = 1 : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>
  %0 = "stablehlo.gather"(%x, %q) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<6x2xi32>) -> tensor<6x1xf32>
  return %0 : tensor<6x1xf32>
})",
                                 "window.mlir"));
  EXPECT_EQ(batched(module), 0U);
}

/// x[arange(6)[:, None], arange(4)[None], y], the loss of each token: both dimensions are batched, each with its own.
TEST(Batching, SeveralDimensionsEachWithItsOwn) {
  const Module module =
      value_or_throw(read_module(R"(func.func @main(%x: tensor<6x4x9xf32>, %y: tensor<6x4x1xi32>) -> tensor<6x4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %j = stablehlo.iota dim = 0 : tensor<4xi32>
  %p = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<6xi32>) -> tensor<6x4x1xi32>
  %q = stablehlo.broadcast_in_dim %j, dims = [1] : (tensor<4xi32>) -> tensor<6x4x1xi32>
  %c = stablehlo.concatenate %p, %q, %y, dim = 2 : (tensor<6x4x1xi32>, tensor<6x4x1xi32>, tensor<6x4x1xi32>) -> tensor<6x4x3xi32>
  %0 = "stablehlo.gather"(%x, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x4x9xf32>, tensor<6x4x3xi32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
})",
                                 "tokens.mlir"));
  const std::string text = printed(with_batching(**module.main(), batchable(**module.main())));
  EXPECT_NE(text.find("operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2]"),
            std::string::npos)
      << text;
}

TEST(Batching, ARewrittenOperationKeepsItsResultAndIsWellFormed) {
  const Module module = lookup(kPositions);
  const Function& f = **module.main();
  const std::set<ValueId> operations = batchable(f);
  const Function out = with_batching(f, operations);
  ASSERT_TRUE(verify_function(out).has_value());
  EXPECT_EQ(out.returned(), f.returned());
  const std::string text = printed(out);
  EXPECT_NE(text.find("operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("indices_are_sorted = false"), std::string::npos) << text;
  EXPECT_TRUE(batchable(out).empty());
}

/// x[arange(6), arange(6)] has one dimension of indices, which can be a batching dimension once.
TEST(Batching, ADimensionOfTheIndicesIsUsedOnce) {
  const Module module = value_or_throw(read_module(R"(func.func @main(%x: tensor<6x6xf32>) -> tensor<6xf32> {
  %p = stablehlo.iota dim = 0 : tensor<6x1xi32>
  %q = stablehlo.concatenate %p, %p, dim = 1 : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>
  %0 = "stablehlo.gather"(%x, %q) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<6x6xf32>, tensor<6x2xi32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
})",
                                                   "diagonal.mlir"));
  const Function out = with_batching(**module.main(), batchable(**module.main()));
  EXPECT_TRUE(verify_function(out).has_value());
  EXPECT_NE(printed(out).find("start_index_map = [1]"), std::string::npos) << printed(out);
}

}  // namespace
}  // namespace partir
