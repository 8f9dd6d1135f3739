// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "dp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg5: tensor<8x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg6: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}, %arg7: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}, %arg8: tensor<2x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}, %arg9: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}) -> (tensor<8x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}, tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}) {
    %1 = stablehlo.dot_general %arg8, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.subtract %1, %arg9 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.divide %cst_0, %cst_1 : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<2x4xf32>
    %8 = stablehlo.dot_general %7, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_2 = stablehlo.constant dense<4> : tensor<ui32>
    %10 = stablehlo.partition_id : tensor<ui32>
    %11 = stablehlo.divide %10, %c : tensor<ui32>
    %12 = stablehlo.remainder %11, %c_2 : tensor<ui32>
    %13 = stablehlo.convert %12 : (tensor<ui32>) -> tensor<i32>
    %14 = "stablehlo.reduce_scatter"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %41 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %41 : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %16 = stablehlo.divide %14, %15 : tensor<2x4xf32>
    %c_4 = stablehlo.constant dense<2> : tensor<i32>
    %17 = stablehlo.multiply %13, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.compare LT, %17, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<8> : tensor<i32>
    %19 = stablehlo.add %17, %c_6 : tensor<i32>
    %20 = stablehlo.select %18, %19, %17 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.dynamic_slice %arg5, %20, %c_7, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %cst_8 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %23 = stablehlo.multiply %22, %arg6 : tensor<2x4xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %25 = stablehlo.multiply %24, %16 : tensor<2x4xf32>
    %26 = stablehlo.add %23, %25 : tensor<2x4xf32>
    %cst_10 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %28 = stablehlo.multiply %27, %arg7 : tensor<2x4xf32>
    %cst_11 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %30 = stablehlo.multiply %29, %16 : tensor<2x4xf32>
    %31 = stablehlo.multiply %30, %16 : tensor<2x4xf32>
    %32 = stablehlo.add %28, %31 : tensor<2x4xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %34 = stablehlo.multiply %33, %26 : tensor<2x4xf32>
    %35 = stablehlo.sqrt %32 : tensor<2x4xf32>
    %cst_13 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %37 = stablehlo.add %35, %36 : tensor<2x4xf32>
    %38 = stablehlo.divide %34, %37 : tensor<2x4xf32>
    %39 = stablehlo.subtract %21, %38 : tensor<2x4xf32>
    %40 = "stablehlo.all_gather"(%39) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
    return %40, %26, %32 : tensor<8x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
}
