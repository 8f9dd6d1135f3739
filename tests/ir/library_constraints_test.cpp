// Constraints of sort, chlo.top_k, fft, cholesky, triangular_solve, rng_bit_generator and rng; each row breaks one.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

TEST(Constraints, Sort) {
  const std::string form = R"(func.func @main(%x: tensor<3x4xf32>, %i: $i$) {
  $name$ = "stablehlo.sort"($operands$) <{dimension = $dim$, is_stable = $stable$}>$body$ : ($types$) -> $out$
  return
})";
  const auto body = [](const std::string& arguments, const std::string& returned) {
    return " ({ ^bb0(" + arguments +
           "): %b = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1> "
           "stablehlo.return " +
           returned + " })";
  };
  const std::string two = "%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i32>, %s: tensor<i32>";
  const std::string less = "%b : tensor<i1>";
  const std::string type = "tensor<3x4xf32>";
  expect_verdicts(
      form,
      {{"out", "(tensor<3x4xf32>, $i$)"},
       {"name", "%0:2"},
       {"operands", "%x, %i"},
       {"types", "tensor<3x4xf32>, $i$"},
       {"i", "tensor<3x4xi32>"},
       {"dim", "-2 : i64"},
       {"stable", "true"},
       {"body", body(two, less)}},
      {
          {"", {}},
          {"", {{"dim", "1 : i64"}}},
          {"sort (C1)", {{"name", "%0"}, {"operands", ""}, {"types", ""}, {"out", type}}},
          {"sort (C2)", {{"out", "(tensor<3x4xf32>, tensor<3x4xf32>)"}}},
          {"sort (C2)", {{"name", "%0"}, {"out", type}}},
          {"sort (C3)", {{"i", "tensor<4x3xi32>"}}},
          {"attributes", {{"dim", "0.5 : f32"}}},
          {"sort (C4)", {{"dim", "2 : i64"}}},
          {"sort (C4)", {{"dim", "-3 : i64"}}},
          {"sort (C4)", {{"dim", "-9223372036854775808 : i64"}}},
          {"attributes", {{"stable", "1 : i64"}}},
          {"sort (C5)", {{"body", ""}}},
          {"sort (C5)", {{"body", body("%p: tensor<f32>, %q: tensor<f32>", less)}}},
          {"sort (C5)", {{"body", body("%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i32>, %s: tensor<f32>", less)}}},
          {"sort (C5)", {{"body", body("%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i32>, %s: tensor<1xi32>", less)}}},
          {"sort (C5)", {{"body", body(two, "%p : tensor<f32>")}}},
          {"sort (C5)", {{"body", body(two, "%b, %b : tensor<i1>, tensor<i1>")}}},
      });
}

TEST(Constraints, TopK) {
  const std::string form = R"(func.func @main(%x: $x$) {
  $name$ = "chlo.top_k"(%x) <{k = $k$}> : ($x$) -> $out$
  return
})";
  expect_verdicts(
      form,
      {{"name", "%0:2"}, {"x", "tensor<3x4xf32>"}, {"k", "2 : i64"}, {"out", "(tensor<3x2xf32>, tensor<3x2xi32>)"}},
      {
          {"", {}},
          {"top_k (arity)", {{"name", "%0"}, {"out", "tensor<3x2xf32>"}}},
          {"top_k (C1)", {{"x", "tensor<f32>"}}},
          {"top_k (C2)", {{"k", "5 : i64"}}},
          {"top_k (C2)", {{"k", "-1 : i64"}}},
          {"top_k (C3)", {{"out", "(tensor<3x3xf32>, tensor<3x2xi32>)"}}},
          {"top_k (C3)", {{"out", "(tensor<3x2xf64>, tensor<3x2xi32>)"}}},
          {"top_k (C4)", {{"out", "(tensor<3x2xf32>, tensor<3x3xi32>)"}}},
          {"top_k (C4)", {{"out", "(tensor<3x2xf32>, tensor<3x2xf32>)"}}},
      });
}

TEST(Constraints, Fft) {
  const std::string form = R"(func.func @main(%x: $x$) {
  %0 = "stablehlo.fft"($operands$) <{fft_type = #stablehlo<fft_type $type$>, fft_length = array<i64$length$>}> : ($types$) -> $out$
  return
})";
  const std::string c = "tensor<2x3x4xcomplex<f32>>";
  const Fields to_half = {{"type", "RFFT"}, {"x", "tensor<2x3x6xf32>"}, {"length", ": 3, 6"}, {"out", c}};
  const Fields from_half = {{"type", "IRFFT"}, {"x", c}, {"length", ": 3, 6"}, {"out", "tensor<2x3x6xf32>"}};
  const auto but = [](Fields fields, const Fields& more) {
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  };
  expect_verdicts(
      form, {{"operands", "%x"}, {"types", "$x$"}, {"x", c}, {"type", "FFT"}, {"length", ": 3, 4"}, {"out", c}},
      {
          {"", {}},
          {"", {{"type", "IFFT"}}},
          {"", {{"length", ": 7"}}},  // C4 restricts the length of real transforms only
          {"", to_half},
          {"", from_half},
          {"", but(from_half, {{"length", ": 3, 7"}, {"out", "tensor<2x3x7xf32>"}})},
          {"", but(to_half, {{"x", "tensor<2x3x0xf32>"}, {"length", ": 3, 0"}, {"out", "tensor<2x3x0xcomplex<f32>>"}})},
          {"fft (arity)", {{"operands", "%x, %x"}, {"types", "$x$, $x$"}}},
          {"fft (I1)", {{"x", "tensor<2x3x4xi32>"}}},
          {"fft (I2)", {{"type", "DCT"}}},
          {"fft (C1)", {{"x", "tensor<4xcomplex<f32>>"}, {"out", "tensor<4xcomplex<f32>>"}}},
          {"fft (C2)", {{"out", "tensor<2x3x4xcomplex<f64>>"}}},
          {"fft (C2)", {{"x", "tensor<2x3x4xf32>"}}},
          {"fft (C2)", but(to_half, {{"x", "tensor<2x3x6xf64>"}})},
          {"fft (C2)", but(to_half, {{"x", "tensor<2x3x6xcomplex<f32>>"}})},
          {"fft (C2)", but(from_half, {{"out", "tensor<2x3x6xcomplex<f32>>"}})},
          {"fft (C3)", {{"length", ""}}},
          {"fft (C3)",
           {{"length", ": 1, 2, 3, 4"},
            {"x", "tensor<1x2x3x4xcomplex<f32>>"},
            {"out", "tensor<1x2x3x4xcomplex<f32>>"}}},
          {"fft (C4)", but(to_half, {{"length", ": 2, 6"}})},
          {"fft (C4)", but(to_half, {{"length", ": 3, -6"}})},
          {"fft (C4)", but(from_half, {{"length", ": 3, 7"}})},
          {"fft (C5)", {{"out", "tensor<2x4x3xcomplex<f32>>"}}},
          {"fft (C5)", {{"out", "tensor<3x4xcomplex<f32>>"}}},
          {"fft (C5)", but(to_half, {{"out", "tensor<2x3x6xcomplex<f32>>"}})},
          {"fft (C5)", but(from_half, {{"length", ": 3, 8"}, {"out", "tensor<2x3x8xf32>"}})},
          {"fft (C5)", but(from_half, {{"out", "tensor<3x3x6xf32>"}})},
      });
}

TEST(Constraints, CholeskyAndTriangularSolve) {
  const std::string cholesky = R"(func.func @main(%a: $a$) {
  %0 = "stablehlo.cholesky"($operands$) <{lower = $lower$}> : ($types$) -> $out$
  return
})";
  expect_verdicts(cholesky,
                  {{"out", "$a$"}, {"operands", "%a"}, {"types", "$a$"}, {"a", "tensor<2x3x3xf32>"}, {"lower", "true"}},
                  {
                      {"", {}},
                      {"", {{"a", "tensor<3x3xcomplex<f64>>"}}},
                      {"cholesky (arity)", {{"operands", "%a, %a"}, {"types", "$a$, $a$"}}},
                      {"cholesky (I1)", {{"a", "tensor<3x3xi32>"}}},
                      {"attributes", {{"lower", "\"yes\""}}},
                      {"cholesky (C1)", {{"out", "tensor<3x3xf32>"}}},
                      {"cholesky (C2)", {{"a", "tensor<3xf32>"}}},
                      {"cholesky (C3)", {{"a", "tensor<3x2xf32>"}}},
                  });
  const std::string solve = R"(func.func @main(%a: $a$, %b: $b$) {
  %0 = "stablehlo.triangular_solve"($operands$) <{left_side = $left$, lower = $lower$, unit_diagonal = $unit$, transpose_a = #stablehlo<transpose $transpose$>}> : ($types$) -> $out$
  return
})";
  expect_verdicts(solve,
                  {{"out", "$b$"},
                   {"operands", "%a, %b"},
                   {"types", "$a$, $b$"},
                   {"a", "tensor<2x3x3xf32>"},
                   {"b", "tensor<2x3x4xf32>"},
                   {"left", "true"},
                   {"lower", "true"},
                   {"unit", "false"},
                   {"transpose", "ADJOINT"}},
                  {
                      {"", {}},
                      {"", {{"left", "false"}, {"b", "tensor<2x4x3xf32>"}}},
                      {"triangular_solve (arity)", {{"operands", "%a"}, {"types", "$a$"}}},
                      {"triangular_solve (I1)", {{"a", "tensor<2x3x3xi32>"}, {"b", "tensor<2x3x4xi32>"}}},
                      {"triangular_solve (C1)", {{"b", "tensor<2x3x4xf64>"}}},
                      {"triangular_solve (C2)", {{"b", "tensor<3x4xf32>"}}},
                      {"triangular_solve (C2)", {{"a", "tensor<3xf32>"}, {"b", "tensor<3xf32>"}}},
                      {"triangular_solve (C3)", {{"a", "tensor<1x3x3xf32>"}}},
                      {"triangular_solve (C3)", {{"a", "tensor<2x3x4xf32>"}}},
                      {"triangular_solve (C3)", {{"left", "false"}}},
                      {"triangular_solve (C3)", {{"b", "tensor<2x4x3xf32>"}}},
                      {"triangular_solve (C4)", {{"out", "tensor<2x4x3xf32>"}}},
                      {"attributes", {{"left", "1 : i64"}}},
                      {"attributes", {{"lower", "1.0 : f32"}}},
                      {"attributes", {{"unit", "\"unit\""}}},
                      {"triangular_solve (I6)", {{"transpose", "CONJUGATE"}}},
                  });
}

TEST(Constraints, RandomNumbers) {
  const std::string bits = R"(func.func @main(%s: $s$) {
  $name$ = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm $algorithm$>}> : ($s$) -> $out$
  return
})";
  expect_verdicts(
      bits, {{"out", "($s$, tensor<4xui32>)"}, {"name", "%0:2"}, {"s", "tensor<2xui64>"}, {"algorithm", "THREE_FRY"}},
      {
          {"", {}},
          {"", {{"algorithm", "PHILOX"}, {"s", "tensor<3xui64>"}}},
          {"", {{"algorithm", "DEFAULT"}, {"s", "tensor<5xui64>"}}},
          {"rng_bit_generator (arity)", {{"name", "%0"}, {"out", "$s$"}}},
          {"rng_bit_generator (I1)", {{"algorithm", "MERSENNE"}}},
          {"rng_bit_generator (I2)", {{"s", "tensor<2xui32>"}}},
          {"rng_bit_generator (I2)", {{"s", "tensor<1x2xui64>"}}},
          {"rng_bit_generator (C1)", {{"out", "(tensor<3xui64>, tensor<4xui32>)"}}},
          {"rng_bit_generator (C2)", {{"s", "tensor<3xui64>"}}},
          {"rng_bit_generator (C2)", {{"algorithm", "PHILOX"}, {"s", "tensor<4xui64>"}}},
          {"rng_bit_generator (type)", {{"out", "($s$, tensor<4xi1>)"}}},
      });
  const std::string rng = R"(func.func @main(%a: $a$, %b: $b$, %n: $n$) {
  %0 = "stablehlo.rng"($operands$) <{rng_distribution = #stablehlo<rng_distribution $distribution$>}> : ($types$) -> $out$
  return
})";
  expect_verdicts(
      rng,
      {{"operands", "%a, %b, %n"},
       {"types", "$a$, $b$, $n$"},
       {"a", "tensor<f32>"},
       {"b", "tensor<f32>"},
       {"n", "tensor<2xi64>"},
       {"distribution", "NORMAL"},
       {"out", "tensor<3x4xf32>"}},
      {
          {"", {}},
          {"", {{"distribution", "UNIFORM"}, {"a", "tensor<i1>"}, {"b", "tensor<i1>"}, {"out", "tensor<3x4xi1>"}}},
          {"rng (arity)", {{"operands", "%a, %b"}, {"types", "$a$, $b$"}}},
          {"rng (I1)", {{"a", "tensor<1xf32>"}}},
          {"rng (I1)", {{"a", "tensor<complex<f32>>"}}},
          {"rng (I2)", {{"b", "tensor<1xf32>"}}},
          {"rng (I3)", {{"n", "tensor<1x2xi64>"}}},
          {"rng (I3)", {{"n", "tensor<2xf32>"}}},
          {"rng (I4)", {{"distribution", "POISSON"}}},
          {"rng (C1)", {{"b", "tensor<f64>"}}},
          {"rng (C1)", {{"out", "tensor<3x4xf64>"}}},
          {"rng (C2)", {{"a", "tensor<i32>"}, {"b", "tensor<i32>"}, {"out", "tensor<3x4xi32>"}}},
          {"rng (C3)", {{"n", "tensor<3xi64>"}}},
      });
}

}  // namespace
}  // namespace partir::testing
