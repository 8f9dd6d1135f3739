// Constraints of the operations whose sizes are operands; each row breaks one. Constraints on the values of those sizes
// can only be checked when the program runs.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

TEST(Constraints, DynamicIotaAndReshape) {
  const char* const x =
      "%x: tensor<2x3xf32>, %n: tensor<2xi64>, %p: tensor<2xindex>, %m: tensor<1x2xi64>, %f: tensor<2xf32>, %l: "
      "tensor<3xi64>";
  const auto iota = [](const std::string& n, const std::string& type, const std::string& dim = "1 : i64",
                       const std::string& out = "tensor<4x5xi32>") {
    return "%0 = \"stablehlo.dynamic_iota\"(" + n + ") <{iota_dimension = " + dim + "}> : (" + type + ") -> " + out;
  };
  const auto reshape = [](const std::string& n, const std::string& type, const std::string& out = "tensor<3x2xf32>") {
    return "%0 = \"stablehlo.dynamic_reshape\"(%x" + n + ") : (tensor<2x3xf32>" + type + ") -> " + out;
  };
  const std::string sizes = ", tensor<2xi64>";
  expect_verdicts({
      {"", x, iota("%n", "tensor<2xi64>")},
      {"", x, iota("%p", "tensor<2xindex>")},
      {"dynamic_iota (attributes)", x, R"(%0 = "stablehlo.dynamic_iota"(%n) : (tensor<2xi64>) -> tensor<4x5xi32>)"},
      {"dynamic_iota (arity)", x, iota("%n, %n", "tensor<2xi64>, tensor<2xi64>")},
      {"dynamic_iota (I1)", x, iota("%m", "tensor<1x2xi64>")},
      {"dynamic_iota (I1)", x, iota("%f", "tensor<2xf32>")},
      {"dynamic_iota (C1)", x, iota("%n", "tensor<2xi64>", "2 : i64")},
      {"dynamic_iota (C1)", x, iota("%n", "tensor<2xi64>", "-1 : i64")},
      {"dynamic_iota (C2)", x, iota("%l", "tensor<3xi64>")},
      {"dynamic_iota (type)", x, iota("%n", "tensor<2xi64>", "0 : i64", "tensor<4x5xi1>")},
      {"", x, reshape(", %n", sizes)},
      {"dynamic_reshape (arity)", x, reshape("", "")},
      {"dynamic_reshape (I2)", x, reshape(", %m", ", tensor<1x2xi64>")},
      {"dynamic_reshape (C1)", x, reshape(", %n", sizes, "tensor<3x2xf64>")},
      {"dynamic_reshape (C2)", x, reshape(", %n", sizes, "tensor<3x3xf32>")},
      {"dynamic_reshape (C4)", x, reshape(", %l", ", tensor<3xi64>")},
  });
}

TEST(Constraints, DynamicBroadcastInDim) {
  const std::string form = R"(func.func @main(%x: $x$, %n: $n$) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"($operands$) <{broadcast_dimensions = array<i64: $dims$>$known$}> : ($types$) -> $out$
  return
})";
  const auto known = [](const std::string& expanding, const std::string& others) {
    return ", known_expanding_dimensions = " + expanding + ", known_nonexpanding_dimensions = " + others;
  };
  expect_verdicts(form,
                  {{"operands", "%x, %n"},
                   {"types", "$x$, $n$"},
                   {"x", "tensor<1x3xf32>"},
                   {"n", "tensor<3xi32>"},
                   {"dims", "2, 1"},
                   {"known", known("array<i64: 0>", "array<i64: 1>")},
                   {"out", "tensor<2x3x4xf32>"}},
                  {
                      {"", {}},
                      {"", {{"known", ""}}},
                      {"dynamic_broadcast_in_dim (arity)", {{"operands", "%x"}, {"types", "$x$"}}},
                      {"dynamic_broadcast_in_dim (I2)", {{"n", "tensor<3xf32>"}}},
                      {"dynamic_broadcast_in_dim (I2)", {{"n", "tensor<i32>"}}},
                      {"dynamic_broadcast_in_dim (C1)", {{"out", "tensor<2x3x4xf64>"}}},
                      {"dynamic_broadcast_in_dim (C2)", {{"dims", "2"}}},
                      {"dynamic_broadcast_in_dim (C3)", {{"dims", "3, 1"}}},
                      {"dynamic_broadcast_in_dim (C3)", {{"dims", "-1, 1"}}},
                      {"dynamic_broadcast_in_dim (C4)", {{"dims", "1, 1"}}},
                      {"dynamic_broadcast_in_dim (C5)", {{"dims", "1, 2"}}},
                      {"dynamic_broadcast_in_dim (C7)", {{"n", "tensor<2xi32>"}}},
                      {"attributes", {{"known", known("true", "array<i64: 1>")}}},
                      {"attributes", {{"known", known("array<i64: 0>", "1 : i64")}}},
                      {"dynamic_broadcast_in_dim (C8)", {{"known", known("array<i64: 0>", "array<i64: 1, 0>")}}},
                      {"dynamic_broadcast_in_dim (C9)", {{"known", known("array<i64: 2>", "array<i64: 1>")}}},
                      {"dynamic_broadcast_in_dim (C10)", {{"known", known("array<i64: 0>", "array<i64: -1>")}}},
                  });
}

TEST(Constraints, DynamicGather) {
  const std::string form = R"(func.func @main(%x: tensor<4x5x6xf32>, %s: $s$, %n: $n$) {
  %0 = "stablehlo.dynamic_gather"($operands$) <{dimension_numbers = #stablehlo.gather<offset_dims = [$offset$], collapsed_slice_dims = [$collapsed$]$batching$, start_index_map = [$map$], index_vector_dim = $vector$>}> : ($types$) -> $out$
  return
})";
  expect_verdicts(form,
                  {{"operands", "%x, %s, %n"},
                   {"types", "tensor<4x5x6xf32>, $s$, $n$"},
                   {"s", "tensor<7x2xi32>"},
                   {"n", "tensor<3xi32>"},
                   {"offset", "1, 2"},
                   {"collapsed", "0"},
                   {"batching", ""},
                   {"map", "0, 2"},
                   {"vector", "1"},
                   {"out", "tensor<7x5x3xf32>"}},
                  {
                      {"", {}},
                      {"",
                       {{"collapsed", ""},
                        {"batching", ", operand_batching_dims = [0], start_indices_batching_dims = [0]"},
                        {"s", "tensor<4x1xi32>"},
                        {"map", "2"},
                        {"out", "tensor<4x5x3xf32>"}}},
                      {"dynamic_gather (arity)", {{"operands", "%x, %s"}, {"types", "tensor<4x5x6xf32>, $s$"}}},
                      {"dynamic_gather (I2)", {{"s", "tensor<7x2xf32>"}}},
                      {"dynamic_gather (I3)", {{"n", "tensor<3xf32>"}}},
                      {"dynamic_gather (C1)", {{"offset", "1"}}},
                      {"dynamic_gather (C1)", {{"collapsed", ""}}},
                      {"dynamic_gather (C2)", {{"vector", "3"}}},
                      {"dynamic_gather (C2)", {{"vector", "-1"}}},
                      {"dynamic_gather (C3)", {{"map", "0"}}},
                      {"dynamic_gather (C4)", {{"offset", "2, 1"}}},
                      {"dynamic_gather (C4)", {{"offset", "1, 1"}}},
                      {"dynamic_gather (C5)", {{"offset", "1, 3"}}},
                      {"dynamic_gather (C5)", {{"offset", "-1, 1"}}},
                      {"dynamic_gather (C6)", {{"collapsed", "0, 0"}, {"offset", "1"}}},
                      {"dynamic_gather (C6)", {{"collapsed", "1, 0"}, {"offset", "1"}}},
                      {"dynamic_gather (C7)", {{"collapsed", "3"}}},
                      {"dynamic_gather (C9)", {{"map", "0, 0"}}},
                      {"dynamic_gather (C10)", {{"map", "0, 3"}}},
                      {"dynamic_gather (C11)", {{"n", "tensor<2xi32>"}}},
                      {"dynamic_gather (C12)", {{"out", "tensor<7x5x9xf32>"}}},
                      {"dynamic_gather (C13)", {{"out", "tensor<8x5x3xf32>"}}},
                      {"dynamic_gather (C13)", {{"out", "tensor<7x5x3x1xf32>"}}},
                      {"dynamic_gather (C14)", {{"out", "tensor<7x5x3xf64>"}}},
                      {"dynamic_gather (batching)",
                       {{"collapsed", ""},
                        {"batching", ", operand_batching_dims = [0], start_indices_batching_dims = [0]"},
                        {"s", "tensor<7x1xi32>"},
                        {"map", "2"}}},
                  });
}

TEST(Constraints, DynamicPadAndSlice) {
  const std::string pad = R"(func.func @main(%x: tensor<2x3xf32>, %v: $v$, %l: $l$, %h: $h$, %i: $i$) {
  %0 = "stablehlo.dynamic_pad"($operands$) : ($types$) -> $out$
  return
})";
  expect_verdicts(pad,
                  {{"operands", "%x, %v, %l, %h, %i"},
                   {"types", "tensor<2x3xf32>, $v$, $l$, $h$, $i$"},
                   {"v", "tensor<f32>"},
                   {"l", "tensor<2xi64>"},
                   {"h", "tensor<2xi64>"},
                   {"i", "tensor<2xi64>"},
                   {"out", "tensor<5x7xf32>"}},
                  {
                      {"", {}},
                      {"dynamic_pad (arity)", {{"operands", "%x, %v"}, {"types", "tensor<2x3xf32>, $v$"}}},
                      {"dynamic_pad (I2)", {{"v", "tensor<1xf32>"}}},
                      {"dynamic_pad (I3)", {{"l", "tensor<2xf32>"}}},
                      {"dynamic_pad (I4)", {{"h", "tensor<i64>"}}},
                      {"dynamic_pad (I5)", {{"i", "tensor<2x1xi64>"}}},
                      {"dynamic_pad (C1)", {{"v", "tensor<f64>"}}},
                      {"dynamic_pad (C1)", {{"out", "tensor<5x7xf64>"}}},
                      {"dynamic_pad (C2)", {{"l", "tensor<1xi64>"}}},
                      {"dynamic_pad (C2)", {{"h", "tensor<3xi64>"}}},
                      {"dynamic_pad (C2)", {{"i", "tensor<0xi64>"}}},
                      {"dynamic_pad (C4)", {{"out", "tensor<5x7x1xf32>"}}},
                  });
  const std::string slice = R"(func.func @main(%x: tensor<5x7xf32>, %b: $b$, %e: $e$, %s: $s$) {
  %0 = "stablehlo.real_dynamic_slice"($operands$) : ($types$) -> $out$
  return
})";
  expect_verdicts(slice,
                  {{"operands", "%x, %b, %e, %s"},
                   {"types", "tensor<5x7xf32>, $b$, $e$, $s$"},
                   {"b", "tensor<2xi64>"},
                   {"e", "tensor<2xi64>"},
                   {"s", "tensor<2xi64>"},
                   {"out", "tensor<2x3xf32>"}},
                  {
                      {"", {}},
                      {"real_dynamic_slice (arity)", {{"operands", "%x, %b"}, {"types", "tensor<5x7xf32>, $b$"}}},
                      {"real_dynamic_slice (C1)", {{"out", "tensor<2xf32>"}}},
                      {"real_dynamic_slice (C1)", {{"out", "tensor<2x3xf64>"}}},
                      {"real_dynamic_slice (I2)", {{"b", "tensor<2xf32>"}}},
                      {"real_dynamic_slice (I3)", {{"e", "tensor<i64>"}}},
                      {"real_dynamic_slice (I4)", {{"s", "tensor<2x1xi64>"}}},
                      {"real_dynamic_slice (C2)", {{"b", "tensor<3xi64>"}}},
                      {"real_dynamic_slice (C2)", {{"e", "tensor<1xi64>"}}},
                      {"real_dynamic_slice (C2)", {{"s", "tensor<3xi64>"}}},
                  });
  const char* const x = "%x: tensor<2x3xf32>";
  const auto size = [](const std::string& dim, const std::string& out = "tensor<i32>") {
    return "%0 = \"stablehlo.get_dimension_size\"(%x) <{dimension = " + dim + "}> : (tensor<2x3xf32>) -> " + out;
  };
  expect_verdicts({
      {"", x, size("1 : i64")},
      {"get_dimension_size (arity)", x,
       R"(%0 = "stablehlo.get_dimension_size"(%x, %x) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<i32>)"},
      {"get_dimension_size (C1)", x, size("2 : i64")},
      {"get_dimension_size (C1)", x, size("-1 : i64")},
      {"attributes", x, size("true")},
      {"get_dimension_size (type)", x, size("0 : i64", "tensor<i64>")},
      {"get_dimension_size (type)", x, size("0 : i64", "tensor<1xi32>")},
  });
}

TEST(Constraints, DynamicConv) {
  const std::string form = R"(func.func @main(%x: $x$, %y: $y$, %p: $p$) {
  %0 = "stablehlo.dynamic_conv"($operands$) <{dimension_numbers = #stablehlo.conv<$numbers$>, window_strides = array<i64: $strides$>, lhs_dilation = array<i64: $lhs_dilation$>, rhs_dilation = array<i64: $rhs_dilation$>, window_reversal = array<i1: $reversal$>, feature_group_count = $features$ : i64, batch_group_count = $batches$ : i64, precision_config = [$precisions$]}> : ($types$) -> $out$
  return
})";
  const auto raw = [](const std::string& input, const std::string& kernel, const std::string& output) {
    return "raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = " + input +
           ", kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = " +
           kernel + ", output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = " + output;
  };
  const std::string high = "#stablehlo<precision HIGH>";
  expect_verdicts(form,
                  {{"operands", "%x, %y, %p"},
                   {"types", "$x$, $y$, $p$"},
                   {"x", "tensor<4x8x9x6xf32>"},
                   {"y", "tensor<3x2x6x12xf32>"},
                   {"p", "tensor<2x2xi64>"},
                   {"numbers", raw("[1, 2]", "[0, 1]", "[1, 2]")},
                   {"strides", "2, 1"},
                   {"lhs_dilation", "1, 2"},
                   {"rhs_dilation", "2, 1"},
                   {"reversal", "false, true"},
                   {"features", "1"},
                   {"batches", "1"},
                   {"precisions", high + ", " + high},
                   {"out", "tensor<4x3x18x12xf32>"}},
                  {
                      {"", {}},
                      {"", {{"out", "tensor<4x5x7x12xf32>"}}},  // a result size that another padding gives
                      {"dynamic_conv (arity)", {{"operands", "%x, %y"}, {"types", "$x$, $y$"}}},
                      {"dynamic_conv (attributes)", {{"numbers", "[b, 0, 1, g]x[0, 1, i, o]->[b, 0, 1, f]"}}},
                      {"dynamic_conv (C1)", {{"y", "tensor<3x6x12xf32>"}}},
                      {"dynamic_conv (C2)", {{"strides", "1"}}},
                      {"dynamic_conv (C3)", {{"strides", "0, 1"}}},
                      {"dynamic_conv (I3)", {{"p", "tensor<4xi64>"}}},
                      {"dynamic_conv (I3)", {{"p", "tensor<2x2xf32>"}}},
                      {"dynamic_conv (C4)", {{"p", "tensor<3x2xi64>"}}},
                      {"dynamic_conv (C4)", {{"p", "tensor<2x3xi64>"}}},
                      {"dynamic_conv (C5)", {{"lhs_dilation", "1, 1, 1"}}},
                      {"dynamic_conv (C6)", {{"lhs_dilation", "1, -1"}}},
                      {"dynamic_conv (C7)", {{"rhs_dilation", "1"}}},
                      {"dynamic_conv (C8)", {{"rhs_dilation", "0, 1"}}},
                      {"dynamic_conv (C9)", {{"reversal", "true"}}},
                      {"dynamic_conv (C10)", {{"batches", "3"}}},
                      {"dynamic_conv (C11)", {{"features", "4"}}},
                      {"dynamic_conv (C12)", {{"numbers", raw("[1]", "[0, 1]", "[1, 2]")}}},
                      {"dynamic_conv (C13)", {{"numbers", raw("[1, 4]", "[0, 1]", "[1, 2]")}}},
                      {"dynamic_conv (C14)", {{"y", "tensor<3x2x5x12xf32>"}}},
                      {"dynamic_conv (C15)", {{"batches", "2"}, {"y", "tensor<3x2x6x11xf32>"}}},
                      {"dynamic_conv (C16)", {{"features", "2"}, {"y", "tensor<3x2x3x11xf32>"}}},
                      {"dynamic_conv (C17)", {{"numbers", raw("[1, 2]", "[0]", "[1, 2]")}}},
                      {"dynamic_conv (C18)", {{"numbers", raw("[1, 2]", "[0, 2]", "[1, 2]")}}},
                      {"dynamic_conv (C19)", {{"numbers", raw("[1, 2]", "[0, 1]", "[]")}}},
                      {"dynamic_conv (C20)", {{"numbers", raw("[1, 2]", "[0, 1]", "[3, 2]")}}},
                      {"dynamic_conv (C21)", {{"features", "0"}}},
                      {"dynamic_conv (C22)", {{"batches", "-1"}}},
                      {"dynamic_conv (C23)", {{"features", "2"}, {"batches", "2"}}},
                      {"dynamic_conv (C24)", {{"precisions", high}}},
                      {"dynamic_conv (C25)", {{"out", "tensor<3x3x18x12xf32>"}}},
                      {"dynamic_conv (C25)", {{"out", "tensor<4x3x18x11xf32>"}}},
                      {"dynamic_conv (C26)", {{"out", "tensor<4x3x18xf32>"}}},
                      {"dynamic_conv (C27)", {{"y", "tensor<3x2x6x12xi32>"}}},
                  });
}

}  // namespace
}  // namespace partir::testing
