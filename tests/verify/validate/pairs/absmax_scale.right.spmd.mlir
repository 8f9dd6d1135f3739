// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<4x4xi8> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = stablehlo.abs %arg1 : tensor<4x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %9 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.270000e+02> : tensor<f32>
    %4 = stablehlo.divide %3, %cst_0 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %6 = stablehlo.divide %arg1, %5 : tensor<4x4xf32>
    %7 = func.call @round(%6) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %8 = stablehlo.convert %7 : (tensor<4x4xf32>) -> tensor<4x4xi8>
    return %8 : tensor<4x4xi8>
  }
  func.func private @round(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
