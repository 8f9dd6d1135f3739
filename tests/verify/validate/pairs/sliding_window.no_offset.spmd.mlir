// EXPECT: different (positions restart)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg3: tensor<8x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) -> (tensor<2x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
    %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    %3 = stablehlo.iota dim = 0 : tensor<2xi32>
    %4 = stablehlo.iota dim = 0 : tensor<8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x8xi32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<2x8xi32>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %10 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x8xi32>
    %12 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<2x8xi32>
    %13 = stablehlo.subtract %11, %12 : tensor<2x8xi32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %15 = stablehlo.compare LT, %13, %14, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %16 = stablehlo.and %9, %15 : tensor<2x8xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %17 = func.call @_where(%16, %2, %cst) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<2xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x8xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<2x8xf32>
    %24 = stablehlo.exponential %23 : tensor<2x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x8xf32>
    %28 = stablehlo.divide %24, %27 : tensor<2x8xf32>
    return %28 : tensor<2x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x8xi1>, %arg1: tensor<2x8xf32>, %arg2: tensor<f32>) -> tensor<2x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x8xi1>, tensor<2x8xf32>
    return %2 : tensor<2x8xf32>
  }
}
