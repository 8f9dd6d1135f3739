// Offloading to the host, on a step small enough to compute by hand, and the rules by which buffers are counted, one by
// one.
#include "simulate/offload.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "simulate/simulate.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

/// Three activations of 64 bytes that are unused while a kilobyte is live, and three optimizer moments of 64 bytes
/// each.
constexpr const char* kStep = R"(func.func @main(%x: tensor<4x4xf32>, %q: tensor<4x64xf32>, %r: tensor<64x4xf32>,
    %m: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}, %n: tensor<4x4xf32> {tf.aliasing_output = 2 : i32},
    %o: tensor<4x4xf32> {tf.aliasing_output = 3 : i32})
    -> (tensor<f32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = stablehlo.dot_general %b, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %big = stablehlo.dot_general %c, %q, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %d = stablehlo.dot_general %big, %r, contracting_dims = [1] x [0] : (tensor<4x64xf32>, tensor<64x4xf32>) -> tensor<4x4xf32>
  %e = stablehlo.dot_general %d, %c, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = stablehlo.dot_general %e, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %g = stablehlo.dot_general %f, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %loss = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %m2 = stablehlo.add %m, %g : tensor<4x4xf32>
  %n2 = stablehlo.add %n, %g : tensor<4x4xf32>
  %o2 = stablehlo.add %o, %g : tensor<4x4xf32>
  return %loss, %m2, %n2, %o2 : tensor<f32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
})";

Device with_host(double bandwidth) {
  Device d = value_or_throw(find_device("a100"));
  d.host_bandwidth = bandwidth;
  return d;
}

Result<Simulation> stepped(const Device& device, const OffloadOptions& offload, const BufferRules& rules = {},
                           const char* text = kStep) {
  const Module m = value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
  SimulationOptions options;
  options.mesh = value_or_throw(Mesh::parse("x=1"));
  options.offload = offload;
  options.software.buffers = rules;
  return simulate(m, value_or_throw(names_of(**m.main(), std::nullopt, "")), device, options);
}

TEST(Offload, OfOptimizerStateLeavesTheTwoLargestAndTakesTheLinksTime) {
  const Simulation before = value_or_throw(stepped(with_host(64), {}));
  const Simulation after = value_or_throw(stepped(with_host(64), {.optimizer_state = true}));
  EXPECT_EQ(after.offloaded.optimizer_state, 3 * 64);
  EXPECT_EQ(after.offloaded.activations, 0);
  EXPECT_DOUBLE_EQ(total(before.peak) - total(after.peak), 64);
  // Three seconds on the link, less the microseconds in which the update's kernel hides them.
  EXPECT_NEAR(after.overlapped - before.overlapped, 3, 1e-4);
  EXPECT_LT(after.overlapped - before.overlapped, 3);
  EXPECT_NEAR(after.exposed(), before.exposed(), 1e-12);
}

TEST(Offload, OfActivationsLeavesTheTwoLargestAndWaitsBothWays) {
  const Simulation before = value_or_throw(stepped(with_host(64), {}));
  const Simulation after = value_or_throw(stepped(with_host(64), {.activations = true}));
  EXPECT_EQ(after.offloaded.activations, 3 * 64);  // a, b and c: each is read before big and after d
  EXPECT_DOUBLE_EQ(total(before.peak) - total(after.peak), 64);
  EXPECT_NEAR(after.overlapped - before.overlapped, 3 + 3, 1e-3);
}

TEST(Offload, CostsNothingOnALinkThatIsFastEnough) {
  const Simulation before = value_or_throw(stepped(with_host(1e12), {}));
  const Simulation after = value_or_throw(stepped(with_host(1e12), {.optimizer_state = true, .activations = true}));
  EXPECT_EQ(after.offloaded.optimizer_state + after.offloaded.activations, 6 * 64);
  EXPECT_NEAR(after.overlapped, before.overlapped, 1e-8);
}

TEST(Offload, IsRefusedWithoutALinkToTheHost) {
  const auto refused = stepped(with_host(0), {.activations = true});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text().find("no link to the host"), std::string::npos);
  EXPECT_TRUE(stepped(with_host(0), {}).has_value());
}

TEST(Offload, SaysWhereThereIsNothingToOffload) {
  const Simulation s = value_or_throw(stepped(with_host(64), {.optimizer_state = true, .activations = true}, {},
                                              R"(func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.sine %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  })"));
  ASSERT_EQ(s.notes.size(), 2U);
  EXPECT_EQ(s.offloaded.seconds, 0);
}

// --- Rules of buffers -----------------------------------------------------------------------------------------------

Function function_of(const std::string& text) {
  const Module m = value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
  return **m.main();
}

std::size_t count_of(const Function& f, const std::string& name) {
  std::size_t n = 0;
  for (const Op& op : f.body.ops) n += op.name() == name ? 1 : 0;
  return n;
}

TEST(BufferRules, OperandsOfProductsAreTransposedToBatchRowsDepth) {
  const Function f = function_of(
      R"(func.func @main(%x: tensor<8x8x16xf32>, %w: tensor<4x4x16xf32>, %u: tensor<16x8xf32>) -> (tensor<8x8x4x4xf32>, tensor<8x8x8xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [2] : (tensor<8x8x16xf32>, tensor<4x4x16xf32>) -> tensor<8x8x4x4xf32>
    %1 = stablehlo.dot_general %x, %u, contracting_dims = [2] x [0] : (tensor<8x8x16xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
    return %0, %1 : tensor<8x8x4x4xf32>, tensor<8x8x8xf32>
  })");
  const Function ordered = ordered_operands(f);
  ASSERT_EQ(count_of(ordered, "stablehlo.transpose"), 1U);  // only w is transposed
  const Op& transpose = ordered.body.ops[0];
  EXPECT_EQ(ordered.type(transpose.results[0]).str(), "tensor<16x4x4xf32>");
  EXPECT_EQ(find(ordered.body.ops[1].attributes, "rhs_contracting_dimensions")->as<IntsAttr>()->values,
            std::vector<std::int64_t>{0});
}

TEST(BufferRules, ConvolutionsHaveFeaturesLast) {
  // The gradient of a kernel, as JAX writes it: batch and features change places.
  const Function f = function_of(
      R"(func.func @main(%x: tensor<8x16x12x3xf32>, %g: tensor<8x14x10x5xf32>) -> (tensor<3x3x3x5xf32>, tensor<8x1x1x5xf32>) {
    %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x16x12x3xf32>, tensor<8x14x10x5xf32>) -> tensor<3x3x3x5xf32>
    %k = stablehlo.constant dense<1.0> : tensor<16x12x3x5xf32>
    %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x16x12x3xf32>, tensor<16x12x3x5xf32>) -> tensor<8x1x1x5xf32>
    return %0, %1 : tensor<3x3x3x5xf32>, tensor<8x1x1x5xf32>
  })");
  const Function ordered = ordered_operands(f);
  ASSERT_TRUE(verify_function(ordered));
  ASSERT_EQ(count_of(ordered, "stablehlo.transpose"), 3U);  // both operands and the result of the first
  std::vector<std::string> types;
  for (const Op& op : ordered.body.ops) {
    if (!op.results.empty()) types.push_back(ordered.type(op.results[0]).str());
  }
  EXPECT_EQ(types, (std::vector<std::string>{"tensor<3x16x12x8xf32>", "tensor<14x10x8x5xf32>", "tensor<3x3x3x5xf32>",
                                             "tensor<3x3x3x5xf32>", "tensor<16x12x3x5xf32>", "tensor<8x1x1x5xf32>"}));
}

TEST(BufferRules, ATransposeOfATransposeIsOne) {
  const Function f = function_of(
      R"(func.func @main(%x: tensor<8x16x4xf32>, %w: tensor<16x8xf32>) -> tensor<8x4x8xf32> {
    %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<8x16x4xf32>) -> tensor<8x4x16xf32>
    %0 = stablehlo.dot_general %t, %w, contracting_dims = [2] x [0] : (tensor<8x4x16xf32>, tensor<16x8xf32>) -> tensor<8x4x8xf32>
    return %0 : tensor<8x4x8xf32>
  })");
  const Function ordered = ordered_operands(f);
  EXPECT_EQ(count_of(ordered, "stablehlo.transpose"), 2U);
  // Both read x itself; nothing reads the program's own transpose any more.
  for (const Op& op : ordered.body.ops) {
    if (op.name() == "stablehlo.transpose") {
      EXPECT_EQ(op.operands[0], ordered.arguments()[0]);
    }
  }
}

TEST(BufferRules, EqualOperationsAreOneButEffectsAndCollectivesStay) {
  const Function f = function_of(R"(func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = stablehlo.sine %x : tensor<4xf32>
    %b = stablehlo.sine %x : tensor<4xf32>
    %c = stablehlo.cosine %b : tensor<4xf32>
    %d = stablehlo.cosine %a : tensor<4xf32>
    %e = stablehlo.add %c, %d : tensor<4xf32>
    return %e : tensor<4xf32>
  })");
  const Function once = common_once(f);
  EXPECT_EQ(count_of(once, "stablehlo.sine"), 1U);
  EXPECT_EQ(count_of(once, "stablehlo.cosine"), 1U);
}

TEST(BufferRules, ADonatedArgumentIsCopiedWhereItsResultDoesNotWaitForAReader) {
  // The gradient of w does not depend on the product that reads w, so the update could be computed first.
  const char* const text =
      R"(func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %g = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %n = stablehlo.add %w, %g : tensor<8x8xf32>
    return %y, %n : tensor<8x8xf32>, tensor<8x8xf32>
  })";
  const Device device = with_host(0);
  const double as_it_is = total(value_or_throw(stepped(device, {}, {}, text)).peak);
  const double copied = total(value_or_throw(stepped(device, {}, {.copied_donations = true}, text)).peak);
  EXPECT_EQ(copied - as_it_is, 8 * 8 * 4);
}

TEST(BufferRules, WithOneResultALookedAtValueIsStoredForProductsAndMadeAgainForLoops) {
  // x + 1 is read by a product and by an addition: it is stored for the product and computed again in the addition's
  // kernel.
  const char* const text = R"(func.func @main(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %one = stablehlo.constant dense<1.0> : tensor<8x8xf32>
    %a = stablehlo.add %x, %one : tensor<8x8xf32>
    %y = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %z = stablehlo.add %a, %y : tensor<8x8xf32>
    return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
  })";
  const Device device = with_host(0);
  const double kept = total(value_or_throw(stepped(device, {}, {}, text)).peak);
  const double again = total(value_or_throw(stepped(device, {}, {.one_result = true}, text)).peak);
  EXPECT_LE(again, kept);
  EXPECT_EQ(value_or_throw(stepped(device, {}, {.one_result = true}, text)).kernels, 3);
}

TEST(BufferRules, SoftwareFilesNameThemAndCombiningNeedsOneResult) {
  EXPECT_TRUE(value_or_throw(find_software("xla_cpu")).buffers.breadth_first);
  EXPECT_FALSE(value_or_throw(find_software("xla")).buffers.breadth_first);
  const auto read = [](const std::string& rules, const std::string& sources) {
    return read_software(fmt::format(R"({{"name": "x", "bucket": 1, "prefetch": 1, "buffers": [{}], "attention": {{}},
      "sources": {{"bucket": "s", "prefetch": "s"{}}}}})",
                                     rules, sources),
                         "x.json");
  };
  EXPECT_TRUE(read(R"("one_result")", R"(, "buffers.one_result": "s")").has_value());
  EXPECT_FALSE(read(R"("one_result")", "").has_value());  // without a source
  EXPECT_FALSE(read(R"("two_results")", "").has_value());
  EXPECT_FALSE(read(R"("combines_first")", R"(, "buffers.combines_first": "s")").has_value());
}

}  // namespace
}  // namespace partir
