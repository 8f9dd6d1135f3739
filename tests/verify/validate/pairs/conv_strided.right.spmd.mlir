// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<1x4x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}, %arg3: tensor<2x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {}]"}}) -> (tensor<1x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) {
    %1 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x2xf32>, tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
    return %1 : tensor<1x2x3xf32>
  }
}
