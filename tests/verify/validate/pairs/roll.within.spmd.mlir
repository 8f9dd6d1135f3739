// EXPECT: different (each shard is rolled in itself)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = func.call @_roll_static(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @_roll_static(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.slice %arg0 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
