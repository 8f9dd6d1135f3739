// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xi32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<3xi32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg1 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = func.call @_pad(%1, %c_0) : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
    %3 = "stablehlo.reduce_scatter"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %6 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %6 : tensor<i32>
    }) : (tensor<4xi32>) -> tensor<1xi32>
    %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<4xi32>
    %5 = stablehlo.slice %4 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    return %5 : tensor<3xi32>
  }
  func.func private @_pad(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [1], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
