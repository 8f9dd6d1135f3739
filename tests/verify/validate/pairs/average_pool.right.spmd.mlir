// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) -> (tensor<2x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) {
    %1 = stablehlo.slice %arg1 [0:2, 3:4, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x1x3xf32>
    %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %3 = stablehlo.slice %arg1 [0:2, 0:1, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x1x3xf32>
    %4 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<2> : tensor<ui32>
    %5 = stablehlo.partition_id : tensor<ui32>
    %6 = stablehlo.divide %5, %c : tensor<ui32>
    %7 = stablehlo.remainder %6, %c_0 : tensor<ui32>
    %8 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare EQ, %8, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = func.call @_where(%9, %cst, %2) : (tensor<i1>, tensor<f32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %c_2 = stablehlo.constant dense<1> : tensor<ui32>
    %c_3 = stablehlo.constant dense<2> : tensor<ui32>
    %11 = stablehlo.partition_id : tensor<ui32>
    %12 = stablehlo.divide %11, %c_2 : tensor<ui32>
    %13 = stablehlo.remainder %12, %c_3 : tensor<ui32>
    %14 = stablehlo.convert %13 : (tensor<ui32>) -> tensor<i32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.compare EQ, %14, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = func.call @_where(%15, %cst_5, %4) : (tensor<i1>, tensor<f32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %17 = stablehlo.concatenate %10, %arg1, %16, dim = 1 : (tensor<2x1x3xf32>, tensor<2x4x3xf32>, tensor<2x1x3xf32>) -> tensor<2x6x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.reduce_window"(%17, %18) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %22 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<2x6x3xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %cst_7 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x3xf32>
    %21 = stablehlo.divide %19, %20 : tensor<2x4x3xf32>
    return %21 : tensor<2x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<2x1x3xf32>) -> tensor<2x1x3xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x1x3xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<i1>, tensor<2x1x3xf32>
    return %2 : tensor<2x1x3xf32>
  }
}
