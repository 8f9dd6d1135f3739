// EXPECT: different (scaled by the local number of heads)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "tp=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg5: tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg6: tensor<6x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {tp}, {}]"}}, %arg7: tensor<6x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {tp}, {}]"}}, %arg8: tensor<6x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {tp}, {}]"}}, %arg9: tensor<2x3x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{tp}, {}, {}]"}}) -> (tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %1 = stablehlo.dot_general %arg6, %arg5, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3xf32>, tensor<4x6xf32>) -> tensor<2x3x4xf32>
    %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
    %3 = stablehlo.dot_general %arg7, %arg5, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3xf32>, tensor<4x6xf32>) -> tensor<2x3x4xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
    %5 = stablehlo.dot_general %arg8, %arg5, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3xf32>, tensor<4x6xf32>) -> tensor<2x3x4xf32>
    %6 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
    %7 = stablehlo.dot_general %2, %4, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.sqrt %cst : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %10 = stablehlo.divide %7, %9 : tensor<2x4x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x4xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x4x4xf32>
    %17 = stablehlo.exponential %16 : tensor<2x4x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x4x4xf32>
    %22 = stablehlo.dot_general %6, %21, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3xf32>, tensor<2x4x4xf32>) -> tensor<2x3x4xf32>
    %23 = stablehlo.dot_general %22, %arg9, contracting_dims = [1, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x3x6xf32>) -> tensor<4x6xf32>
    %24 = "stablehlo.all_reduce"(%23) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %25 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %25 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return %24 : tensor<4x6xf32>
  }
}
