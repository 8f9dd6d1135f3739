// Calls of LAPACK are functions of their matrices, batch by batch, and of nothing else.
#include "ir/linear_algebra.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/prove/instance.h"

namespace partir::prove {
namespace {

/// A function that calls LAPACK on `batch` matrices, as JAX writes it.
Module call_on(std::int64_t batch, const std::string& attributes, const std::string& target = "lapack_ssyevd_ffi") {
  return value_or_throw(read_module(
      fmt::format(
          "func.func @main(%x: tensor<{0}x4x4xf32>) -> (tensor<{0}x4x4xf32>, tensor<{0}x4xf32>, tensor<{0}xi32>) {{\n"
          "  %0:3 = stablehlo.custom_call @{2}(%x) {{{1}}} : (tensor<{0}x4x4xf32>) -> "
          "(tensor<{0}x4x4xf32>, tensor<{0}x4xf32>, tensor<{0}xi32>)\n"
          "  return %0#0, %0#1, %0#2 : tensor<{0}x4x4xf32>, tensor<{0}x4xf32>, tensor<{0}xi32>\n}}\n",
          batch, attributes, target),
      "test.mlir"));
}

constexpr const char* kLower = "mhlo.backend_config = {uplo = 76 : ui8}";

TEST(LinearAlgebra, IsTiledByBatches) {
  const Module whole = call_on(8, kLower);
  const Module part = call_on(4, kLower);
  const Function& f = whole.functions[0];
  const OpInstance op = instance_of(f, f.body.ops[0]);
  const auto entries = entries_of(op);
  ASSERT_EQ(entries.size(), 1U);
  const OpInstance local = instance_of(part.functions[0], part.functions[0].body.ops[0]);
  EXPECT_EQ(decide_instance(op, entries[0], 2, local).verdict, Verdict::proved);
  EXPECT_TRUE(localize(op, entries[0], 2).has_value());
}

TEST(LinearAlgebra, IsNotTiledOtherwise) {
  const Module whole = call_on(8, kLower);
  const OpInstance op = instance_of(whole.functions[0], whole.functions[0].body.ops[0]);
  const Action sum = Action::partial(Monoid::sum);
  EXPECT_NE(decide_instance(op, {{sum}, {sum, sum, sum}}, 2, op).verdict, Verdict::proved);
  const Action first = Action::tile(0);
  const Module part = call_on(4, kLower);
  const OpInstance local = instance_of(part.functions[0], part.functions[0].body.ops[0]);
  EXPECT_NE(decide_instance(op, {{first}, {first, first, Action::any()}}, 2, local).verdict, Verdict::proved);
}

TEST(LinearAlgebra, IsTheSameFunctionOnlyWithTheSameConfiguration) {
  const auto same = [](const Module& a, const Module& b) {
    return decide_same(a.functions[0], b.functions[0]).verdict;
  };
  const Module call = call_on(2, kLower);
  EXPECT_EQ(same(call, call_on(2, kLower)), Verdict::proved);
  EXPECT_NE(same(call, call_on(2, "mhlo.backend_config = {uplo = 85 : ui8}")), Verdict::proved);
  EXPECT_NE(same(call, call_on(2, kLower, "lapack_dsyevd_ffi")), Verdict::proved);
  const auto in_order = [](const char* order) {
    return call_on(2, fmt::format("operand_layouts = [dense<[{}]> : tensor<3xindex>]", order));
  };
  EXPECT_EQ(same(in_order("1, 2, 0"), in_order("1, 2, 0")), Verdict::proved);
  EXPECT_NE(same(in_order("1, 2, 0"), in_order("2, 1, 0")), Verdict::proved);
}

// A library reads matrices one after another in memory: with another order, one matrix has elements of several batches.
TEST(LinearAlgebra, IsTiledByBatchesOnlyIfTheyAreOutermostInMemory) {
  const auto kind = [](const char* operand, const char* result) {
    const Module m = call_on(2, fmt::format("operand_layouts = [dense<[{}]> : tensor<3xindex>], result_layouts = "
                                            "[dense<[1, 2, 0]> : tensor<3xindex>, dense<[{}]> : tensor<2xindex>, "
                                            "dense<0> : tensor<1xindex>]",
                                            operand, result));
    return m.functions[0].body.ops[0].decl->kind;
  };
  EXPECT_EQ(kind("1, 2, 0", "1, 0"), OpDecl::Kind::array);
  EXPECT_EQ(kind("2, 1, 0", "1, 0"), OpDecl::Kind::array);
  EXPECT_EQ(kind("0, 1, 2", "1, 0"), OpDecl::Kind::host);
  EXPECT_EQ(kind("1, 0, 2", "1, 0"), OpDecl::Kind::host);
  EXPECT_EQ(kind("2, 1, 0", "0, 1"), OpDecl::Kind::host);
}

TEST(LinearAlgebra, OtherCallsAreUnknown) {
  for (const char* target : {"my_ssyevd_ffi", "lapack_ssyevd", "xla_ffi_python_cpu_callback"}) {
    const Module m = call_on(2, kLower, target);
    EXPECT_EQ(m.functions[0].body.ops[0].decl->kind, OpDecl::Kind::host) << target;
  }
  const Module effects = call_on(2, "has_side_effect = true");
  EXPECT_EQ(effects.functions[0].body.ops[0].decl->kind, OpDecl::Kind::host);
}

TEST(LinearAlgebra, ArraysOfOtherBatchesAreNotItsMatrices) {
  const auto m = read_module(
      "func.func @main(%x: tensor<8x4x4xf32>) -> tensor<4x4xf32> {\n"
      "  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<8x4x4xf32>) -> tensor<4x4xf32>\n"
      "  return %0 : tensor<4x4xf32>\n}\n",
      "test.mlir");
  ASSERT_TRUE(m.has_value());
  EXPECT_EQ(m->functions[0].body.ops[0].decl->kind, OpDecl::Kind::host);
}

}  // namespace
}  // namespace partir::prove
