// The constraints of while, if, case and optimization_barrier; each row breaks one.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

const char* const kArguments = "%z: tensor<f32>, %i: tensor<i32>, %p: tensor<i1>, %q: tensor<1xi1>, %k: tensor<ui32>";

TEST(Constraints, While) {
  const auto loop = [](const std::string& condition, const std::string& loop_body, const std::string& result) {
    return R"(%0 = "stablehlo.while"(%z) ({)" + condition + "}, {" + loop_body + "}) : (tensor<f32>) -> " + result;
  };
  const std::string condition = "^bb0(%a: tensor<f32>): stablehlo.return %p : tensor<i1>";
  const std::string same = "^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>";
  const char* const x = kArguments;
  expect_verdicts({
      {"", x, loop(condition, same, "tensor<f32>")},
      {"while (arity)", x, R"(%0 = "stablehlo.while"(%z) : (tensor<f32>) -> tensor<f32>)"},
      {"while (arity)", x, R"(%0 = "stablehlo.while"(%z) ({)" + condition + "}) : (tensor<f32>) -> tensor<f32>"},
      {"while (C1)", x, loop("^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>", same, "tensor<f32>")},
      {"while (C1)", x, loop("^bb0(%a: tensor<f32>): stablehlo.return %q : tensor<1xi1>", same, "tensor<f32>")},
      {"while (C1)", x, loop("^bb0(%a: tensor<f32>): stablehlo.return", same, "tensor<f32>")},
      {"while (C1)", x, loop("^bb0(%a: tensor<i32>): stablehlo.return %p : tensor<i1>", same, "tensor<f32>")},
      {"while (C1)", x, loop("stablehlo.return %p : tensor<i1>", same, "tensor<f32>")},
      {"while (C2)", x, loop(condition, "^bb0(%a: tensor<f32>): stablehlo.return %i : tensor<i32>", "tensor<f32>")},
      {"while (C2)", x, loop(condition, "^bb0(%a: tensor<i32>): stablehlo.return %z : tensor<f32>", "tensor<f32>")},
      {"while (C2)", x, loop(condition, "^bb0(%a: tensor<f32>): stablehlo.return", "tensor<f32>")},
      {"while (C2)", x, loop(condition, "stablehlo.return %z : tensor<f32>", "tensor<f32>")},
      {"while (C3)", x, loop(condition, same, "tensor<i32>")},
  });
}

TEST(Constraints, If) {
  const auto branches = [](const std::string& predicate, const std::string& first, const std::string& second,
                           const std::string& result) {
    return R"(%0 = "stablehlo.if"()" + predicate.substr(0, 2) + ") ({" + first + "}, {" + second + "}) : (" +
           predicate.substr(4) + ") -> " + result;
  };
  const std::string p = "%p: tensor<i1>";
  const std::string z = "stablehlo.return %z : tensor<f32>";
  const std::string i = "stablehlo.return %i : tensor<i32>";
  const std::string takes = "^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>";
  const char* const x = kArguments;
  expect_verdicts({
      {"", x, branches(p, z, z, "tensor<f32>")},
      {"if (arity)", x, R"(%0 = "stablehlo.if"(%p) ({)" + z + "}) : (tensor<i1>) -> tensor<f32>"},
      {"if (arity)", x, R"(%0 = "stablehlo.if"() ({)" + z + "}, {" + z + "}) : () -> tensor<f32>"},
      {"if (I1)", x, branches("%i: tensor<i32>", z, z, "tensor<f32>")},
      {"if (I1)", x, branches("%q: tensor<1xi1>", z, z, "tensor<f32>")},
      {"if (C1)", x, branches(p, takes, z, "tensor<f32>")},
      {"if (C1)", x, branches(p, z, takes, "tensor<f32>")},
      {"if (C2)", x, branches(p, z, i, "tensor<f32>")},
      {"if (C2)", x, branches(p, z, "stablehlo.return", "tensor<f32>")},
      {"if (C3)", x, branches(p, z, z, "tensor<i32>")},
      {"if (C3)", x, branches(p, "stablehlo.return", "stablehlo.return", "tensor<f32>")},
  });
}

TEST(Constraints, Case) {
  const auto branches = [](const std::string& index, const std::string& regions, const std::string& result) {
    return R"(%0 = "stablehlo.case"()" + index.substr(0, 2) + ")" + regions + " : (" + index.substr(4) + ") -> " +
           result;
  };
  const std::string i = "%i: tensor<i32>";
  const std::string z = "{stablehlo.return %z : tensor<f32>}";
  const std::string other = "{stablehlo.return %i : tensor<i32>}";
  const std::string takes = "{^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>}";
  const char* const x = kArguments;
  expect_verdicts({
      {"", x, branches(i, " (" + z + ")", "tensor<f32>")},
      {"", x, branches(i, " (" + z + ", " + z + ", " + z + ")", "tensor<f32>")},
      {"case (arity)", x, R"(%0 = "stablehlo.case"() ()" + z + ") : () -> tensor<f32>"},
      {"case (I1)", x, branches("%k: tensor<ui32>", " (" + z + ")", "tensor<f32>")},
      {"case (I1)", x, branches("%q: tensor<1xi1>", " (" + z + ")", "tensor<f32>")},
      {"case (C1)", x, branches(i, "", "tensor<f32>")},
      {"case (C2)", x, branches(i, " (" + z + ", " + takes + ")", "tensor<f32>")},
      {"case (C3)", x, branches(i, " (" + z + ", " + z + ", " + other + ")", "tensor<f32>")},
      {"case (C4)", x, branches(i, " (" + z + ", " + z + ")", "tensor<2xf32>")},
  });
}

TEST(Constraints, OptimizationBarrier) {
  const char* const x = kArguments;
  const std::string form = R"("stablehlo.optimization_barrier"(%z, %i) : (tensor<f32>, tensor<i32>) -> )";
  expect_verdicts({
      {"", x, "%0:2 = " + form + "(tensor<f32>, tensor<i32>)"},
      {"optimization_barrier (C1)", x, "%0:2 = " + form + "(tensor<i32>, tensor<f32>)"},
      {"optimization_barrier (C1)", x, "%0 = " + form + "tensor<f32>"},
  });
}

/// Values of dynamic shape are only carried through; their types are not checked.
TEST(Constraints, BranchesOfDynamicShapeAreNotLookedInto) {
  expect_verdicts({
      {"", "%p: tensor<i1>, %x: tensor<?xf32>, %y: tensor<2xf32>",
       R"(%0 = "stablehlo.if"(%p) ({stablehlo.return %x : tensor<?xf32>}, {stablehlo.return %y : tensor<2xf32>}) : (tensor<i1>) -> tensor<2xf32>)"},
  });
}

}  // namespace
}  // namespace partir::testing
