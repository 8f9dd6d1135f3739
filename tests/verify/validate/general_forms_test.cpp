// The general form into which validation brings operations that partitioners print in several ways: it computes the
// same values.
#include "verify/validate/general_forms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "ir/text/print.h"
#include "ir/text/read.h"
#include "semantics/domain_native.h"
#include "semantics/interpreter.h"
#include "support/file.h"
#include "verify/validate/deduplicate.h"
#include "verify/validate/fold_constants.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

Module read(const std::string& text) { return value_or_throw(read_module(text, "test.mlir")); }

Function in_one_form(const Module& module) {
  return with_one_form_of_movement(**with_general_forms(value_or_throw(inline_calls(module))).main());
}

std::vector<std::string> operations(const Function& f) {
  std::vector<std::string> out;
  for (const Op& op : f.body.ops) out.push_back(op.name());
  return out;
}

/// Expects the program and each general form of it to give bit-identical results on random inputs.
void expect_same(const Module& module, const std::string& name) {
  const Module plain = value_or_throw(inline_calls(module));
  const Function& f = **plain.main();
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < f.arguments().size(); ++k) {
    if (!f.type(f.arguments()[k]).is_tensor()) return;
    inputs.push_back(random_tensor(f.tensor(f.arguments()[k]), 7, k, native_domain()));
  }
  const auto wanted = run_sequential(f, inputs, native_domain());
  if (!wanted) return;  // nothing to compare
  for (const Function& form : {in_one_form(module), with_own_broadcasts(deduplicated(f)), with_folded_constants(f)}) {
    const auto got = value_or_throw(run_sequential(form, inputs, native_domain()));
    ASSERT_EQ(got.size(), wanted->size()) << name;
    for (std::size_t k = 0; k < got.size(); ++k)
      EXPECT_EQ(difference(got[k], (*wanted)[k], native_domain()).elements, 0) << name << ", result " << k;
  }
}

TEST(GeneralForms, WriteProductsSquaresAndComparisonsOneWay) {
  const Module m = read(R"(module {
  func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xi1> {
    %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = chlo.square %0 : tensor<2x4xf32> -> tensor<2x4xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    return %2 : tensor<2x4xi1>
  }
})");
  const Function f = in_one_form(m);
  EXPECT_EQ(operations(f), (std::vector<std::string>{"stablehlo.dot_general", "stablehlo.multiply", "stablehlo.compare",
                                                     "func.return"}));
  EXPECT_EQ(find(f.body.ops[2].attributes, "compare_type"), nullptr);
  expect_same(m, "products");
}

TEST(GeneralForms, GiveEachUseABroadcastOfItsOwn) {
  const Module m = read(R"(module {
  func.func @main(%a: tensor<f32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.multiply %0, %x : tensor<4xf32>
    %2 = stablehlo.multiply %0, %y : tensor<4xf32>
    return %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
})");
  const Function f = with_own_broadcasts(**m.main());
  EXPECT_EQ(operations(f),
            (std::vector<std::string>{"stablehlo.broadcast_in_dim", "stablehlo.broadcast_in_dim", "stablehlo.multiply",
                                      "stablehlo.broadcast_in_dim", "stablehlo.multiply", "func.return"}));
  EXPECT_NE(f.body.ops[2].operands[0], f.body.ops[4].operands[0]);
  expect_same(m, "broadcasts");
}

TEST(GeneralForms, MoveOnceInOneWay) {
  // A bias that is added to rows, as XLA prints it and as JAX does.
  const Module xla = read(R"(module {
  func.func @main(%a: tensor<4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    return %3 : tensor<3x4xf32>
  }
})");
  const Module jax = read(R"(module {
  func.func @main(%a: tensor<4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<3x4xf32>
    return %1 : tensor<3x4xf32>
  }
})");
  for (const Module& m : {xla, jax}) {
    const Function f = in_one_form(m);
    const Op& last = f.body.ops[f.body.ops.size() - 2];
    EXPECT_EQ(last.name(), "stablehlo.broadcast_in_dim");
    EXPECT_EQ(last.operands[0], f.arguments()[0]);
    expect_same(m, "a bias");
  }
}

TEST(GeneralForms, KeepATransposingBroadcast) {
  const Module m = read(R"(module {
  func.func @main(%a: tensor<2x3x1xf32>) -> tensor<3x1x2xf32> {
    %0 = stablehlo.broadcast_in_dim %a, dims = [2, 0, 1] : (tensor<2x3x1xf32>) -> tensor<3x1x2xf32>
    return %0 : tensor<3x1x2xf32>
  }
})");
  expect_same(m, "a transpose");
}

TEST(GeneralForms, OfACallThatReturnsATupleHasItsMeaning) {
  // XLA writes the calls of LAPACK so, and JAX with several results.
  const auto call = [](const std::string& size, const std::string& rest) {
    return fmt::format(R"(module {{
  func.func @main(%a: tensor<{0}x3x3xf32>) -> tensor<{0}x3x3xf32> {{
    {1}
  }}
}})",
                       size, rest);
  };
  const Module source = read(call(
      "8",
      R"(%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<8x3x3xf32>) -> (tensor<8x3x3xf32>, tensor<8xi32>)
    return %0#0 : tensor<8x3x3xf32>)"));
  const Module device = read(call(
      "2",
      R"(%0 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_spotrf_ffi", backend_config = {uplo = 76 : ui8}, api_version = 4 : i32}> : (tensor<2x3x3xf32>) -> tuple<tensor<2x3x3xf32>, tensor<2xi32>>
    %1 = "stablehlo.get_tuple_element"(%0) <{index = 0 : i64}> : (tuple<tensor<2x3x3xf32>, tensor<2xi32>>) -> tensor<2x3x3xf32>
    return %1 : tensor<2x3x3xf32>)"));
  Options options;
  options.shardings = R"({"mesh": "d=4", "arguments": ["[{d}, {}, {}]"], "results": ["[{d}, {}, {}]"]})";
  const Validation v = value_or_throw(validate_partition(source, device, {}, options));
  EXPECT_EQ(v.verdict, Verdict::proved) << v.reason;
}

TEST(GeneralForms, ComputeTheSameInRealPrograms) {
  std::size_t programs = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(PARTIR_SOURCE_DIR) + "/tests/verify/validate/pairs")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".seq.mlir")) continue;
    const auto module = read_module(value_or_throw(read_file(path)), path);
    if (!module) continue;
    expect_same(*module, path);
    ++programs;
  }
  EXPECT_GE(programs, 40U);
}

}  // namespace
}  // namespace partir::validate
