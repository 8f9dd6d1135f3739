// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "a=2,b=2"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{a, b}, {}]"}}) -> (tensor<8x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<2x3xf32>
    %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<8x3xf32>
    return %3 : tensor<8x3xf32>
  }
}
