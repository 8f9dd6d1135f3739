// EXPECT: different (keys of the first heads on every device)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "sp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}, %arg4: tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}, %arg5: tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}) -> (tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}) {
    %1 = "stablehlo.all_to_all"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x3xf32>) -> tensor<8x1x3xf32>
    %2 = "stablehlo.all_to_all"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x3xf32>) -> tensor<8x1x3xf32>
    %3 = "stablehlo.all_gather"(%arg4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4x3xf32>) -> tensor<8x4x3xf32>
    %4 = stablehlo.slice %3 [0:8, 0:1, 0:3] : (tensor<8x4x3xf32>) -> tensor<8x1x3xf32>
    %5 = stablehlo.dot_general %1, %4, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x1x3xf32>, tensor<8x1x3xf32>) -> tensor<1x8x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<1x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x8xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<1x8x8xf32>
    %12 = stablehlo.exponential %11 : tensor<1x8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x8xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x8x8xf32>
    %17 = stablehlo.dot_general %2, %16, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x1x3xf32>, tensor<1x8x8xf32>) -> tensor<1x3x8xf32>
    %18 = stablehlo.transpose %17, dims = [2, 0, 1] : (tensor<1x3x8xf32>) -> tensor<8x1x3xf32>
    %19 = "stablehlo.all_to_all"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x1x3xf32>) -> tensor<2x4x3xf32>
    return %19 : tensor<2x4x3xf32>
  }
}
