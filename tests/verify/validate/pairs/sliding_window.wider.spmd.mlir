// EXPECT: different (a window of four)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg3: tensor<8x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) -> (tensor<2x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
    %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %3 = stablehlo.partition_id : tensor<ui32>
    %4 = stablehlo.divide %3, %c : tensor<ui32>
    %5 = stablehlo.remainder %4, %c_0 : tensor<ui32>
    %6 = stablehlo.convert %5 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %7 = stablehlo.multiply %6, %c_1 : tensor<i32>
    %8 = stablehlo.iota dim = 0 : tensor<2xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %10 = stablehlo.add %9, %8 : tensor<2xi32>
    %11 = stablehlo.iota dim = 0 : tensor<8xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x8xi32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<2x8xi32>
    %16 = stablehlo.compare GE, %14, %15, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %17 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x8xi32>
    %19 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<2x8xi32>
    %20 = stablehlo.subtract %18, %19 : tensor<2x8xi32>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %22 = stablehlo.compare LT, %20, %21, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %23 = stablehlo.and %16, %22 : tensor<2x8xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %24 = func.call @_where(%23, %2, %cst) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %27 = stablehlo.maximum %26, %25 : tensor<2xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x8xf32>
    %30 = stablehlo.subtract %24, %29 : tensor<2x8xf32>
    %31 = stablehlo.exponential %30 : tensor<2x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x8xf32>
    %35 = stablehlo.divide %31, %34 : tensor<2x8xf32>
    return %35 : tensor<2x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x8xi1>, %arg1: tensor<2x8xf32>, %arg2: tensor<f32>) -> tensor<2x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x8xi1>, tensor<2x8xf32>
    return %2 : tensor<2x8xf32>
  }
}
