// EXPECT: different (the ends see each other instead of zeros)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "sp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {sp}, {}]"}}, %arg3: tensor<3x3x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {}]"}}) -> (tensor<2x2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {sp}, {}]"}}) {
    %1 = stablehlo.slice %arg2 [0:2, 1:2, 0:3] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
    %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %3 = stablehlo.slice %arg2 [0:2, 0:1, 0:3] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
    %4 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %5 = stablehlo.concatenate %2, %arg2, %4, dim = 1 : (tensor<2x1x3xf32>, tensor<2x2x3xf32>, tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
    %6 = stablehlo.convolution(%5, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x3xf32>, tensor<3x3x4xf32>) -> tensor<2x2x4xf32>
    return %6 : tensor<2x2x4xf32>
  }
}
