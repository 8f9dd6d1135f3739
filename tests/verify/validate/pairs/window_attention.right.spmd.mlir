// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg4: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg5: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = "stablehlo.collective_permute"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = stablehlo.concatenate %1, %arg4, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %3 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = stablehlo.concatenate %3, %arg5, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %5 = stablehlo.partition_id : tensor<ui32>
    %6 = stablehlo.divide %5, %c : tensor<ui32>
    %7 = stablehlo.remainder %6, %c_0 : tensor<ui32>
    %8 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %9 = stablehlo.multiply %8, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %10 = stablehlo.subtract %9, %c_2 : tensor<i32>
    %11 = stablehlo.iota dim = 0 : tensor<4xi32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %13 = stablehlo.add %12, %11 : tensor<4xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<ui32>
    %c_4 = stablehlo.constant dense<4> : tensor<ui32>
    %14 = stablehlo.partition_id : tensor<ui32>
    %15 = stablehlo.divide %14, %c_3 : tensor<ui32>
    %16 = stablehlo.remainder %15, %c_4 : tensor<ui32>
    %17 = stablehlo.convert %16 : (tensor<ui32>) -> tensor<i32>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %18 = stablehlo.multiply %17, %c_5 : tensor<i32>
    %19 = stablehlo.iota dim = 0 : tensor<2xi32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %21 = stablehlo.add %20, %19 : tensor<2xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %23 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x4xi32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<2x4xi32>
    %26 = stablehlo.compare GE, %24, %25, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %27 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %28 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x4xi32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<2x4xi32>
    %31 = stablehlo.subtract %29, %30 : tensor<2x4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %33 = stablehlo.compare GE, %13, %32, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %34 = stablehlo.broadcast_in_dim %33, dims = [1] : (tensor<4xi1>) -> tensor<1x4xi1>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<2x4xi1>
    %36 = stablehlo.and %26, %35 : tensor<2x4xi1>
    %c_7 = stablehlo.constant dense<3> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %38 = stablehlo.compare LT, %31, %37, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %39 = stablehlo.and %36, %38 : tensor<2x4xi1>
    %40 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %41 = stablehlo.dot_general %arg3, %40, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %42 = func.call @_where(%39, %41, %cst) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_8) applies stablehlo.maximum across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %45 = stablehlo.maximum %44, %43 : tensor<2xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %48 = stablehlo.subtract %42, %47 : tensor<2x4xf32>
    %49 = stablehlo.exponential %48 : tensor<2x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %53 = stablehlo.divide %49, %52 : tensor<2x4xf32>
    %54 = stablehlo.dot_general %53, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    return %54 : tensor<2x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4xi1>, %arg1: tensor<2x4xf32>, %arg2: tensor<f32>) -> tensor<2x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4xi1>, tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
}
