// Rules as Shardy writes them. The expectation above an operation states the verdict on each factor of its rule.
module @right {
  func.func public @main(%x: tensor<8x16xf32>, %y: tensor<16x4xf32>, %i: tensor<8x1xi32>, %b: tensor<4x6x10xf32>, %at: tensor<i32>) -> tensor<8x4xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %zeros = stablehlo.constant dense<0.000000e+00> : tensor<16x4xf32>
    %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    // EXPECT: i proved, j proved, k proved
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=16} reduction={k}>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %bx = stablehlo.compare GT, %x, %x : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %by = stablehlo.compare GT, %y, %y : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
    // The sum of booleans is "or".
    // EXPECT: i proved, j proved, k proved
    %b0 = stablehlo.dot_general %bx, %by, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=16} reduction={k}>} : (tensor<8x16xi1>, tensor<16x4xi1>) -> tensor<8x4xi1>
    // EXPECT: i proved, j proved
    %1 = stablehlo.add %x, %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16}>} : tensor<8x16xf32>
    // EXPECT: i proved, j proved
    %2 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i]) {i=8, j=16} reduction={j}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    // EXPECT: i proved, j proved
    %3 = stablehlo.reduce(%x init: %ninf) applies stablehlo.maximum across dimensions = [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([j]) {i=8, j=16} reduction={i}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
    // EXPECT: i proved, j proved
    %4 = stablehlo.transpose %x, dims = [1, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([j, i])->([i, j]) {i=16, j=8}>} : (tensor<8x16xf32>) -> tensor<16x8xf32>
    // The minor factor, if the major one is sharded to size 1.
    // EXPECT: i proved, j proved
    %5 = stablehlo.reshape %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=8, j=16}>} : (tensor<8x16xf32>) -> tensor<128xf32>
    // EXPECT: i proved, j proved, k proved
    %6 = stablehlo.reshape %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([i, j, k]) {i=8, j=4, k=4}>} : (tensor<8x16xf32>) -> tensor<8x4x4xf32>
    // The padded dimension's size belongs to no other dimension, although it is four larger.
    // EXPECT: i skipped, j proved
    %p4 = stablehlo.pad %x, %zero, low = [4, 0], high = [0, 0], interior = [0, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=8, j=16} permutation={i}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<12x16xf32>
    // Nothing is claimed about dimensions without elements.
    %none = stablehlo.slice %x [0:0, 0:16] : (tensor<8x16xf32>) -> tensor<0x16xf32>
    // EXPECT: i skipped, j skipped
    %e = stablehlo.add %none, %none {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=0, j=16}>} : tensor<0x16xf32>
    // EXPECT: i skipped, j proved, k proved
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([k])->([k, j, i]) {i=1, j=3, k=8}>} : (tensor<8xf32>) -> tensor<8x3x1xf32>
    // EXPECT: i proved, j proved, k refuted, l skipped
    %8 = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> {sdy.sharding_rule = #sdy.op_sharding_rule<([k, j], [i, l])->([i, j]) {i=8, j=4, k=16, l=1} reduction={k} need_replication={l}>} : (tensor<16x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
    // EXPECT: i proved, j skipped
    %9 = stablehlo.slice %x [0:8, 2:14] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16} permutation={j}>} : (tensor<8x16xf32>) -> tensor<8x12xf32>
    // EXPECT: i proved, j skipped
    %10 = stablehlo.concatenate %x, %x, dim = 1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=32} need_replication={j}>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    // EXPECT: i skipped, j proved
    %11 = stablehlo.reverse %x, dims = [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16} permutation={i}>} : tensor<8x16xf32>
    // EXPECT: i skipped, j proved, k proved
    %12 = stablehlo.dynamic_slice %b, %at, %at, %at, sizes = [1, 6, 10] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [], [], [])->([i, j, k]) {i=4, j=6, k=10} need_replication={i} blocked_propagation={i}>} : (tensor<4x6x10xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x10xf32>
    // EXPECT: i unknown
    %13 = stablehlo.custom_call @mystery(%2) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<8xf32>) -> tensor<8xf32>
    // EXPECT: i proved, j proved, k skipped, l skipped
    %14 = "stablehlo.scatter"(%zeros, %i, %8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q {sdy.sharding_rule = #sdy.op_sharding_rule<([], [])->([])>} : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding_rule = #sdy.op_sharding_rule<([l, j], [i, k], [i, j])->([l, j]) {i=8, j=4, k=1, l=16} reduction={i} need_replication={k, l}>} : (tensor<16x4xf32>, tensor<8x1xi32>, tensor<8x4xf32>) -> tensor<16x4xf32>
    // The result is the initial value whatever is reduced: as a sum it is wrong; as a maximum it is right but not
    // proved.
    %five = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    // EXPECT: i proved, j unknown
    %first = "stablehlo.reduce"(%x, %five) <{dimensions = array<i64: 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      stablehlo.return %p : tensor<f32>
    }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i]) {i=8, j=16} reduction={j}>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    return %0 : tensor<8x4xf32>
  }
}
