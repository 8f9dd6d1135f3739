// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<i1> {mhlo.frontend_attributes = {partir.sharding = "[]"}}, tensor<i1> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.compare GT, %arg1, %1, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.or across dimensions = [0, 1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %13 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare GT, %5, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %8 = stablehlo.compare GT, %arg1, %7, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.reduce(%8 init: %c_2) applies stablehlo.and across dimensions = [0, 1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<i1>
    %10 = stablehlo.convert %9 : (tensor<i1>) -> tensor<i32>
    %11 = "stablehlo.all_reduce"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %13 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %12 = stablehlo.compare EQ, %11, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %6, %12 : tensor<i1>, tensor<i1>
  }
}
