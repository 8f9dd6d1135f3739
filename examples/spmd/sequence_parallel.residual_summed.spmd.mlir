// EXPECT: different (rows of all devices are added to the residual)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "tp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg4: tensor<2x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{tp}, {}]"}}, %arg5: tensor<6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg6: tensor<6x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {tp}]"}}, %arg7: tensor<2x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{tp}, {}]"}}) -> (tensor<2x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{tp}, {}]"}}) {
    %1 = stablehlo.multiply %arg4, %arg4 : tensor<2x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<2x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x6xf32>
    %10 = stablehlo.multiply %arg4, %9 : tensor<2x6xf32>
    %11 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<2x6xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<2x6xf32>
    %14 = "stablehlo.all_gather"(%13) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x6xf32>) -> tensor<8x6xf32>
    %15 = stablehlo.dot_general %14, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf32>, tensor<6x2xf32>) -> tensor<8x2xf32>
    %16 = func.call @relu(%15) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %17 = stablehlo.dot_general %16, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
    %18 = "stablehlo.reduce_scatter"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %21 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %21 : tensor<f32>
    }) : (tensor<8x6xf32>) -> tensor<2x6xf32>
    %19 = "stablehlo.all_reduce"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %21 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %21 : tensor<f32>
    }) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %20 = stablehlo.add %19, %18 : tensor<2x6xf32>
    return %20 : tensor<2x6xf32>
  }
  func.func private @relu(%arg0: tensor<8x2xf32>) -> tensor<8x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x2xf32>
    return %1 : tensor<8x2xf32>
  }
}
