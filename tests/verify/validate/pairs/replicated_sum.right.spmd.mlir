// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) -> (tensor<f32> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
