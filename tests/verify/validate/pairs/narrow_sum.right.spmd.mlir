// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x3xi8> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<3xi32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) {
    %1 = stablehlo.convert %arg1 : (tensor<4x3xi8>) -> tensor<4x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4x3xi32>, tensor<i32>) -> tensor<3xi32>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %4 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }) : (tensor<3xi32>) -> tensor<3xi32>
    return %3 : tensor<3xi32>
  }
}
