// Constraints of dot_general, convolution and reduce; each row breaks one. The labels that do not occur are those of
// quantised types.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

TEST(Constraints, DotGeneral) {
  const char* const x = "%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<3x6x5xf32>, %h: tensor<2x4x5xf16>";
  const auto dot = [](const std::string& rhs, const std::string& type, const std::string& rest,
                      const std::string& result) {
    return "%0 = stablehlo.dot_general %a, " + rhs + ", " + rest + " : (tensor<2x3x4xf32>, " + type + ") -> " + result;
  };
  const std::string t = "tensor<2x4x5xf32>";
  const std::string out = "tensor<2x3x5xf32>";
  expect_verdicts({
      {"", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [1]", out)},
      {"dot_general (arity)", x,
       R"(%0 = "stablehlo.dot_general"(%a) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>)"},
      {"dot_general (C1)", x, dot("%b", t, "batching_dims = [0] x [], contracting_dims = [2] x [1]", out)},
      {"dot_general (C2)", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x []", out)},
      {"dot_general (C3)", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [0] x [1]", out)},
      {"dot_general (C4)", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [0]", out)},
      {"dot_general (C5)", x, dot("%b", t, "batching_dims = [3] x [0], contracting_dims = [2] x [1]", out)},
      {"dot_general (C6)", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [-1] x [1]", out)},
      {"dot_general (C7)", x, dot("%b", t, "batching_dims = [0] x [7], contracting_dims = [2] x [1]", out)},
      {"dot_general (C8)", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [3]", out)},
      {"dot_general (C9)", x,
       dot("%c", "tensor<3x6x5xf32>", "batching_dims = [0] x [0], contracting_dims = [2] x [1]", out)},
      {"dot_general (C10)", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [2]", out)},
      {"dot_general (C11)", x,
       dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH]", out)},
      {"", x, dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = []", out)},
      {"dot_general (I7)", x,
       dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, LOW]", out)},
      {"dot_general (C12)", x,
       dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [1]", "tensor<2x5x3xf32>")},
      {"", x, dot("%h", "tensor<2x4x5xf16>", "batching_dims = [0] x [0], contracting_dims = [2] x [1]", out)},
      {"dot_general (C13)", x,
       dot("%h", "tensor<2x4x5xf16>", "batching_dims = [0] x [0], contracting_dims = [2] x [1]", "tensor<2x3x5xf16>")},
  });
}

TEST(Constraints, DotAlgorithm) {
  const std::string form = R"(func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [$precision$, DEFAULT], algorithm = <lhs_precision_type = $lhs$, rhs_precision_type = $rhs$, accumulation_type = $sum$, lhs_component_count = $lhs_count$, rhs_component_count = $rhs_count$, num_primitive_operations = $count$, allow_imprecise_accumulation = $imprecise$> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
})";
  const Fields good = {{"precision", "DEFAULT"}, {"lhs", "tf32"},    {"rhs", "bf16"}, {"sum", "f32"},
                       {"lhs_count", "1"},       {"rhs_count", "1"}, {"count", "1"},  {"imprecise", "false"}};
  expect_verdicts(form, good,
                  {
                      {"", {}},
                      {"dot_general (I8)", {{"lhs", "i32"}}},
                      {"dot_general (I9)", {{"rhs", "complex<f32>"}}},
                      {"dot_general (I10)", {{"sum", "other"}}},
                      {"dot_general (I11)", {{"lhs_count", "true"}}},
                      {"dot_general (I12)", {{"rhs_count", "4294967296"}}},
                      {"dot_general (I13)", {{"count", "1.5"}}},
                      {"dot_general (I14)", {{"imprecise", "0"}}},
                      {"dot_general (C21)", {{"precision", "HIGHEST"}}},
                      {"dot_general (C22)", {{"lhs_count", "0"}}},
                      {"dot_general (C23)", {{"rhs_count", "-1"}}},
                      {"dot_general (C24)", {{"count", "0"}}},
                  });
}

TEST(Constraints, Convolution) {
  const std::string form = R"(func.func @main(%x: $x$, %y: $y$) {
  %0 = "stablehlo.convolution"($operands$) <{dimension_numbers = #stablehlo.conv<$numbers$>, window_strides = array<i64: $strides$>, padding = $padding$, lhs_dilation = array<i64: $lhs_dilation$>, rhs_dilation = array<i64: $rhs_dilation$>, window_reversal = $reversal$, feature_group_count = $features$, batch_group_count = $batches$, precision_config = [$precisions$]}> : ($types$) -> $out$
  return
})";
  const auto precision = [](const std::string& name) { return "#stablehlo<precision " + name + ">"; };
  const Fields good = {{"operands", "%x, %y"},
                       {"types", "$x$, $y$"},
                       {"x", "tensor<4x8x9x6xf32>"},
                       {"y", "tensor<3x2x6x12xf32>"},
                       {"numbers", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"},
                       {"strides", "2, 1"},
                       {"padding", "dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>"},
                       {"lhs_dilation", "1, 2"},
                       {"rhs_dilation", "2, 1"},
                       {"reversal", "array<i1: false, true>"},
                       {"features", "1 : i64"},
                       {"batches", "1 : i64"},
                       {"precisions", precision("HIGH") + ", " + precision("DEFAULT")},
                       {"out", "tensor<4x3x18x12xf32>"}};
  const auto raw = [](const std::string& input, const std::string& kernel, const std::string& output) {
    return "raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = " + input +
           ", kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = " +
           kernel + ", output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = " + output;
  };
  const std::string flat = "tensor<4xf32>";
  expect_verdicts(
      form, good,
      {
          {"", {}},
          {"", {{"numbers", raw("[1, 2]", "[0, 1]", "[1, 2]")}}},
          {"", {{"strides", "1, 1"}, {"padding", "dense<0> : tensor<2x2xi64>"}, {"out", "tensor<4x4x16x12xf32>"}}},
          {"convolution (arity)", {{"operands", "%x"}, {"types", "$x$"}}},
          {"convolution (attributes)", {{"numbers", "[b, 0, 1, g]x[0, 1, i, o]->[b, 0, 1, f]"}}},
          {"convolution (attributes)", {{"numbers", "[b, 0, b, f]x[0, 1, i, o]->[b, 0, 1, f]"}}},
          {"convolution (attributes)", {{"numbers", "[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]"}}},
          {"convolution (attributes)", {{"numbers", "[b, 0, 1, f]x[0, 1, i, o]"}}},
          {"convolution (attributes)", {{"numbers", raw("true", "[0, 1]", "[1, 2]")}}},
          {"convolution (C1)", {{"y", "tensor<3x6x12xf32>"}}},
          {"convolution (C1)", {{"x", flat}, {"y", flat}}},
          {"convolution (C2)", {{"strides", "1"}}},
          {"convolution (C3)", {{"strides", "0, 1"}}},
          {"convolution (I4)", {{"padding", "dense<0> : tensor<4xi64>"}}},
          {"convolution (I4)", {{"padding", "dense<(0.0, 0.0)> : tensor<2x2xcomplex<f64>>"}}},
          {"convolution (I4)", {{"padding", "3 : i64"}}},
          {"convolution (C4)", {{"padding", "dense<0> : tensor<3x2xi64>"}}},
          {"convolution (C4)", {{"padding", "dense<0> : tensor<2x3xi64>"}}},
          {"convolution (C5)", {{"lhs_dilation", "1, 1, 1"}}},
          {"convolution (C6)", {{"lhs_dilation", "1, -1"}}},
          {"convolution (C7)", {{"rhs_dilation", "1"}}},
          {"convolution (C8)", {{"rhs_dilation", "0, 1"}}},
          {"convolution (I7)", {{"reversal", "dense<0> : tensor<2xi64>"}}},
          {"convolution (I7)", {{"reversal", "unit"}}},
          {"convolution (C9)", {{"reversal", "array<i1: true>"}}},
          {"convolution (C9)", {{"reversal", "dense<true> : tensor<3xi1>"}}},
          {"convolution (C10)", {{"batches", "3 : i64"}}},
          {"convolution (C11)", {{"features", "4 : i64"}}},
          {"convolution (C12)", {{"numbers", "[b, 0, ?, f]x[0, 1, i, o]->[b, 0, 1, f]"}}},
          {"convolution (C12)", {{"numbers", "[b, 0, f]x[0, 1, i, o]->[b, 0, 1, f]"}}},
          {"convolution (C13)", {{"numbers", raw("[1, 1]", "[0, 1]", "[1, 2]")}}},
          {"convolution (C13)", {{"numbers", raw("[1, 4]", "[0, 1]", "[1, 2]")}}},
          {"convolution (C13)", {{"numbers", raw("[1, -1]", "[0, 1]", "[1, 2]")}}},
          {"convolution (C14)", {{"y", "tensor<3x2x5x12xf32>"}}},
          {"convolution (C15)", {{"batches", "2 : i64"}, {"y", "tensor<3x2x6x11xf32>"}}},
          {"convolution (C16)", {{"features", "2 : i64"}, {"y", "tensor<3x2x3x11xf32>"}}},
          {"convolution (C17)", {{"numbers", raw("[1, 2]", "[0]", "[1, 2]")}}},
          {"convolution (C18)", {{"numbers", raw("[1, 2]", "[0, 2]", "[1, 2]")}}},
          {"convolution (C18)", {{"numbers", raw("[1, 2]", "[0, 4]", "[1, 2]")}}},
          {"convolution (C19)", {{"numbers", raw("[1, 2]", "[0, 1]", "[]")}}},
          {"convolution (C20)", {{"numbers", raw("[1, 2]", "[0, 1]", "[3, 2]")}}},
          {"convolution (C20)", {{"numbers", raw("[1, 2]", "[0, 1]", "[1, 9]")}}},
          {"convolution (I17)", {{"features", "unit"}}},
          {"convolution (I18)", {{"batches", "1.0 : f32"}}},
          {"convolution (C21)", {{"features", "0 : i64"}}},
          {"convolution (C22)", {{"batches", "-1 : i64"}}},
          {"convolution (C23)", {{"features", "2 : i64"}, {"batches", "2 : i64"}}},
          {"convolution (I19)", {{"precisions", precision("LOW") + ", " + precision("DEFAULT")}}},
          {"convolution (C24)", {{"precisions", precision("HIGH")}}},
          {"convolution (C25)", {{"out", "tensor<4x3x17x12xf32>"}}},
          {"convolution (C25)", {{"out", "tensor<3x3x18x12xf32>"}}},
          {"convolution (C25)", {{"out", "tensor<4x3x18x11xf32>"}}},
          {"convolution (C25)", {{"lhs_dilation", "1, 9223372036854775807"}}},
          {"convolution (C25)", {{"padding", "dense<-9223372036854775808> : tensor<2x2xi64>"}}},
          {"convolution (C26)", {{"out", "tensor<4x3x18xf32>"}}},
          {"convolution (C27)", {{"y", "tensor<3x2x6x12xi32>"}}},
          // The result's element type may be wider than the specification allows, as JAX's preferred_element_type makes
          // it.
          {"", {{"out", "tensor<4x3x18x12xf64>"}}},
      });
}

TEST(Constraints, Reduce) {
  const char* const x = "%x: tensor<2x3xf32>, %y: tensor<3x3xf32>, %z: tensor<f32>, %i: tensor<i32>, %v: tensor<1xf32>";
  const auto reduce = [](const std::string& dims, const std::string& result) {
    return "%0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = " + dims +
           " : (tensor<2x3xf32>, tensor<f32>) -> " + result;
  };
  const auto body = [](const std::string& arguments, const std::string& returned, const std::string& element = "f32") {
    return R"(%0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({ ^bb0()" + arguments +
           "): stablehlo.return " + returned + " }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x" + element + ">";
  };
  expect_verdicts({
      {"", x, reduce("[0]", "tensor<3xf32>")},
      {"", x, reduce("[]", "tensor<2x3xf32>")},
      {"reduce (attributes)", x,
       R"(%0 = "stablehlo.reduce"(%x, %z) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %a : tensor<f32> }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>)"},
      {"reduce (C1)", x,
       R"(%0:2 = stablehlo.reduce(%x init: %z), (%y init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) { stablehlo.return %a, %c : tensor<f32>, tensor<f32> })"},
      {"reduce (C2)", x,
       "%0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, "
       "tensor<i32>) -> tensor<3xf32>"},
      {"reduce (I2)", x,
       "%0 = stablehlo.reduce(%x init: %v) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, "
       "tensor<1xf32>) -> tensor<3xf32>"},
      {"reduce (C3)", x,
       R"(%0 = "stablehlo.reduce"(%x) <{dimensions = array<i64: 0>}> : (tensor<2x3xf32>) -> tensor<3xf32>)"},
      {"reduce (C3)", x, R"("stablehlo.reduce"() <{dimensions = array<i64: 0>}> : () -> ())"},
      {"reduce (C4)", x, reduce("[2]", "tensor<3xf32>")},
      {"reduce (C5)", x, reduce("[0, 0]", "tensor<3xf32>")},
      {"reduce (C6)", x,
       R"(%0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>)"},
      {"reduce (C6)", x, body("%a: tensor<f32>", "%a : tensor<f32>")},
      {"reduce (C6)", x, body("%a: tensor<f32>, %b: tensor<f32>", "%a, %b : tensor<f32>, tensor<f32>")},
      {"reduce (C6)", x, body("%a: tensor<f32>, %b: tensor<i32>", "%a : tensor<f32>")},
      {"reduce (C6)", x, body("%a: tensor<1xf32>, %b: tensor<1xf32>", "%a : tensor<1xf32>", "f32")},
      {"reduce (C6)", x, body("%a: tensor<f16>, %b: tensor<f16>", "%a : tensor<f16>", "f16")},
      {"reduce (C6)", x, body("%a: tensor<i32>, %b: tensor<i32>", "%a : tensor<i32>", "i32")},
      {"", x, body("%a: tensor<f64>, %b: tensor<f64>", "%a : tensor<f64>", "f64")},  // promotable
      {"reduce (C8)", x, body("%a: tensor<f64>, %b: tensor<f64>", "%a : tensor<f64>", "f32")},
      {"reduce (C8)", x, reduce("[0]", "tensor<3xf64>")},
      {"reduce (C4)", x, reduce("[-1]", "tensor<3xf32>")},
      {"reduce (C7)", x, reduce("[0]", "tensor<2xf32>")},
  });
}

}  // namespace
}  // namespace partir::testing
