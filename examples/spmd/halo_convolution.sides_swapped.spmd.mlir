// EXPECT: different (the halos of both sides are exchanged)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "sp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {sp}, {}]"}}, %arg3: tensor<3x3x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {}]"}}) -> (tensor<2x2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {sp}, {}]"}}) {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.divide %1, %c : tensor<ui32>
    %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %5 = stablehlo.slice %arg2 [0:2, 1:2, 0:3] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
    %6 = "stablehlo.collective_permute"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %7 = stablehlo.slice %arg2 [0:2, 0:1, 0:3] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
    %8 = "stablehlo.collective_permute"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare EQ, %4, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = func.call @_where(%9, %cst, %6) : (tensor<i1>, tensor<f32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %11 = stablehlo.compare EQ, %4, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = func.call @_where(%11, %cst_3, %8) : (tensor<i1>, tensor<f32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %13 = stablehlo.concatenate %12, %arg2, %10, dim = 1 : (tensor<2x1x3xf32>, tensor<2x2x3xf32>, tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
    %14 = stablehlo.convolution(%13, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x3xf32>, tensor<3x3x4xf32>) -> tensor<2x2x4xf32>
    return %14 : tensor<2x2x4xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<2x1x3xf32>) -> tensor<2x1x3xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x1x3xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<i1>, tensor<2x1x3xf32>
    return %2 : tensor<2x1x3xf32>
  }
}
