// Rules that are wrong in ways that real ones were, or could be. The expectation above an operation states the verdict
// on each factor.
module @wrong {
  func.func public @main(%x: tensor<8x16xf32>, %y: tensor<16x4xf32>, %v: tensor<8xf32>, %b: tensor<4x6xf32>, %c: tensor<f32>, %at: tensor<i32>, %sq: tensor<4x4xf32>) -> tensor<8x4xf32> {
    %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    // A contracted dimension as a pass-through factor.
    // EXPECT: i proved, j proved, k refuted
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=16}>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    // An initial value that is not the identity is counted once on each device.
    // EXPECT: i proved, j refuted
    %1 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i]) {i=8, j=16} reduction={j}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    // So may be one that is not known.
    // EXPECT: i proved, j refuted
    %2 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i]) {i=8, j=16} reduction={j}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    // Not a monoid: a reduction in order, from 0, happens to be the negated sum, which the prover does not see.
    // EXPECT: i proved, j unknown
    %3 = stablehlo.reduce(%x init: %zero) across dimensions = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i]) {i=8, j=16} reduction={j}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
     reducer(%p: tensor<f32>, %q: tensor<f32>)  {
      %s = stablehlo.subtract %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }
    // EXPECT: i refuted, j proved
    %4 = stablehlo.reverse %x, dims = [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}>} : tensor<8x16xf32>
    // EXPECT: i proved, j refuted
    %5 = stablehlo.concatenate %x, %x, dim = 1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=32}>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    // EXPECT: i refuted, j proved
    %6 = stablehlo.pad %x, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=8, j=16}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<9x16xf32>
    // Shardy's rule for a dimension that keeps its size; the elements move all the same.
    // EXPECT: i refuted, j proved
    %6b = stablehlo.pad %x, %zero, low = [1, 0], high = [-1, 0], interior = [0, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=8, j=16}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    // A cumulative sum.
    // EXPECT: i refuted
    %7 = "stablehlo.reduce_window"(%v, %zero) <{padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 8>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [])->([i]) {i=8}>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    // EXPECT: i refuted, j proved
    %8 = stablehlo.dynamic_slice %b, %at, %at, sizes = [1, 6] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [], [])->([i, j]) {i=4, j=6}>} : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
    // EXPECT: i proved, j refuted
    %9 = stablehlo.slice %x [0:8, 0:8] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}>} : (tensor<8x16xf32>) -> tensor<8x8xf32>
    // The factors of a split in the wrong order; if i is sharded to size 1, they have no order.
    // EXPECT: i refuted, j proved
    %10 = stablehlo.reshape %v {sdy.sharding_rule = #sdy.op_sharding_rule<([ij])->([j, i]) {i=2, j=4}>} : (tensor<8xf32>) -> tensor<4x2xf32>
    // A transpose treated as if it moved nothing; if the sizes differ, no part of a dimension is the factor.
    // EXPECT: i unknown, j unknown
    %11 = stablehlo.transpose %b, dims = [1, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=6}>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
    // EXPECT: i refuted, j refuted
    %16 = stablehlo.transpose %sq, dims = [1, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // EXPECT: i refuted
    %12 = stablehlo.iota dim = 0 {sdy.sharding_rule = #sdy.op_sharding_rule<()->([i]) {i=8}>} : tensor<8xf32>
    // The update is placed at its start indices, clamped to the complete operand.
    // EXPECT: i refuted, j skipped, k proved
    %13 = stablehlo.dynamic_update_slice %b, %8, %at, %at {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [j, k], [], [])->([i, k]) {i=4, j=1, k=6} need_replication={j}>} : (tensor<4x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    // A sorted dimension.
    // EXPECT: i proved, j refuted
    %14 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    // A right rule among them, written by a user.
    // EXPECT: i proved, j proved, k proved
    %15 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([k, j], [j, i])->([k, i]) {i=4, j=16, k=8} reduction={j}, custom>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
