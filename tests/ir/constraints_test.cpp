// Each constraint that a declaration names, broken by one minimal module: the label in the diagnostic is the one of the
// specification. Tables, one row a constraint; the rows of an operation start from a module that holds.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/text/read.h"

namespace partir {
namespace {

struct Row {
  const char* code;       ///< "slice (C3)"; empty: the operation is well-formed
  const char* arguments;  ///< of the function
  std::string operation;  ///< one operation
};

std::string module_of(const Row& row) {
  return std::string("func.func @main(") + row.arguments + ") {\n  " + row.operation + "\n  return\n}\n";
}

void expect_verdicts(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const std::string text = module_of(row);
    const auto read = read_module(text, "constraint.mlir");
    const std::string code = read ? "" : read.error().code;
    EXPECT_EQ(code, row.code) << text << (read ? "" : read.error().text());
    if (read || *row.code == '\0') continue;
    EXPECT_EQ(read.error().place.line, 2U) << text;
    EXPECT_GE(read.error().place.column, 3U) << text;
    EXPECT_FALSE(read.error().found.empty()) << text;
    EXPECT_FALSE(read.error().wanted.empty()) << text;
  }
}

TEST(Constraints, Elementwise) {
  const char* const x = "%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %c: tensor<2x3xcomplex<f32>>";
  expect_verdicts({
      {"", x, "%0 = stablehlo.add %x, %x : tensor<2x3xf32>"},
      {"", x, "%0 = stablehlo.abs %c : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>"},
      {"", x, "%0 = stablehlo.is_finite %x : (tensor<2x3xf32>) -> tensor<2x3xi1>"},
      {"add (arity)", x, "%0 = stablehlo.add %x : tensor<2x3xf32>"},
      {"negate (arity)", x, "%0 = stablehlo.negate %x, %x : tensor<2x3xf32>"},
      {"negate (arity)", x, "%0:2 = stablehlo.negate %x : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)"},
      {"add (C1)", x, "%0 = stablehlo.add %x, %i : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>"},
      {"add (C1)", x, "%0 = stablehlo.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>"},
      {"sine (C1)", x, "%0 = stablehlo.sine %x : (tensor<2x3xf32>) -> tensor<2x3xf64>"},
      {"abs (C1)", x, "%0 = stablehlo.abs %c : (tensor<2x3xcomplex<f32>>) -> tensor<2xf32>"},
      {"is_finite (C1)", x, "%0 = stablehlo.is_finite %x : (tensor<2x3xf32>) -> tensor<2x3xf32>"},
      {"is_finite (C1)", x, "%0 = stablehlo.is_finite %x : (tensor<2x3xf32>) -> tensor<2xi1>"},
      {"and (I1)", x, "%0 = stablehlo.and %x, %x : tensor<2x3xf32>"},
      {"not (I1)", x, "%0 = stablehlo.not %c : tensor<2x3xcomplex<f32>>"},
      {"tanh (I1)", x, "%0 = stablehlo.tanh %i : tensor<2x3xi32>"},
      {"erf (C1)", x, "%0 = chlo.erf %x : tensor<2x3xf32> -> tensor<2xf32>"},
  });
}

TEST(Constraints, CompareSelectClampConvert) {
  const char* const x =
      "%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<5xi1>, %s: tensor<i1>, "
      "%l: tensor<f32>";
  expect_verdicts({
      {"", x, "%0 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"},
      {"compare (attributes)", x,
       R"(%0 = "stablehlo.compare"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>)"},
      {"compare (arity)", x,
       R"(%0 = "stablehlo.compare"(%x) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4xf32>) -> tensor<4xi1>)"},
      {"compare (C1)", x, "%0 = stablehlo.compare LT, %x, %i : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>"},
      {"compare (C2)", x, "%0 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>"},
      {"compare (C2)", x, "%0 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>"},
      {"compare (C2)", x, "%0 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>"},
      {"compare (I3)", x, "%0 = stablehlo.compare XX, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"},
      {"", x, "%0 = stablehlo.select %s, %x, %x : tensor<i1>, tensor<4xf32>"},
      {"select (arity)", x, R"(%0 = "stablehlo.select"(%p, %x) : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32>)"},
      {"select (I1)", x, "%0 = stablehlo.select %i, %x, %x : tensor<4xi32>, tensor<4xf32>"},
      {"select (C1)", x, "%0 = stablehlo.select %q, %x, %x : tensor<5xi1>, tensor<4xf32>"},
      {"select (C2)", x,
       R"(%0 = "stablehlo.select"(%p, %x, %i) : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>)"},
      {"select (C2)", x,
       R"(%0 = "stablehlo.select"(%p, %x, %x) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>)"},
      {"", x, "%0 = stablehlo.clamp %l, %x, %l : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"},
      {"clamp (arity)", x, "%0 = stablehlo.clamp %x, %x : tensor<4xf32>"},
      {"clamp (C1)", x,
       "%0 = stablehlo.clamp %y, %x, %x : (tensor<5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"},
      {"clamp (C2)", x,
       "%0 = stablehlo.clamp %x, %x, %y : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>"},
      {"clamp (C3)", x,
       "%0 = stablehlo.clamp %i, %x, %x : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"},
      {"clamp (C4)", x, "%0 = stablehlo.clamp %l, %x, %l : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<5xf32>"},
      {"", x, "%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>"},
      {"convert (arity)", x, "%0 = stablehlo.convert %x, %x : tensor<4xf32>"},
      {"convert (C1)", x, "%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<5xf32>"},
  });
}

TEST(Constraints, ConstantAndIota) {
  const char* const x = "%x: tensor<4xf32>";
  expect_verdicts({
      {"", "", R"(%0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>)"},
      {"constant (attributes)", "", R"(%0 = "stablehlo.constant"() : () -> tensor<2xi32>)"},
      {"constant (arity)", x,
       R"(%0 = "stablehlo.constant"(%x) <{value = dense<1> : tensor<2xi32>}> : (tensor<4xf32>) -> tensor<2xi32>)"},
      {"constant (C1)", "",
       R"(%0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<3xi32>)"},
      {"", "", "%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>"},
      {"iota (attributes)", "", R"(%0 = "stablehlo.iota"() : () -> tensor<2xi32>)"},
      {"iota (arity)", x, "%0 = stablehlo.iota %x, dim = 0 : tensor<4xf32>"},
      {"iota (C1)", "", "%0 = stablehlo.iota dim = 2 : tensor<2x3xi32>"},
      {"iota (C1)", "", "%0 = stablehlo.iota dim = -1 : tensor<2x3xi32>"},
      {"iota (C1)", "", "%0 = stablehlo.iota dim = 0 : tensor<i32>"},
  });
}

TEST(Constraints, BroadcastReshapeTransposeReverse) {
  const char* const x = "%x: tensor<1x3xf32>";
  expect_verdicts({
      {"", x, "%0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<5x4x3xf32>"},
      {"broadcast_in_dim (attributes)", x, "%0 = stablehlo.broadcast_in_dim %x : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"broadcast_in_dim (arity)", x,
       "%0 = stablehlo.broadcast_in_dim %x, %x, dims = [0, 1] : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"broadcast_in_dim (C1)", x,
       "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3xf64>"},
      {"broadcast_in_dim (C2)", x,
       "%0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"broadcast_in_dim (C3)", x,
       "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"broadcast_in_dim (C3)", x,
       "%0 = stablehlo.broadcast_in_dim %x, dims = [-1, 0] : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"broadcast_in_dim (C4)", x,
       "%0 = stablehlo.broadcast_in_dim %x, dims = [1, 1] : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"broadcast_in_dim (C5)", x,
       "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x4xf32>"},
      {"", x, "%0 = stablehlo.reshape %x : (tensor<1x3xf32>) -> tensor<3x1x1xf32>"},
      {"reshape (arity)", x, "%0 = stablehlo.reshape %x, %x : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<3xf32>"},
      {"reshape (C1)", x, "%0 = stablehlo.reshape %x : (tensor<1x3xf32>) -> tensor<3xi32>"},
      {"reshape (C2)", x, "%0 = stablehlo.reshape %x : (tensor<1x3xf32>) -> tensor<4xf32>"},
      {"", x, "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1x3xf32>) -> tensor<3x1xf32>"},
      {"transpose (arity)", x,
       "%0 = stablehlo.transpose %x, %x, dims = [1, 0] : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<3x1xf32>"},
      {"transpose (C1)", x, "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1x3xf32>) -> tensor<3x1xf16>"},
      {"transpose (C2)", x, "%0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<1x3xf32>) -> tensor<3x1xf32>"},
      {"transpose (C2)", x, "%0 = stablehlo.transpose %x, dims = [0] : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"transpose (C2)", x, "%0 = stablehlo.transpose %x, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"transpose (C3)", x, "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1x3xf32>) -> tensor<1x3xf32>"},
      {"transpose (C3)", x, "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1x3xf32>) -> tensor<3xf32>"},
      {"", x, "%0 = stablehlo.reverse %x, dims = [0, 1] : tensor<1x3xf32>"},
      {"reverse (attributes)", x, "%0 = stablehlo.reverse %x : tensor<1x3xf32>"},
      {"reverse (arity)", x, "%0 = stablehlo.reverse %x, %x, dims = [0] : tensor<1x3xf32>"},
      {"reverse (C1)", x, "%0 = stablehlo.reverse %x, dims = [0] : (tensor<1x3xf32>) -> tensor<3x1xf32>"},
      {"reverse (C2)", x, "%0 = stablehlo.reverse %x, dims = [0, 0] : tensor<1x3xf32>"},
      {"reverse (C3)", x, "%0 = stablehlo.reverse %x, dims = [2] : tensor<1x3xf32>"},
  });
}

TEST(Constraints, SlicePadConcatenate) {
  const char* const x =
      "%x: tensor<8x6xf32>, %i: tensor<8x6xi32>, %y: tensor<8x5xf32>, %v: tensor<8xf32>, %z: tensor<f32>, %n: "
      "tensor<i32>";
  expect_verdicts({
      {"", x, "%0 = stablehlo.slice %x [1:8:3, 6:6] : (tensor<8x6xf32>) -> tensor<3x0xf32>"},
      {"slice (attributes)", x, R"(%0 = "stablehlo.slice"(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32>)"},
      {"slice (arity)", x,
       R"(%0 = "stablehlo.slice"(%x, %x) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 6>, strides = array<i64: 1, 1>}> : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>)"},
      {"slice (C1)", x, "%0 = stablehlo.slice %x [0:8, 0:6] : (tensor<8x6xf32>) -> tensor<8x6xf16>"},
      {"slice (C2)", x, "%0 = stablehlo.slice %x [0:8] : (tensor<8x6xf32>) -> tensor<8x6xf32>"},
      {"slice (C3)", x, "%0 = stablehlo.slice %x [-1:8, 0:6] : (tensor<8x6xf32>) -> tensor<9x6xf32>"},
      {"slice (C3)", x, "%0 = stablehlo.slice %x [3:2, 0:6] : (tensor<8x6xf32>) -> tensor<0x6xf32>"},
      {"slice (C3)", x, "%0 = stablehlo.slice %x [0:9, 0:6] : (tensor<8x6xf32>) -> tensor<9x6xf32>"},
      {"slice (C4)", x, "%0 = stablehlo.slice %x [0:8:0, 0:6] : (tensor<8x6xf32>) -> tensor<8x6xf32>"},
      {"slice (C5)", x, "%0 = stablehlo.slice %x [0:8:3, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>"},
      {"slice (C5)", x, "%0 = stablehlo.slice %x [0:8, 0:6] : (tensor<8x6xf32>) -> tensor<48xf32>"},
      {"", x,
       "%0 = stablehlo.pad %v, %z, low = [-1], high = [2], interior = [1] : (tensor<8xf32>, tensor<f32>) -> "
       "tensor<16xf32>"},
      {"pad (attributes)", x,
       "%0 = stablehlo.pad %v, %z, low = [0], high = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>"},
      {"pad (arity)", x,
       "%0 = stablehlo.pad %v, low = [0], high = [0], interior = [0] : (tensor<8xf32>) -> tensor<8xf32>"},
      {"pad (C1)", x,
       "%0 = stablehlo.pad %v, %n, low = [0], high = [0], interior = [0] : (tensor<8xf32>, tensor<i32>) -> "
       "tensor<8xf32>"},
      {"pad (C1)", x,
       "%0 = stablehlo.pad %v, %v, low = [0], high = [0], interior = [0] : (tensor<8xf32>, tensor<8xf32>) -> "
       "tensor<8xf32>"},
      {"pad (C2)", x,
       "%0 = stablehlo.pad %v, %z, low = [0, 0], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> "
       "tensor<8xf32>"},
      {"pad (C3)", x,
       "%0 = stablehlo.pad %v, %z, low = [0], high = [0], interior = [-1] : (tensor<8xf32>, tensor<f32>) -> "
       "tensor<1xf32>"},
      {"pad (C4)", x,
       "%0 = stablehlo.pad %v, %z, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> "
       "tensor<9xf32>"},
      {"pad (C4)", x,
       "%0 = stablehlo.pad %v, %z, low = [0], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> "
       "tensor<8x1xf32>"},
      {"pad (C4)", x,
       "%0 = stablehlo.pad %v, %z, low = [-9223372036854775808], high = [0], interior = [0] : (tensor<8xf32>, "
       "tensor<f32>) -> tensor<8xf32>"},
      {"", x, "%0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<8x6xf32>, tensor<8x5xf32>) -> tensor<8x11xf32>"},
      {"concatenate (attributes)", x,
       "%0 = stablehlo.concatenate %x, %y : (tensor<8x6xf32>, tensor<8x5xf32>) -> tensor<8x11xf32>"},
      {"concatenate (C1)", x,
       "%0 = stablehlo.concatenate %x, %i, dim = 1 : (tensor<8x6xf32>, tensor<8x6xi32>) -> tensor<8x12xf32>"},
      {"concatenate (C2)", x,
       "%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<8x6xf32>, tensor<8x5xf32>) -> tensor<16x6xf32>"},
      {"concatenate (C2)", x,
       "%0 = stablehlo.concatenate %x, %v, dim = 0 : (tensor<8x6xf32>, tensor<8xf32>) -> tensor<16x6xf32>"},
      {"concatenate (C3)", x, R"(%0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<0xf32>)"},
      {"concatenate (C4)", x, "%0 = stablehlo.concatenate %x, dim = 2 : (tensor<8x6xf32>) -> tensor<8x6xf32>"},
      {"concatenate (C5)", x, "%0 = stablehlo.concatenate %x, dim = 0 : (tensor<8x6xf32>) -> tensor<8x6xi32>"},
      {"concatenate (C6)", x,
       "%0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>"},
  });
}

TEST(Constraints, DynamicSliceAndUpdate) {
  const char* const x =
      "%x: tensor<8x6xf32>, %u: tensor<2x6xf32>, %w: tensor<9x6xf32>, %v: tensor<6xf32>, %h: tensor<2x6xf16>, %i: "
      "tensor<i32>, %j: tensor<i64>, %f: tensor<f32>";
  expect_verdicts({
      {"", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> "
       "tensor<2x6xf32>"},
      {"dynamic_slice (attributes)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %i : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>"},
      {"dynamic_slice (arity)", x,
       R"(%0 = "stablehlo.dynamic_slice"() <{slice_sizes = array<i64>}> : () -> tensor<f32>)"},
      {"dynamic_slice (C1)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> "
       "tensor<2x6xf64>"},
      {"dynamic_slice (C2)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, sizes = [2, 6] : (tensor<8x6xf32>, tensor<i32>) -> tensor<2x6xf32>"},
      {"dynamic_slice (C2)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> "
       "tensor<2x6xf32>"},
      {"dynamic_slice (C3)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i64>) -> "
       "tensor<2x6xf32>"},
      {"dynamic_slice (C3)", x,
       "%0 = stablehlo.dynamic_slice %x, %f, %f, sizes = [2, 6] : (tensor<8x6xf32>, tensor<f32>, tensor<f32>) -> "
       "tensor<2x6xf32>"},
      {"dynamic_slice (C4)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [9, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> "
       "tensor<9x6xf32>"},
      {"dynamic_slice (C5)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> "
       "tensor<3x6xf32>"},
      {"", x,
       "%0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (arity)", x,
       "%0 = stablehlo.dynamic_update_slice %x : (tensor<8x6xf32>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (C1)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<2x6xf32>"},
      {"dynamic_update_slice (C2)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %h, %i, %i : (tensor<8x6xf32>, tensor<2x6xf16>, tensor<i32>, "
       "tensor<i32>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (C3)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %v, %i, %i : (tensor<8x6xf32>, tensor<6xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (C4)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>) -> "
       "tensor<8x6xf32>"},
      {"dynamic_update_slice (C5)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>, "
       "tensor<i64>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (C6)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %w, %i, %i : (tensor<8x6xf32>, tensor<9x6xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<8x6xf32>"},
  });
}

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
      {"dot_general (C12)", x,
       dot("%b", t, "batching_dims = [0] x [0], contracting_dims = [2] x [1]", "tensor<2x5x3xf32>")},
      {"dot_general (C13)", x,
       dot("%h", "tensor<2x4x5xf16>", "batching_dims = [0] x [0], contracting_dims = [2] x [1]", out)},
  });
}

TEST(Constraints, ReduceAndWhile) {
  const char* const x = "%x: tensor<2x3xf32>, %y: tensor<3x3xf32>, %z: tensor<f32>, %i: tensor<i32>, %p: tensor<i1>";
  const auto reduce = [](const std::string& dims, const std::string& result) {
    return "%0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = " + dims +
           " : (tensor<2x3xf32>, tensor<f32>) -> " + result;
  };
  const auto body = [](const std::string& arguments, const std::string& returned) {
    return R"(%0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({ ^bb0()" + arguments +
           "): stablehlo.return " + returned + " }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>";
  };
  const auto loop = [](const std::string& condition, const std::string& loop_body, const std::string& result) {
    return R"(%0 = "stablehlo.while"(%z) ({)" + condition + "}, {" + loop_body + "}) : (tensor<f32>) -> " + result;
  };
  const std::string condition = "^bb0(%a: tensor<f32>): stablehlo.return %p : tensor<i1>";
  const std::string same = "^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>";
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
      {"reduce (C7)", x, reduce("[0]", "tensor<2xf32>")},
      {"", x, loop(condition, same, "tensor<f32>")},
      {"while (arity)", x, R"(%0 = "stablehlo.while"(%z) : (tensor<f32>) -> tensor<f32>)"},
      {"while (C1)", x, loop("^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>", same, "tensor<f32>")},
      {"while (C1)", x, loop("stablehlo.return %p : tensor<i1>", same, "tensor<f32>")},
      {"while (C2)", x, loop(condition, "^bb0(%a: tensor<f32>): stablehlo.return %i : tensor<i32>", "tensor<f32>")},
      {"while (C2)", x, loop(condition, "stablehlo.return %z : tensor<f32>", "tensor<f32>")},
      {"while (C3)", x, loop(condition, same, "tensor<i32>")},
  });
}

}  // namespace
}  // namespace partir
