// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<8x3xbf16> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %1 = stablehlo.convert %arg1 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xbf16>) -> tensor<8x3xbf16>
    return %2 : tensor<8x3xbf16>
  }
}
