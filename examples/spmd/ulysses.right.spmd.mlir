// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "sp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}, %arg4: tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}, %arg5: tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}) -> (tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}, {}]"}}) {
    %1 = "stablehlo.all_to_all"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x3xf32>) -> tensor<8x1x3xf32>
    %2 = "stablehlo.all_to_all"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x3xf32>) -> tensor<8x1x3xf32>
    %3 = "stablehlo.all_to_all"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x3xf32>) -> tensor<8x1x3xf32>
    %4 = stablehlo.dot_general %1, %3, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x1x3xf32>, tensor<8x1x3xf32>) -> tensor<1x8x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<1x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x8xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<1x8x8xf32>
    %11 = stablehlo.exponential %10 : tensor<1x8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x8xf32>
    %15 = stablehlo.divide %11, %14 : tensor<1x8x8xf32>
    %16 = stablehlo.dot_general %2, %15, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x1x3xf32>, tensor<1x8x8xf32>) -> tensor<1x3x8xf32>
    %17 = stablehlo.transpose %16, dims = [2, 0, 1] : (tensor<1x3x8xf32>) -> tensor<8x1x3xf32>
    %18 = "stablehlo.all_to_all"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x1x3xf32>) -> tensor<2x4x3xf32>
    return %18 : tensor<2x4x3xf32>
  }
}
