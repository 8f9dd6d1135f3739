// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}]"}}) -> (tensor<2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}]"}}, tensor<i32> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c) : tensor<2xf32>, tensor<i32>
    cond {
      %2 = stablehlo.multiply %iterArg, %iterArg : tensor<2xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %11 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %11 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
      %5 = stablehlo.compare LT, %4, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_2 = stablehlo.constant dense<20> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_3 = stablehlo.constant dense<false> : tensor<i1>
      %7 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i1>) -> tensor<i1>
      %8 = stablehlo.compare NE, %6, %7, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %9 = stablehlo.convert %8 : tensor<i1>
      %10 = stablehlo.and %5, %9 : tensor<i1>
      stablehlo.return %10 : tensor<i1>
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
