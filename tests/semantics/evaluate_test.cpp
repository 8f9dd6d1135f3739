// The block evaluator against the definition of index notation, read element by element: a recursive interpreter of
// thirty lines, over the instances of tests/registry and shapes that blocks could get wrong.
#include "semantics/evaluate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "support/checked.h"
#include "tests/registry/claim.h"
#include "tests/registry/instances.h"

namespace partir {
namespace {

using testing::Instance;
using testing::instances;
using testing::module_text;
using testing::ReadInstance;
using testing::varied_tensor;

/// One element at a time, as the definition reads.
class Naive {
 public:
  Naive(const Meaning& meaning, const std::vector<Tensor>& operands, const Tensor* value, const Domain& domain)
      : m_(meaning), operands_(operands), value_(value), domain_(domain), at_(meaning.extents.size(), 0) {}

  Tensor result(std::size_t number, const TensorType& type) {
    Tensor out{type, {}};
    const auto& ranges = m_.results[number].ranges;
    for (std::int64_t k = 0; k < type.elements(); ++k) {
      std::int64_t rest = k;
      for (std::size_t d = type.rank(); d-- > 0;) {
        at_[ranges[d].index()] = rest % type.dims[d];
        rest /= type.dims[d];
      }
      out.data.push_back(scalar(m_.results[number].body));
    }
    return out;
  }

 private:
  std::int64_t index(IndexId id) {
    const IndexTerm& t = m_.at(id);
    using Kind = IndexTerm::Kind;
    switch (t.kind) {
      case Kind::constant: return t.value;
      case Kind::range: return at_[t.range.index()];
      case Kind::read: return element(operands_.at(static_cast<std::size_t>(t.value)), t.indices).i;
      default: break;
    }
    const std::int64_t a = index(t.a);
    const std::int64_t b = index(t.b);
    switch (t.kind) {
      case Kind::add: return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
      case Kind::multiply:
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
      case Kind::floor_div: return floor_divide(a, b);
      case Kind::mod: return a - b * floor_divide(a, b);
      case Kind::min: return std::min(a, b);
      default: return std::max(a, b);
    }
  }
  Scalar element(const Tensor& x, const std::vector<IndexId>& indices) {
    std::int64_t position = 0;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const std::int64_t i = index(indices[d]);
      if (i < 0 || i >= x.type.dims[d]) throw std::out_of_range("a read outside its operand");
      position = position * x.type.dims[d] + i;
    }
    return x.data.at(static_cast<std::size_t>(position));
  }
  bool holds(const std::vector<Guard>& guards) {
    for (const Guard& g : guards) {
      const std::int64_t v = index(g.index);
      if (g.kind == Guard::Kind::zero ? v != 0 : v < 0) return false;
    }
    return true;
  }
  Scalar scalar(ScalarId id) {
    const ScalarTerm& t = m_.at(id);
    using Kind = ScalarTerm::Kind;
    switch (t.kind) {
      case Kind::read: return element(operands_.at(t.operand), t.indices);
      case Kind::attribute: return element(*value_, t.indices);
      case Kind::literal: return domain_.from_literal(*t.literal, 0);
      case Kind::from_index: return domain_.from_index(index(t.indices.at(0)), t.type);
      case Kind::argument: return arguments_.at(t.operand);
      case Kind::guarded: return scalar(t.args[holds(t.guards) ? 0 : 1]);
      case Kind::apply: {
        std::vector<Scalar> values;
        for (const ScalarId a : t.args) values.push_back(scalar(a));
        std::vector<const Scalar*> args;
        for (const Scalar& v : values) args.push_back(&v);
        Scalar out{};
        domain_.apply(t.fn, m_.at(t.args[0]).type, t.type, args.data(), 1, &out);
        return out;
      }
      case Kind::library: throw std::logic_error("library functions are tested on their own");
      case Kind::reduce: break;
    }
    std::vector<Scalar> acc;
    for (std::size_t k = 0; k < t.combine.size(); ++k) acc.push_back(scalar(t.args[k]));
    fold(t, 0, acc);
    return acc.at(t.operand);
  }
  void fold(const ScalarTerm& t, std::size_t range, std::vector<Scalar>& acc) {
    if (range < t.ranges.size()) {
      for (std::int64_t k = 0; k < m_.extent(t.ranges[range]); ++k) {
        at_[t.ranges[range].index()] = k;
        fold(t, range + 1, acc);
      }
      return;
    }
    if (!holds(t.guards)) return;
    std::vector<Scalar> arguments = acc;
    for (std::size_t k = 0; k < acc.size(); ++k) arguments.push_back(scalar(t.args[acc.size() + k]));
    std::swap(arguments_, arguments);
    for (std::size_t k = 0; k < acc.size(); ++k) acc[k] = scalar(t.combine[k]);
    std::swap(arguments_, arguments);
  }

  const Meaning& m_;
  const std::vector<Tensor>& operands_;
  const Tensor* value_;
  const Domain& domain_;
  std::vector<std::int64_t> at_;
  std::vector<Scalar> arguments_;
};

/// Nothing, or where the two evaluators differ on operands drawn from the seed.
std::optional<std::string> disagreement(const OpInstance& op, std::uint64_t seed, const Domain& domain) {
  std::vector<Tensor> operands;
  for (std::size_t k = 0; k < op.operands.size(); ++k)
    operands.push_back(varied_tensor(op.operands[k], seed * 100 + k, domain));
  const std::vector<Tensor> blocks = testing::evaluate(op, operands, domain);
  const Meaning meaning = meaning_of(op);
  std::optional<Tensor> value;
  if (const Attribute* a = find(op.attributes, "value")) value = from_literal(*a->as<DenseAttr>()->literal, domain);
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    const Tensor wanted = Naive(meaning, operands, value ? &*value : nullptr, domain).result(k, op.results[k]);
    if (blocks[k].type != wanted.type || blocks[k].data.size() != wanted.data.size())
      return "a result of another shape";
    for (std::size_t i = 0; i < wanted.data.size(); ++i) {
      if (!domain.equal(wanted.data[i], blocks[k].data[i], wanted.type.element)) {
        return fmt::format("element {}: want {}, found {}; {} domain, seed {}\n{}", i,
                           domain.to_double(wanted.data[i], wanted.type.element),
                           domain.to_double(blocks[k].data[i], wanted.type.element), domain.name(), seed,
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

/// Blocks have 256 lanes: 255 to 600 elements along the largest dimension, and what straddles a block's end.
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

/// A start beyond the signed range clamps to the end, not to the beginning.
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

/// The naive evaluator is itself checked once against values by hand: out[i] = sum k : x[i, k] * y[k].
TEST(Elements, AreWhatTheNotationSays) {
  const ReadInstance read(module_text("%x: tensor<2x3xi32>, %y: tensor<3xi32>",
                                      "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : "
                                      "(tensor<2x3xi32>, tensor<3xi32>) -> tensor<2xi32>"));
  std::vector<Tensor> operands = {{read.op().operands[0], std::vector<Scalar>(6)},
                                  {read.op().operands[1], std::vector<Scalar>(3)}};
  for (std::size_t k = 0; k < 6; ++k) operands[0].data[k].i = static_cast<std::int64_t>(k + 1);
  for (std::size_t k = 0; k < 3; ++k) operands[1].data[k].i = static_cast<std::int64_t>(k * 10);
  const Meaning meaning = meaning_of(read.op());
  const Tensor out = Naive(meaning, operands, nullptr, native_domain()).result(0, read.op().results[0]);
  EXPECT_EQ(out.data[0].i, 1 * 0 + 2 * 10 + 3 * 20);
  EXPECT_EQ(out.data[1].i, 4 * 0 + 5 * 10 + 6 * 20);
}

}  // namespace
}  // namespace partir
