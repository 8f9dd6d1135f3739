// EXPECT: different (tokens are not exchanged)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<4x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}, %arg3: tensor<1x3x5xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}, {}]"}}) -> (tensor<4x2x5xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) {
    %1 = stablehlo.slice %arg2 [0:1, 0:2, 0:3] : (tensor<4x2x3xf32>) -> tensor<1x2x3xf32>
    %2 = stablehlo.dot_general %1, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x3xf32>, tensor<1x3x5xf32>) -> tensor<1x2x5xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x2x5xf32>) -> tensor<1x1x1x2x1x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x1x1x2x1x5xf32>) -> tensor<4x1x1x2x1x5xf32>
    %5 = stablehlo.reshape %4 : (tensor<4x1x1x2x1x5xf32>) -> tensor<4x2x5xf32>
    return %5 : tensor<4x2x5xf32>
  }
}
