// EXPECT: different (the last branch is missing)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg3: tensor<i32> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) -> (tensor<4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.clamp %c, %arg3, %c_0 : tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      %3 = stablehlo.sine %arg2 : tensor<4x3xf32>
      stablehlo.return %3 : tensor<4x3xf32>
    }, {
      %3 = stablehlo.cosine %arg2 : tensor<4x3xf32>
      stablehlo.return %3 : tensor<4x3xf32>
    }) : (tensor<i32>) -> tensor<4x3xf32>
    return %2 : tensor<4x3xf32>
  }
}
