// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg3: tensor<i32> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) -> (tensor<4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = func.call @clip(%arg3, %c, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.clamp %c_1, %1, %c_2 : tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.sine %arg2 : tensor<4x3xf32>
      stablehlo.return %4 : tensor<4x3xf32>
    }, {
      %4 = stablehlo.cosine %arg2 : tensor<4x3xf32>
      stablehlo.return %4 : tensor<4x3xf32>
    }, {
      %4 = stablehlo.tanh %arg2 : tensor<4x3xf32>
      stablehlo.return %4 : tensor<4x3xf32>
    }) : (tensor<i32>) -> tensor<4x3xf32>
    return %3 : tensor<4x3xf32>
  }
  func.func private @clip(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.maximum %0, %arg0 : tensor<i32>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %3 = stablehlo.minimum %2, %1 : tensor<i32>
    return %3 : tensor<i32>
  }
}
