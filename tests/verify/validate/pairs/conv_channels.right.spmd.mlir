// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<1x6x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {x}]"}}, %arg3: tensor<3x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) -> (tensor<1x6x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {}]"}}) {
    %1 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x2xf32>, tensor<3x2x3xf32>) -> tensor<1x6x3xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %3 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<1x6x3xf32>) -> tensor<1x6x3xf32>
    return %2 : tensor<1x6x3xf32>
  }
}
