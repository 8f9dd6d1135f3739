// EXPECT: different (one row of the halo is missing)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg4: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg5: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = stablehlo.slice %arg4 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %3 = stablehlo.concatenate %2, %arg4, dim = 0 : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    %4 = stablehlo.slice %arg5 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %5 = "stablehlo.collective_permute"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %6 = stablehlo.concatenate %5, %arg5, dim = 0 : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %7 = stablehlo.partition_id : tensor<ui32>
    %8 = stablehlo.divide %7, %c : tensor<ui32>
    %9 = stablehlo.remainder %8, %c_0 : tensor<ui32>
    %10 = stablehlo.convert %9 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %11 = stablehlo.multiply %10, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.subtract %11, %c_2 : tensor<i32>
    %13 = stablehlo.iota dim = 0 : tensor<3xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %15 = stablehlo.add %14, %13 : tensor<3xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<ui32>
    %c_4 = stablehlo.constant dense<4> : tensor<ui32>
    %16 = stablehlo.partition_id : tensor<ui32>
    %17 = stablehlo.divide %16, %c_3 : tensor<ui32>
    %18 = stablehlo.remainder %17, %c_4 : tensor<ui32>
    %19 = stablehlo.convert %18 : (tensor<ui32>) -> tensor<i32>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %20 = stablehlo.multiply %19, %c_5 : tensor<i32>
    %21 = stablehlo.iota dim = 0 : tensor<2xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %23 = stablehlo.add %22, %21 : tensor<2xi32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %25 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<3xi32>) -> tensor<1x3xi32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x3xi32>
    %27 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<2x3xi32>
    %28 = stablehlo.compare GE, %26, %27, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %29 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %30 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<3xi32>) -> tensor<1x3xi32>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x3xi32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<2x3xi32>
    %33 = stablehlo.subtract %31, %32 : tensor<2x3xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %35 = stablehlo.compare GE, %15, %34, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<3xi1>) -> tensor<1x3xi1>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x3xi1>) -> tensor<2x3xi1>
    %38 = stablehlo.and %28, %37 : tensor<2x3xi1>
    %c_7 = stablehlo.constant dense<3> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %40 = stablehlo.compare LT, %33, %39, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %41 = stablehlo.and %38, %40 : tensor<2x3xi1>
    %42 = stablehlo.transpose %3, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %43 = stablehlo.dot_general %arg3, %42, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = func.call @_where(%41, %43, %cst) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_8) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %47 = stablehlo.maximum %46, %45 : tensor<2xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %50 = stablehlo.subtract %44, %49 : tensor<2x3xf32>
    %51 = stablehlo.exponential %50 : tensor<2x3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %55 = stablehlo.divide %51, %54 : tensor<2x3xf32>
    %56 = stablehlo.dot_general %55, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
    return %56 : tensor<2x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>) -> tensor<2x3xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x3xi1>, tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
