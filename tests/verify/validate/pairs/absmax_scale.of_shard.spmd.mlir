// EXPECT: different (each shard by its own scale)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<4x4xi8> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = stablehlo.abs %arg1 : tensor<4x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.270000e+02> : tensor<f32>
    %3 = stablehlo.divide %2, %cst_0 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %5 = stablehlo.divide %arg1, %4 : tensor<4x4xf32>
    %6 = func.call @round(%5) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = stablehlo.convert %6 : (tensor<4x4xf32>) -> tensor<4x4xi8>
    return %7 : tensor<4x4xi8>
  }
  func.func private @round(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
