// The constraints of chlo.ragged_dot and chlo.scan. Each row breaks one constraint. CHLO has no numbered constraints,
// so the labels are ours.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

TEST(Constraints, RaggedDot) {
  const std::string form = R"(func.func @main(%l: $l$, %r: $r$, %s: $s$) {
  %0 = "chlo.ragged_dot"($operands$) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [$lb$], rhs_batching_dimensions = [$rb$], lhs_contracting_dimensions = [$lc$], rhs_contracting_dimensions = [$rc$], lhs_ragged_dimensions = [$ragged$], rhs_group_dimensions = [$group$]>}> : ($types$) -> $out$
  return
})";
  const Fields contracted = {{"r", "tensor<2x5x7xf32>"},     {"rb", "0"}, {"rc", "1"}, {"ragged", "2"}, {"group", ""},
                             {"out", "tensor<3x2x11x7xf32>"}};
  const auto but = [](Fields fields, const Fields& more) {
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  };
  expect_verdicts(form,
                  {{"operands", "%l, %r, %s"},
                   {"types", "$l$, $r$, $s$"},
                   {"l", "tensor<2x11x5xf32>"},
                   {"r", "tensor<3x2x5x7xf32>"},
                   {"s", "tensor<3xi64>"},
                   {"lb", "0"},
                   {"rb", "1"},
                   {"lc", "2"},
                   {"rc", "2"},
                   {"ragged", "1"},
                   {"group", "0"},
                   {"out", "tensor<2x11x7xf32>"}},
                  {
                      {"", {}},
                      {"", {{"s", "tensor<2x3xi64>"}}},
                      {"", contracted},
                      {"", but(contracted, {{"s", "tensor<2x3xi64>"}})},
                      {"", but(contracted, {{"ragged", "0"}, {"out", "tensor<2x11x7xf32>"}})},
                      {"ragged_dot (arity)", {{"operands", "%l, %r"}, {"types", "$l$, $r$"}}},
                      {"ragged_dot (C1)", {{"lb", "3"}}},
                      {"ragged_dot (C1)", {{"rb", "4"}}},
                      {"ragged_dot (C1)", {{"lc", "-1"}}},
                      {"ragged_dot (C1)", {{"rc", "9"}}},
                      {"ragged_dot (C1)", {{"ragged", "3"}}},
                      {"ragged_dot (C1)", {{"group", "-1"}}},
                      {"ragged_dot (C2)", {{"ragged", ""}}},
                      {"ragged_dot (C2)", {{"ragged", "1, 2"}}},
                      {"ragged_dot (C2)", {{"group", "0, 3"}}},
                      {"ragged_dot (C2)", {{"lb", ""}}},
                      {"ragged_dot (C2)", {{"rc", ""}}},
                      {"ragged_dot (C2)", {{"group", ""}}},
                      {"ragged_dot (C2)", {{"ragged", "2"}}},
                      {"ragged_dot (C2)", {{"lc", "0"}}},
                      {"ragged_dot (C2)", {{"group", "1"}}},
                      {"ragged_dot (C3)", {{"s", "tensor<3xf32>"}}},
                      {"ragged_dot (C3)", {{"s", "tensor<i64>"}}},
                      {"ragged_dot (C3)", {{"s", "tensor<4xi64>"}}},
                      {"ragged_dot (C3)", {{"s", "tensor<5x3xi64>"}}},
                      {"ragged_dot (C3)", {{"s", "tensor<2x11x3xi64>"}}},
                      {"ragged_dot (C4)", {{"r", "tensor<3x4x5x7xf32>"}}},
                      {"ragged_dot (C5)", {{"r", "tensor<3x2x6x7xf32>"}}},
                      {"ragged_dot (C6)", {{"out", "tensor<2x7x11xf32>"}}},
                      {"ragged_dot (C6)", but(contracted, {{"s", "tensor<4xi64>"}})},
                  });
}

TEST(Constraints, Scan) {
  const std::string form = R"(func.func @main(%x: tensor<4x2xf32>, %y: tensor<5x2xf32>, %c: tensor<f32>) {
  $name$ = "chlo.scan"($operands$) <{dimension = $dim$ : i64, operandSegmentSizes = array<i32: $segments$>}> ($body$) : ($types$) -> $out$
  return
})";
  const auto body = [](const std::string& arguments, const std::string& returned) {
    return "{ ^bb0(" + arguments + "): stablehlo.return " + returned + " }";
  };
  const std::string both = "%p: tensor<2xf32>, %q: tensor<f32>";
  expect_verdicts(
      form,
      {{"name", "%0:2"},
       {"operands", "%x, %c"},
       {"types", "tensor<4x2xf32>, tensor<f32>"},
       {"dim", "0"},
       {"segments", "1, 1"},
       {"body", body(both, "%p, %q : tensor<2xf32>, tensor<f32>")},
       {"out", "(tensor<4x2xf32>, tensor<f32>)"}},
      {
          {"", {}},
          {"scan (arity)", {{"segments", "2, 1"}}},
          {"scan (arity)", {{"segments", "0, 2"}}},
          {"scan (arity)", {{"segments", "2147483647, -2147483645"}}},
          {"scan (C1)", {{"dim", "2"}}},
          {"scan (C1)", {{"dim", "-1"}}},
          {"scan (C1)", {{"operands", "%x, %y"}, {"types", "tensor<4x2xf32>, tensor<5x2xf32>"}, {"segments", "2, 0"}}},
          {"scan (C2)", {{"out", "(tensor<5x2xf32>, tensor<f32>)"}}},
          {"scan (C3)", {{"body", body("%p: tensor<2xf32>", "%p : tensor<2xf32>")}}},
          {"scan (C3)", {{"body", body("%p: tensor<4xf32>, %q: tensor<f32>", "%p, %q : tensor<4xf32>, tensor<f32>")}}},
          {"scan (C3)", {{"body", body(both, "%q, %q : tensor<f32>, tensor<f32>")}}},
          {"scan (C4)", {{"out", "(tensor<4x2xf32>, tensor<f64>)"}}},
      });
}

}  // namespace
}  // namespace partir::testing
