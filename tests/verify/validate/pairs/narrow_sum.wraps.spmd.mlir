// EXPECT: different (the sum wraps at 8 bits)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x3xi8> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<3xi32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i8>
    %1 = stablehlo.reduce(%arg1 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4x3xi8>, tensor<i8>) -> tensor<3xi8>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i8>, %arg3: tensor<i8>):
      %4 = stablehlo.add %arg2, %arg3 : tensor<i8>
      stablehlo.return %4 : tensor<i8>
    }) : (tensor<3xi8>) -> tensor<3xi8>
    %3 = stablehlo.convert %2 : (tensor<3xi8>) -> tensor<3xi32>
    return %3 : tensor<3xi32>
  }
}
