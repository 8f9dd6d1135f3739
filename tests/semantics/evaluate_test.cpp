// Compares the block evaluator with the definition of index notation, evaluated element by element by the recursive
// interpreter of tests/semantics/naive.h: on the instances of tests/registry and on shapes that exceed a block.
#include "semantics/evaluate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/registry/claim.h"
#include "tests/registry/instances.h"
#include "tests/semantics/naive.h"

namespace partir {
namespace {

using testing::Instance;
using testing::instances;
using testing::module_text;
using testing::Naive;
using testing::ReadInstance;
using testing::varied_tensor;

/// Returns where the two evaluators differ on operands drawn from the seed, or nothing if they agree.
std::optional<std::string> disagreement(const OpInstance& op, std::uint64_t seed, const Domain& domain) {
  std::vector<Tensor> operands;
  for (std::size_t k = 0; k < op.operands.size(); ++k)
    operands.push_back(varied_tensor(*op.operands[k], seed * 100 + k, domain));
  const std::vector<Tensor> blocks = testing::evaluate(op, operands, domain);
  const Meaning meaning = meaning_of(op);
  std::optional<Tensor> value;
  if (const Attribute* a = find(op.attributes, "value")) value = from_literal(*a->as<DenseAttr>()->literal, domain);
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    const Tensor wanted = Naive(meaning, operands, value ? &*value : nullptr, domain).result(k, *op.results[k]);
    if (blocks[k].type != wanted.type || blocks[k].data.size() != wanted.data.size())
      return "a result of another shape";
    for (std::size_t i = 0; i < wanted.data.size(); ++i) {
      if (!domain.equal(wanted.data[i], blocks[k].data[i], wanted.type->element)) {
        return fmt::format("element {}: want {}, found {}; {} domain, seed {}\n{}", i,
                           domain.to_double(wanted.data[i], wanted.type->element),
                           domain.to_double(blocks[k].data[i], wanted.type->element), domain.name(), seed,
                           meaning.str());
      }
    }
  }
  return std::nullopt;
}

void expect_agreement(const std::string& text) {
  const ReadInstance read(text);
  for (const Domain* domain : {&native_domain(), &f64_domain(), &modular_domain()}) {
    for (const std::uint64_t seed : {1, 2}) {
      const auto bad = disagreement(read.op(), seed, *domain);
      EXPECT_FALSE(bad.has_value()) << text << *bad;
    }
  }
}

class BlocksAndElements : public ::testing::TestWithParam<std::string> {};

TEST_P(BlocksAndElements, AgreeOnEveryInstance) {
  for (const Instance& instance : instances()) {
    if (instance.family == GetParam()) expect_agreement(instance.text);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, BlocksAndElements, ::testing::ValuesIn(testing::families()),
                         [](const auto& family) { return family.param; });

struct Program {
  const char* arguments;
  const char* lines;
};

void expect_agreement(const std::vector<Program>& programs) {
  for (const Program& p : programs) expect_agreement(module_text(p.arguments, p.lines));
}

/// Blocks have 256 lanes. These cases have 255 to 600 elements in the largest dimension, and operations that straddle
/// the end of a block.
TEST(Blocks, AgreeWithElementsBeyondOneBlock) {
  expect_agreement({
      {"%x: tensor<300xf32>, %y: tensor<300xf32>", "  %0 = stablehlo.add %x, %y : tensor<300xf32>"},
      {"%x: tensor<2x255xf32>, %y: tensor<2x255xf32>", "  %0 = stablehlo.multiply %x, %y : tensor<2x255xf32>"},
      {"%x: tensor<256x2xf32>, %y: tensor<256x2xf32>", "  %0 = stablehlo.maximum %x, %y : tensor<256x2xf32>"},
      {"%x: tensor<257xf32>", "  %0 = stablehlo.reverse %x, dims = [0] : tensor<257xf32>"},
      {"", "  %0 = stablehlo.iota dim = 0 : tensor<600x2xi32>"},
      {"", "  %0 = stablehlo.iota dim = 1 : tensor<300x2xf32>"},
      {"%x: tensor<300xbf16>",
       "  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<300xbf16>) -> tensor<2x300xbf16>"},
      {"%x: tensor<20x30xf32>", "  %0 = stablehlo.reshape %x : (tensor<20x30xf32>) -> tensor<600xf32>"},
      {"%x: tensor<600xf32>", "  %0 = stablehlo.reshape %x : (tensor<600xf32>) -> tensor<3x200xf32>"},
      {"%x: tensor<3x300xf32>",
       "  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x300xf32>) -> tensor<300x3xf32>"},
      {"%x: tensor<700xf32>", "  %0 = stablehlo.slice %x [7:690:2] : (tensor<700xf32>) -> tensor<342xf32>"},
      {"%x: tensor<300xf32>, %c: tensor<f32>",
       "  %0 = stablehlo.pad %x, %c, low = [-3], high = [5], interior = [1] : (tensor<300xf32>, tensor<f32>) -> "
       "tensor<601xf32>"},
      {"%x: tensor<250xf32>, %y: tensor<10xf32>, %z: tensor<300xf32>",
       "  %0 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<250xf32>, tensor<10xf32>, tensor<300xf32>) -> "
       "tensor<560xf32>"},
      {"%x: tensor<600xf32>, %i: tensor<i32>",
       "  %0 = stablehlo.dynamic_slice %x, %i, sizes = [400] : (tensor<600xf32>, tensor<i32>) -> tensor<400xf32>"},
      {"%x: tensor<600xf32>, %u: tensor<290xf32>, %i: tensor<i32>",
       "  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<600xf32>, tensor<290xf32>, tensor<i32>) -> "
       "tensor<600xf32>"},
      {"%x: tensor<300x7xf32>",
       "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
       "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<300x7xf32>, "
       "tensor<f32>) -> tensor<300xf32>"},
      {"%x: tensor<5x300xf16>",
       "  %c = stablehlo.constant dense<0.0> : tensor<f16>\n"
       "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<5x300xf16>, "
       "tensor<f16>) -> tensor<5xf16>"},
      {"%x: tensor<3x5xf32>, %y: tensor<5x300xf32>",
       "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x300xf32>) -> "
       "tensor<3x300xf32>"},
      {"%x: tensor<300x3xf32>, %y: tensor<2x300xf32>",
       "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<300x3xf32>, tensor<2x300xf32>) -> "
       "tensor<3x2xf32>"},
      {"%x: tensor<9x4xf32>, %s: tensor<300x1xi32>",
       "  %0 = \"stablehlo.gather\"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
       "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
       "slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<300x1xi32>) -> tensor<300x4xf32>"},
      {"%x: tensor<300x2xf32>, %s: tensor<9x1xi32>, %u: tensor<9x2xf32>",
       "  %0 = \"stablehlo.scatter\"(%x, %s, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
       "[1], inserted_window_dims = [0], "
       "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    "
       "%r = stablehlo.add %a, %b : tensor<f32>\n"
       "    stablehlo.return %r : tensor<f32>\n  }) : (tensor<300x2xf32>, tensor<9x1xi32>, tensor<9x2xf32>) -> "
       "tensor<300x2xf32>"},
      {"%p: tensor<300xi1>, %x: tensor<300xi32>, %y: tensor<300xi32>",
       "  %0 = stablehlo.select %p, %x, %y : tensor<300xi1>, tensor<300xi32>"},
  });
}

TEST(Blocks, AgreeWithElementsOnEmptyTensorsAndScalars) {
  expect_agreement({
      {"%x: tensor<0xf32>, %y: tensor<0xf32>", "  %0 = stablehlo.add %x, %y : tensor<0xf32>"},
      {"%x: tensor<3x0x2xi32>", "  %0 = stablehlo.negate %x : tensor<3x0x2xi32>"},
      {"%x: tensor<3x0xf32>", "  %0 = stablehlo.reshape %x : (tensor<3x0xf32>) -> tensor<0x7x2xf32>"},
      {"%x: tensor<0x2xf32>", "  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<0x2xf32>) -> tensor<2x0xf32>"},
      {"%x: tensor<0xf32>, %c: tensor<f32>",
       "  %0 = stablehlo.pad %x, %c, low = [2], high = [1], interior = [3] : (tensor<0xf32>, tensor<f32>) -> "
       "tensor<3xf32>"},
      {"%x: tensor<4xf32>, %c: tensor<f32>",
       "  %0 = stablehlo.pad %x, %c, low = [-4], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> "
       "tensor<2xf32>"},
      {"%x: tensor<0x3xf32>, %c: tensor<f32>",
       "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, "
       "tensor<f32>) -> tensor<3xf32>"},
      {"%x: tensor<0x3xf32>, %c: tensor<f32>",
       "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<0x3xf32>, "
       "tensor<f32>) -> tensor<0xf32>"},
      {"%x: tensor<0xf32>, %y: tensor<3xf32>",
       "  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<0xf32>, tensor<3xf32>) -> tensor<3xf32>"},
      {"%x: tensor<2x0xf32>, %y: tensor<0x3xf32>",
       "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x3xf32>) -> "
       "tensor<2x3xf32>"},
      {"%x: tensor<f32>, %y: tensor<f32>", "  %0 = stablehlo.subtract %x, %y : tensor<f32>"},
      {"%x: tensor<f32>", "  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<f32>"},
      {"%x: tensor<i8>", "  %0 = stablehlo.convert %x : (tensor<i8>) -> tensor<f16>"},
      {"%x: tensor<1x1xf32>", "  %0 = stablehlo.reshape %x : (tensor<1x1xf32>) -> tensor<f32>"},
      {"%x: tensor<f32>, %y: tensor<f32>",
       "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>"},
  });
}

/// A start beyond the signed range must be clamped to the end, not to the beginning.
TEST(Blocks, ReadUnsignedIndicesAsUnsigned) {
  const ReadInstance read(module_text(
      "%x: tensor<4xi32>, %i: tensor<ui64>",
      "  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xi32>, tensor<ui64>) -> tensor<1xi32>"));
  Tensor x{read.op().operands[0], std::vector<Scalar>(4)};
  for (std::size_t k = 0; k < 4; ++k) x.data[k].i = static_cast<std::int64_t>(10 + k);
  Tensor start{read.op().operands[1], std::vector<Scalar>(1)};
  start.data[0].u = ~std::uint64_t{0} - 5;
  EXPECT_EQ(testing::evaluate(read.op(), {x, start}, native_domain())[0].data[0].i, 13);
}

/// Interior padding given as data may be negative, which must not abort the program.
TEST(Blocks, TakeNegativeInteriorPaddingAsNone) {
  const ReadInstance read(module_text(
      "%x: tensor<3xi32>, %c: tensor<i32>, %l: tensor<1xi32>, %h: tensor<1xi32>, %i: tensor<1xi32>",
      "  %0 = stablehlo.dynamic_pad %x, %c, %l, %h, %i : (tensor<3xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, "
      "tensor<1xi32>) -> tensor<4xi32>"));
  const auto filled = [&](std::size_t operand, const std::vector<std::int64_t>& values) {
    Tensor out{read.op().operands[operand], {}, {}};
    for (const std::int64_t v : values) {
      out.data.emplace_back();
      out.data.back().i = v;
    }
    return out;
  };
  for (const std::int64_t interior : {0, -1, -2}) {
    const Tensor out = testing::evaluate(
        read.op(), {filled(0, {5, 6, 7}), filled(1, {9}), filled(2, {1}), filled(3, {0}), filled(4, {interior})},
        native_domain())[0];
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(out.data[k].i, (std::vector<std::int64_t>{9, 5, 6, 7})[k]);
  }
}

/// A scatter of several inputs whose computation treats them independently equals one scatter for each.
TEST(Scatters, OfInputsApartAreThoseOfEach) {
  const char* const numbers =
      "<{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
      "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}>";
  const ReadInstance both(module_text(
      "%x: tensor<6x4xf32>, %y: tensor<6x4xi32>, %s: tensor<5x1xi32>, %u: tensor<5x4xf32>, %v: tensor<5x4xi32>",
      fmt::format("  %0:2 = \"stablehlo.scatter\"(%x, %y, %s, %u, %v) {} ({{\n  ^bb0(%a: tensor<f32>, %p: tensor<i32>, "
                  "%b: tensor<f32>, %q: tensor<i32>):\n    %r = stablehlo.add %a, %b : tensor<f32>\n    %t = "
                  "stablehlo.maximum %p, %q : tensor<i32>\n    stablehlo.return %r, %t : tensor<f32>, tensor<i32>\n  "
                  "}}) : (tensor<6x4xf32>, tensor<6x4xi32>, tensor<5x1xi32>, tensor<5x4xf32>, tensor<5x4xi32>) -> "
                  "(tensor<6x4xf32>, tensor<6x4xi32>)",
                  numbers)));
  const auto one = [&](const char* fn, const char* element) {
    return fmt::format(
        "  %0 = \"stablehlo.scatter\"(%x, %s, %u) {1} ({{\n  ^bb0(%a: tensor<{0}>, %b: tensor<{0}>):\n    %r = "
        "stablehlo.{2} %a, %b : tensor<{0}>\n    stablehlo.return %r : tensor<{0}>\n  }}) : (tensor<6x4x{0}>, "
        "tensor<5x1xi32>, tensor<5x4x{0}>) -> tensor<6x4x{0}>",
        element, numbers, fn);
  };
  const ReadInstance first(
      module_text("%x: tensor<6x4xf32>, %s: tensor<5x1xi32>, %u: tensor<5x4xf32>", one("add", "f32")));
  const ReadInstance second(
      module_text("%x: tensor<6x4xi32>, %s: tensor<5x1xi32>, %u: tensor<5x4xi32>", one("maximum", "i32")));
  const Domain& domain = modular_domain();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Tensor> x;
    for (std::size_t k = 0; k < 5; ++k) x.push_back(varied_tensor(*both.op().operands[k], seed * 5 + k, domain));
    const auto found = testing::evaluate(both.op(), x, domain);
    const std::vector<Tensor> wanted = {testing::evaluate(first.op(), {x[0], x[2], x[3]}, domain)[0],
                                        testing::evaluate(second.op(), {x[1], x[2], x[4]}, domain)[0]};
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t k = 0; k < 24; ++k)
        EXPECT_TRUE(domain.equal(found[r].data[k], wanted[r].data[k], wanted[r].type->element)) << r << " " << k;
    }
  }
}

/// Checks the naive evaluator itself once against values by hand: out[i] = sum k : x[i, k] * y[k].
TEST(Elements, AreWhatTheNotationSays) {
  const ReadInstance read(module_text("%x: tensor<2x3xi32>, %y: tensor<3xi32>",
                                      "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : "
                                      "(tensor<2x3xi32>, tensor<3xi32>) -> tensor<2xi32>"));
  std::vector<Tensor> operands = {{read.op().operands[0], std::vector<Scalar>(6)},
                                  {read.op().operands[1], std::vector<Scalar>(3)}};
  for (std::size_t k = 0; k < 6; ++k) operands[0].data[k].i = static_cast<std::int64_t>(k + 1);
  for (std::size_t k = 0; k < 3; ++k) operands[1].data[k].i = static_cast<std::int64_t>(k * 10);
  const Meaning meaning = meaning_of(read.op());
  const Tensor out = Naive(meaning, operands, nullptr, native_domain()).result(0, *read.op().results[0]);
  EXPECT_EQ(out.data[0].i, 1 * 0 + 2 * 10 + 3 * 20);
  EXPECT_EQ(out.data[1].i, 4 * 0 + 5 * 10 + 6 * 20);
}

TEST(LongOperations, AreInterruptedInside) {
  const std::string type = "tensor<300x300xf32>";
  const ReadInstance read(module_text(
      "%x: " + type,
      fmt::format("  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : ({0}, {0}) -> {0}", type)));
  std::vector<Tensor> operands(2, varied_tensor(*read.op().operands[0], 1, native_domain()));
  const CompiledMeaning meaning(meaning_of(read.op()), read.op().operands, read.op().results, nullptr);
  struct Interrupted {};
  std::size_t pauses = 0;
  const auto run = [&](std::size_t most) {
    return meaning.run({&operands[0], &operands[1]}, native_domain(), [&] {
      if (++pauses == most) throw Interrupted{};
    });
  };
  EXPECT_THROW((void)run(3), Interrupted);
  EXPECT_EQ(pauses, 3U);
  (void)run(0);
  EXPECT_GE(pauses, 3U + 20U) << "of 27 million products";
}

}  // namespace
}  // namespace partir
