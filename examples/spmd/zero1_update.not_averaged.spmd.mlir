// EXPECT: different (gradients of means are summed, not averaged)
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
      %39 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %39 : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<2x4xf32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %15 = stablehlo.multiply %13, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.compare LT, %15, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<8> : tensor<i32>
    %17 = stablehlo.add %15, %c_5 : tensor<i32>
    %18 = stablehlo.select %16, %17, %15 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.dynamic_slice %arg5, %18, %c_6, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %cst_7 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %21 = stablehlo.multiply %20, %arg6 : tensor<2x4xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %23 = stablehlo.multiply %22, %14 : tensor<2x4xf32>
    %24 = stablehlo.add %21, %23 : tensor<2x4xf32>
    %cst_9 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %26 = stablehlo.multiply %25, %arg7 : tensor<2x4xf32>
    %cst_10 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %28 = stablehlo.multiply %27, %14 : tensor<2x4xf32>
    %29 = stablehlo.multiply %28, %14 : tensor<2x4xf32>
    %30 = stablehlo.add %26, %29 : tensor<2x4xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %32 = stablehlo.multiply %31, %24 : tensor<2x4xf32>
    %33 = stablehlo.sqrt %30 : tensor<2x4xf32>
    %cst_12 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %35 = stablehlo.add %33, %34 : tensor<2x4xf32>
    %36 = stablehlo.divide %32, %35 : tensor<2x4xf32>
    %37 = stablehlo.subtract %19, %36 : tensor<2x4xf32>
    %38 = "stablehlo.all_gather"(%37) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
    return %38, %24, %30 : tensor<8x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
}
