// The constraints of gather and scatter. Each row takes a well-formed operation and changes some of its fields so that
// one constraint is broken.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

TEST(Constraints, Gather) {
  const std::string form = R"(func.func @main(%x: $x$, %s: $s$) {
  %0 = "stablehlo.gather"($operands$) <{dimension_numbers = #stablehlo.gather<offset_dims = $offset$, collapsed_slice_dims = $collapsed$, operand_batching_dims = $ob$, start_indices_batching_dims = $sb$, start_index_map = $map$, index_vector_dim = $vector$>, slice_sizes = array<i64: $sizes$>}> : ($types$) -> $out$
  return
})";
  const Fields good = {{"operands", "%x, %s"},
                       {"types", "$x$, $s$"},
                       {"x", "tensor<2x10x4xf32>"},
                       {"s", "tensor<2x3x1xi32>"},
                       {"offset", "[2]"},
                       {"collapsed", "[1]"},
                       {"ob", "[0]"},
                       {"sb", "[0]"},
                       {"map", "[1]"},
                       {"vector", "2"},
                       {"sizes", "1, 1, 4"},
                       {"out", "tensor<2x3x4xf32>"}};
  expect_verdicts(form, good,
                  {
                      {"", {}},
                      {"gather (arity)", {{"operands", "%x"}, {"types", "$x$"}}},
                      {"gather (I2)", {{"s", "tensor<2x3x1xf32>"}}},
                      {"gather (I2)", {{"s", "tensor<2x3x1xi1>"}}},
                      {"gather (C1)", {{"offset", "[2, 3]"}}},
                      {"gather (C2)", {{"vector", "4"}}},
                      {"gather (C2)", {{"vector", "-1"}}},
                      {"gather (C3)", {{"map", "[1, 2]"}}},
                      {"gather (C4)", {{"offset", "[2, 2]"}, {"collapsed", "[]"}}},
                      {"gather (C4)", {{"offset", "[2, 1]"}, {"collapsed", "[]"}}},
                      {"gather (C5)", {{"offset", "[3]"}}},
                      {"gather (C6)", {{"collapsed", "[0]"}}},
                      {"gather (C7)", {{"offset", "[]"}, {"collapsed", "[2, 1]"}}},
                      {"gather (C8)", {{"collapsed", "[3]"}}},
                      {"gather (C8)", {{"collapsed", "[-1]"}}},
                      {"gather (C9)", {{"sizes", "1, 2, 4"}}},
                      {"gather (C10)", {{"offset", "[]"}, {"ob", "[2, 0]"}}},
                      {"gather (C11)", {{"ob", "[-1]"}}},
                      {"gather (C12)", {{"sizes", "2, 1, 4"}}},
                      {"gather (C13)", {{"sb", "[0, 0]"}}},
                      {"gather (C14)", {{"sb", "[3]"}}},
                      {"gather (C15)", {{"sb", "[2]"}}},
                      {"gather (C16)", {{"sb", "[]"}}},
                      {"gather (C17)", {{"sb", "[1]"}}},
                      {"gather (C18)", {{"map", "[0]"}}},
                      {"gather (C19)", {{"map", "[3]"}}},
                      {"gather (C20)", {{"sizes", "1, 1"}}},
                      {"gather (C21)", {{"sizes", "1, 1, 5"}}},
                      {"gather (C21)", {{"sizes", "1, -1, 4"}}},
                      {"gather (C22)", {{"out", "tensor<2x3x5xf32>"}}},
                      {"gather (C22)", {{"out", "tensor<2x9x4xf32>"}}},
                      {"gather (C22)", {{"out", "tensor<2x3x4x1xf32>"}}},
                      {"gather (C23)", {{"out", "tensor<2x3x4xf64>"}}},
                  });
}

TEST(Constraints, GatherOfScalarIndices) {
  const std::string form = R"(func.func @main(%x: tensor<10xf32>, %s: tensor<3xi32>) {
  %0 = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = $map$, index_vector_dim = $vector$>, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<3xi32>) -> $out$
  return
})";
  expect_verdicts(form, {{"map", "[0]"}, {"vector", "1"}, {"out", "tensor<3xf32>"}},
                  {
                      {"", {}},
                      {"gather (C2)", {{"vector", "2"}}},
                      {"gather (C3)", {{"map", "[]"}}},
                      {"gather (C3)", {{"vector", "0"}}},
                      {"gather (C22)", {{"out", "tensor<1x3xf32>"}}},
                  });
}

TEST(Constraints, Scatter) {
  const std::string form = R"(func.func @main(%x: $x$, %s: $s$, %u: $u$) {
  %0 = "stablehlo.scatter"($operands$) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = $window$, inserted_window_dims = $inserted$, input_batching_dims = $xb$, scatter_indices_batching_dims = $sb$, scatter_dims_to_operand_dims = $map$, index_vector_dim = $vector$>}> ({
  ^bb0(%a: $e$, %b: $e$):
    %9 = stablehlo.add %a, %b : $e$
    stablehlo.return $returned$
  }) : ($types$) -> $out$
  return
})";
  const Fields good = {{"operands", "%x, %s, %u"},
                       {"types", "$x$, $s$, $u$"},
                       {"x", "tensor<2x10x4xf32>"},
                       {"s", "tensor<2x3x1xi32>"},
                       {"u", "tensor<2x3x4xf32>"},
                       {"window", "[2]"},
                       {"inserted", "[1]"},
                       {"xb", "[0]"},
                       {"sb", "[0]"},
                       {"map", "[1]"},
                       {"vector", "2"},
                       {"returned", "%9 : $e$"},
                       {"e", "tensor<f32>"},
                       {"out", "tensor<2x10x4xf32>"}};
  expect_verdicts(form, good,
                  {
                      {"", {}},
                      {"scatter (I2)", {{"s", "tensor<2x3x1xf32>"}}},
                      {"scatter (C2)", {{"inserted", "[]"}}},
                      {"scatter (C4)", {{"u", "tensor<2x5x4xf32>"}}},
                      {"scatter (C4)", {{"u", "tensor<2x3x5xf32>"}}},
                      {"scatter (C4)", {{"u", "tensor<2x3x4x1xf32>"}}},
                      {"scatter (C5)", {{"operands", "%x, %s"}, {"types", "$x$, $s$"}}},
                      {"scatter (C6)", {{"u", "tensor<2x3x4xf16>"}}},
                      {"scatter (C7)", {{"window", "[2, 1]"}, {"inserted", "[]"}}},
                      {"scatter (C7)", {{"window", "[2, 2]"}, {"inserted", "[]"}}},
                      {"scatter (C8)", {{"window", "[3]"}}},
                      {"scatter (C9)", {{"inserted", "[0]"}}},
                      {"scatter (C10)", {{"window", "[]"}, {"inserted", "[2, 1]"}}},
                      {"scatter (C11)", {{"inserted", "[3]"}}},
                      {"scatter (C12)", {{"window", "[]"}, {"xb", "[2, 0]"}}},
                      {"scatter (C13)", {{"xb", "[5]"}}},
                      {"scatter (C14)", {{"sb", "[0, 0]"}}},
                      {"scatter (C15)", {{"sb", "[3]"}}},
                      {"scatter (C16)", {{"sb", "[2]"}}},
                      {"scatter (C17)", {{"sb", "[]"}}},
                      {"scatter (C18)", {{"sb", "[1]"}}},
                      {"scatter (C19)", {{"map", "[1, 2]"}}},
                      {"scatter (C20)", {{"map", "[0]"}}},
                      {"scatter (C21)", {{"map", "[3]"}}},
                      {"scatter (C22)", {{"vector", "4"}}},
                      {"scatter (C22)", {{"vector", "-1"}}},
                      {"scatter (C23)", {{"e", "tensor<1xf32>"}}},
                      {"scatter (C23)", {{"e", "tensor<bf16>"}}},
                      {"scatter (C23)", {{"returned", "%9, %9 : $e$, $e$"}}},
                      {"", {{"e", "tensor<f64>"}, {"out", "tensor<2x10x4xf64>"}}},  // promotable
                      {"scatter (C24)", {{"out", "tensor<2x10x5xf32>"}}},
                      {"scatter (C25)", {{"out", "tensor<2x10x4xf64>"}}},
                  });
}

TEST(Constraints, ScatterOfSeveral) {
  const std::string form =
      R"(func.func @main(%x: tensor<10xf32>, %y: $y$, %s: tensor<3x1xi32>, %u: tensor<3xf32>, %v: $v$) {
  %0:2 = "stablehlo.scatter"($operands$) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<$b$>, %c: tensor<f32>, %d: tensor<i32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<$b$>
  }) : ($types$) -> (tensor<10xf32>, $out$)
  return
})";
  const Fields good = {{"operands", "%x, %y, %s, %u, %v"},
                       {"types", "tensor<10xf32>, $y$, tensor<3x1xi32>, tensor<3xf32>, $v$"},
                       {"y", "tensor<10xi32>"},
                       {"v", "tensor<3xi32>"},
                       {"b", "i32"},
                       {"out", "tensor<10xi32>"}};
  expect_verdicts(
      form, good,
      {
          {"", {}},
          {"scatter (C1)", {{"y", "tensor<9xi32>"}}},
          {"scatter (C3)", {{"v", "tensor<4xi32>"}}},
          {"scatter (C5)",
           {{"operands", "%x, %y, %s, %u"}, {"types", "tensor<10xf32>, $y$, tensor<3x1xi32>, tensor<3xf32>"}}},
          {"scatter (C6)", {{"v", "tensor<3xi64>"}}},
          {"scatter (C23)", {{"b", "i64"}}},
          {"scatter (C24)", {{"out", "tensor<9xi32>"}}},
          {"scatter (C25)", {{"out", "tensor<10xi64>"}}},
      });
}

}  // namespace
}  // namespace partir::testing
