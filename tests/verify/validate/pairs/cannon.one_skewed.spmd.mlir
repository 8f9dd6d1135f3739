// EXPECT: different (b is not skewed)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "r=2,c=2"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{r}, {c}]"}}, %arg3: tensor<3x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{r}, {c}]"}}) -> (tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{r}, {c}]"}}) {
    %1 = "stablehlo.collective_permute"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [1, 1], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %3 = stablehlo.dot_general %1, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x4xf32>
    %5 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "stablehlo.collective_permute"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %7 = stablehlo.dot_general %5, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %8 = stablehlo.add %4, %7 : tensor<2x4xf32>
    return %8 : tensor<2x4xf32>
  }
}
