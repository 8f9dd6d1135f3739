// Constraints of reduce_window and select_and_scatter; each row breaks one.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

std::string body(const std::string& element) {
  return "{ ^bb0(%p: tensor<" + element + ">, %q: tensor<" + element + ">): stablehlo.return %p : tensor<" + element +
         "> }";
}

TEST(Constraints, ReduceWindow) {
  const std::string form = R"(func.func @main(%x: $x$, %y: tensor<4x5xf32>, %z: $z$) {
  $name$ = "stablehlo.reduce_window"($operands$) <{$size$$strides$$base$$window$$padding$}>$body$ : ($types$) -> $out$
  return
})";
  const auto region = [](const std::string& element) { return " (" + body(element) + ")"; };
  const auto ints = [](const std::string& name, const std::string& list) {
    return name + " = array<i64: " + list + ">";
  };
  const auto size = [&](const std::string& list) { return ints("window_dimensions", list); };
  const auto strides = [&](const std::string& list) { return ints(", window_strides", list); };
  const auto base = [&](const std::string& list) { return ints(", base_dilations", list); };
  const auto window = [&](const std::string& list) { return ints(", window_dilations", list); };
  const auto padding = [](const std::string& value) { return ", padding = " + value; };
  const Fields good = {{"name", "%0"},
                       {"operands", "%x, %z"},
                       {"types", "$x$, $z$"},
                       {"x", "tensor<4x6xf32>"},
                       {"z", "tensor<f32>"},
                       {"size", size("2, 3")},
                       {"strides", strides("1, 2")},
                       {"base", base("2, 1")},
                       {"window", window("3, 1")},
                       {"padding", padding("dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>")},
                       {"body", region("f32")},
                       {"out", "tensor<5x3xf32>"}};
  const std::string two =
      " ({ ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>): "
      "stablehlo.return %p, %q : tensor<f32>, tensor<f32> })";
  const Fields pair = {{"name", "%0:2"},
                       {"operands", "%x, %x, %z, %z"},
                       {"types", "$x$, $x$, $z$, $z$"},
                       {"body", two},
                       {"out", "(tensor<5x3xf32>, tensor<5x3xf32>)"}};
  const auto with = [](Fields fields, const Fields& more) {
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  };
  const std::string huge = "9223372036854775807";
  expect_verdicts(
      form, good,
      {
          {"", {}},
          {"", pair},
          {"", {{"strides", ""}, {"base", ""}, {"window", ""}, {"padding", ""}, {"out", "tensor<3x4xf32>"}}},
          {"", {{"body", region("f64")}, {"out", "tensor<5x3xf64>"}}},
          {"", {{"size", size("2, 9")}, {"out", "tensor<5x0xf32>"}}},
          {"", {{"strides", strides("1, 1099511627776")}, {"out", "tensor<5x1xf32>"}}},
          {"reduce_window (attributes)", {{"size", "window_reversal = 1"}}},
          {"reduce_window (C1)", {{"operands", ""}, {"types", ""}, {"name", "%0"}}},
          {"reduce_window (C1)", {{"operands", "%x"}, {"types", "$x$"}}},
          {"reduce_window (C1)", {{"name", "%0:2"}, {"out", "(tensor<5x3xf32>, tensor<5x3xf32>)"}}},
          {"reduce_window (C2)",
           with(pair, {{"operands", "%x, %y, %z, %z"}, {"types", "$x$, tensor<4x5xf32>, $z$, $z$"}})},
          {"reduce_window (I2)", {{"z", "tensor<1xf32>"}}},
          {"reduce_window (C3)", {{"z", "tensor<f64>"}}},
          {"attributes", {{"size", "window_dimensions = 2 : i64"}}},
          {"reduce_window (C4)", {{"size", size("2")}}},
          {"reduce_window (C5)", {{"size", size("2, 0")}}},
          {"attributes", {{"strides", ", window_strides = unit"}}},
          {"reduce_window (C6)", {{"strides", strides("1, 2, 3")}}},
          {"reduce_window (C7)", {{"strides", strides("-1, 2")}}},
          {"attributes", {{"base", ", base_dilations = true"}}},
          {"reduce_window (C8)", {{"base", base("1")}}},
          {"reduce_window (C9)", {{"base", base("0, 1")}}},
          {"attributes", {{"window", ", window_dilations = \"1\""}}},
          {"reduce_window (C10)", {{"window", window("3")}}},
          {"reduce_window (C11)", {{"window", window("3, -3")}}},
          {"reduce_window (I7)", {{"padding", padding("dense<0> : tensor<4xi64>")}}},
          {"reduce_window (I7)", {{"padding", padding("dense<0.0> : tensor<2x2xf64>")}}},
          {"reduce_window (I7)", {{"padding", padding("1 : i64")}}},
          {"reduce_window (C12)", {{"padding", padding("dense<0> : tensor<3x2xi64>")}}},
          {"reduce_window (C12)", {{"padding", padding("dense<0> : tensor<2x3xi64>")}}},
          {"reduce_window (C13)", {{"body", ""}}},
          {"reduce_window (C13)", {{"body", region("f16")}}},
          {"reduce_window (C13)", {{"body", two}}},
          {"reduce_window (C14)", with(pair, {{"out", "(tensor<5x3xf32>, tensor<5x4xf32>)"}})},
          {"reduce_window (C15)", {{"out", "tensor<5x4xf32>"}}},
          {"reduce_window (C15)", {{"out", "tensor<5xf32>"}}},
          {"reduce_window (C15)", {{"size", size("2, " + huge)}}},
          {"reduce_window (C15)", {{"strides", strides(huge + ", 2")}}},
          {"reduce_window (C15)", {{"base", base("1, " + huge)}}},
          {"reduce_window (C15)", {{"window", window("1, " + huge)}}},
          {"reduce_window (C15)", {{"padding", padding("dense<" + huge + "> : tensor<2x2xi64>")}}},
          {"reduce_window (C16)", {{"out", "tensor<5x3xf64>"}}},
          {"reduce_window (C16)", {{"body", region("f64")}}},
      });
}

TEST(Constraints, SelectAndScatter) {
  const std::string form = R"(func.func @main(%x: tensor<4x6xf32>, %s: $s$, %z: $z$) {
  $name$ = "stablehlo.select_and_scatter"($operands$) <{window_dimensions = $size$, window_strides = $strides$, padding = $padding$}> ($select$, $scatter$) : ($types$) -> $out$
  return
})";
  const auto select = [](const std::string& element, const std::string& returned) {
    return "{ ^bb0(%p: tensor<" + element + ">, %q: tensor<" + element +
           ">): %b = stablehlo.compare GE, %p, %q : (tensor<" + element + ">, tensor<" + element +
           ">) -> tensor<i1> stablehlo.return " + returned + " }";
  };
  const Fields good = {{"name", "%0"},
                       {"operands", "%x, %s, %z"},
                       {"types", "tensor<4x6xf32>, $s$, $z$"},
                       {"s", "tensor<2x4xf32>"},
                       {"z", "tensor<f32>"},
                       {"size", "array<i64: 2, 3>"},
                       {"strides", "array<i64: 2, 2>"},
                       {"padding", "dense<[[0, 0], [2, 1]]> : tensor<2x2xi64>"},
                       {"select", select("f32", "%b : tensor<i1>")},
                       {"scatter", body("f32")},
                       {"out", "tensor<4x6xf32>"}};
  expect_verdicts(
      form, good,
      {
          {"", {}},
          {"", {{"scatter", body("f64")}, {"out", "tensor<4x6xf64>"}}},
          {"select_and_scatter (arity)", {{"operands", "%x, %s"}, {"types", "tensor<4x6xf32>, $s$"}}},
          {"select_and_scatter (arity)", {{"name", "%0:2"}, {"out", "(tensor<4x6xf32>, tensor<4x6xf32>)"}}},
          {"select_and_scatter (C1)", {{"s", "tensor<2x4xf64>"}}},
          {"select_and_scatter (C2)", {{"s", "tensor<2x3xf32>"}}},
          {"select_and_scatter (C2)", {{"size", "array<i64: 2, 9223372036854775807>"}}},
          {"select_and_scatter (C2)", {{"padding", "dense<-9223372036854775808> : tensor<2x2xi64>"}}},
          {"select_and_scatter (I3)", {{"z", "tensor<1xf32>"}}},
          {"select_and_scatter (C3)", {{"z", "tensor<f64>"}}},
          {"attributes", {{"size", "unit"}}},
          {"select_and_scatter (C4)", {{"size", "array<i64: 2>"}}},
          {"select_and_scatter (C5)", {{"size", "array<i64: 2, 0>"}}},
          {"attributes", {{"strides", "2 : i64"}}},
          {"select_and_scatter (C6)", {{"strides", "array<i64: 2, 2, 2>"}}},
          {"select_and_scatter (C7)", {{"strides", "array<i64: -2, 2>"}}},
          {"select_and_scatter (I6)", {{"padding", "dense<0> : tensor<2x2xi32>"}}},
          {"select_and_scatter (C8)", {{"padding", "dense<0> : tensor<1x2xi64>"}}},
          {"select_and_scatter (C9)", {{"select", "{ ^bb0(%p: tensor<f32>): stablehlo.return %p : tensor<f32> }"}}},
          {"select_and_scatter (C9)", {{"select", select("f64", "%b : tensor<i1>")}}},
          {"select_and_scatter (C9)", {{"select", select("f32", "%p : tensor<f32>")}}},
          {"select_and_scatter (C10)", {{"scatter", "{ ^bb0(%p: tensor<f32>): stablehlo.return %p : tensor<f32> }"}}},
          {"select_and_scatter (C10)", {{"scatter", body("f16")}}},
          {"select_and_scatter (C11)", {{"out", "tensor<6x4xf32>"}}},
          {"select_and_scatter (C12)", {{"out", "tensor<4x6xf64>"}}},
          {"select_and_scatter (C12)", {{"scatter", body("f64")}}},
      });
}

}  // namespace
}  // namespace partir::testing
