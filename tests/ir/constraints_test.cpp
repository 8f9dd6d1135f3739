// Constraints of the operations that move elements; each row breaks one. The labels that do not occur are those of
// quantised types.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

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
      {"transpose (attributes)", x, "%0 = stablehlo.transpose %x : (tensor<1x3xf32>) -> tensor<3x1xf32>"},
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
      {"reverse (C3)", x, "%0 = stablehlo.reverse %x, dims = [-1] : tensor<1x3xf32>"},
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
      {"slice (C2)", x,
       R"(%0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 6>, strides = array<i64: 1>}> : (tensor<8x6xf32>) -> tensor<8x6xf32>)"},
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
      {"pad (I2)", x,
       "%0 = stablehlo.pad %v, %v, low = [0], high = [0], interior = [0] : (tensor<8xf32>, tensor<8xf32>) -> "
       "tensor<8xf32>"},
      {"pad (C1)", x,
       "%0 = stablehlo.pad %v, %z, low = [0], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> "
       "tensor<8xf64>"},
      {"", x,  // sizes beyond 32 bits
       "%0 = stablehlo.pad %v, %z, low = [0], high = [4000000000], interior = [0] : (tensor<8xf32>, tensor<f32>) -> "
       "tensor<4000000008xf32>"},
      {"pad (C4)", x,
       "%0 = stablehlo.pad %v, %z, low = [0], high = [0], interior = [1000000000000000000] : (tensor<8xf32>, "
       "tensor<f32>) -> tensor<8xf32>"},
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
      {"concatenate (arity)", x,
       R"(%0:2 = "stablehlo.concatenate"(%v) <{dimension = 0 : i64}> : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>))"},
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
      "tensor<i32>, %j: tensor<i64>, %f: tensor<f32>, %n: tensor<1xi32>";
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
      {"dynamic_slice (I2)", x,
       "%0 = stablehlo.dynamic_slice %x, %f, %f, sizes = [2, 6] : (tensor<8x6xf32>, tensor<f32>, tensor<f32>) -> "
       "tensor<2x6xf32>"},
      {"dynamic_slice (I2)", x,
       "%0 = stablehlo.dynamic_slice %x, %n, %n, sizes = [2, 6] : (tensor<8x6xf32>, tensor<1xi32>, tensor<1xi32>) -> "
       "tensor<2x6xf32>"},
      {"dynamic_slice (C4)", x,
       "%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [-1, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> "
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
      {"dynamic_update_slice (I3)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %u, %f, %f : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<f32>, "
       "tensor<f32>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (I3)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %u, %n, %n : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<1xi32>, "
       "tensor<1xi32>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (C5)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>, "
       "tensor<i64>) -> tensor<8x6xf32>"},
      {"dynamic_update_slice (C6)", x,
       "%0 = stablehlo.dynamic_update_slice %x, %w, %i, %i : (tensor<8x6xf32>, tensor<9x6xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<8x6xf32>"},
  });
}

}  // namespace
}  // namespace partir::testing
