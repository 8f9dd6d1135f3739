// EXPECT: different (only the neighbour's total)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = func.call @cumsum(%arg1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = stablehlo.slice %1 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x3xf32>) -> tensor<3xf32>
    %4 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %5 = stablehlo.partition_id : tensor<ui32>
    %6 = stablehlo.divide %5, %c : tensor<ui32>
    %7 = stablehlo.remainder %6, %c_0 : tensor<ui32>
    %8 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.compare GE, %8, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = func.call @_where(%9, %4, %cst) : (tensor<i1>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %11 = stablehlo.add %3, %10 : tensor<3xf32>
    %c_2 = stablehlo.constant dense<1> : tensor<ui32>
    %c_3 = stablehlo.constant dense<4> : tensor<ui32>
    %12 = stablehlo.partition_id : tensor<ui32>
    %13 = stablehlo.divide %12, %c_2 : tensor<ui32>
    %14 = stablehlo.remainder %13, %c_3 : tensor<ui32>
    %15 = stablehlo.convert %14 : (tensor<ui32>) -> tensor<i32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.compare GE, %15, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %17 = "stablehlo.collective_permute"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = func.call @_where(%16, %17, %cst_5) : (tensor<i1>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %21 = stablehlo.add %1, %20 : tensor<2x3xf32>
    return %21 : tensor<2x3xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) -> tensor<3xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<3xf32>
    return %2 : tensor<3xf32>
  }
}
