// EXPECT: different (gradients are cut instead of reduce-scattered)
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
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %14 = stablehlo.multiply %13, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.compare LT, %14, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<8> : tensor<i32>
    %16 = stablehlo.add %14, %c_5 : tensor<i32>
    %17 = stablehlo.select %15, %16, %14 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.dynamic_slice %9, %17, %c_6, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %19 = stablehlo.multiply %13, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.compare LT, %19, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<8> : tensor<i32>
    %21 = stablehlo.add %19, %c_9 : tensor<i32>
    %22 = stablehlo.select %20, %21, %19 : tensor<i1>, tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.dynamic_slice %arg5, %22, %c_10, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %25 = stablehlo.multiply %24, %arg6 : tensor<2x4xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %27 = stablehlo.multiply %26, %18 : tensor<2x4xf32>
    %28 = stablehlo.add %25, %27 : tensor<2x4xf32>
    %cst_13 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %30 = stablehlo.multiply %29, %arg7 : tensor<2x4xf32>
    %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %32 = stablehlo.multiply %31, %18 : tensor<2x4xf32>
    %33 = stablehlo.multiply %32, %18 : tensor<2x4xf32>
    %34 = stablehlo.add %30, %33 : tensor<2x4xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %36 = stablehlo.multiply %35, %28 : tensor<2x4xf32>
    %37 = stablehlo.sqrt %34 : tensor<2x4xf32>
    %cst_16 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %39 = stablehlo.add %37, %38 : tensor<2x4xf32>
    %40 = stablehlo.divide %36, %39 : tensor<2x4xf32>
    %41 = stablehlo.subtract %23, %40 : tensor<2x4xf32>
    %42 = "stablehlo.all_gather"(%41) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
    return %42, %28, %34 : tensor<8x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
}
