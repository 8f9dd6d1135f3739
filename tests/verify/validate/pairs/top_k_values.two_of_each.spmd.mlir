// EXPECT: different (all three may stand on one device)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<3x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}]"}}) -> (tensor<3x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %values, %indices = chlo.top_k(%arg1, k = 2) : tensor<3x6xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
    %1 = "stablehlo.all_gather"(%values) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<3x2xf32>) -> tensor<3x4xf32>
    %values_0, %indices_1 = chlo.top_k(%1, k = 3) : tensor<3x4xf32> -> (tensor<3x3xf32>, tensor<3x3xi32>)
    return %values_0 : tensor<3x3xf32>
  }
}
