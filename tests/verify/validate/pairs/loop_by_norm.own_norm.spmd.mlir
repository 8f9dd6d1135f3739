// EXPECT: different (each device ends by its own norm)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}]"}}) -> (tensor<2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}]"}}, tensor<i32> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c) : tensor<2xf32>, tensor<i32>
    cond {
      %2 = stablehlo.multiply %iterArg, %iterArg : tensor<2xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
      %4 = stablehlo.compare LT, %3, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_2 = stablehlo.constant dense<20> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_3 = stablehlo.constant dense<false> : tensor<i1>
      %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i1>) -> tensor<i1>
      %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %8 = stablehlo.convert %7 : tensor<i1>
      %9 = stablehlo.and %4, %8 : tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %3 = stablehlo.multiply %iterArg, %2 : tensor<2xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %5 = stablehlo.add %3, %4 : tensor<2xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %5, %6 : tensor<2xf32>, tensor<i32>
    }
    return %1#0, %1#1 : tensor<2xf32>, tensor<i32>
  }
}
