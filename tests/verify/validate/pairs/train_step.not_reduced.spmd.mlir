// EXPECT: different (gradients stay local)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "dp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg4: tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg5: tensor<6x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg6: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}, %arg7: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{dp}, {}]"}}) -> (tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, tensor<6x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, tensor<f32> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) {
    %1 = stablehlo.dot_general %arg6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x6xf32>) -> tensor<2x6xf32>
    %2 = stablehlo.tanh %1 : tensor<2x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<2x6xf32>
    %5 = stablehlo.dot_general %2, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x3xf32>) -> tensor<2x3xf32>
    %6 = stablehlo.subtract %5, %arg7 : tensor<2x3xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<2x3xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<2x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %11 = stablehlo.divide %10, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %12 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %14 = stablehlo.multiply %13, %9 : tensor<2x3xf32>
    %15 = stablehlo.dot_general %14, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<2x6xf32>) -> tensor<3x6xf32>
    %16 = stablehlo.transpose %15, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
    %17 = stablehlo.dot_general %14, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<6x3xf32>) -> tensor<2x6xf32>
    %18 = stablehlo.multiply %17, %4 : tensor<2x6xf32>
    %19 = stablehlo.multiply %18, %2 : tensor<2x6xf32>
    %20 = stablehlo.add %18, %19 : tensor<2x6xf32>
    %21 = stablehlo.dot_general %20, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<4x6xf32>
    %25 = stablehlo.subtract %arg4, %24 : tensor<4x6xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x3xf32>
    %27 = stablehlo.multiply %26, %16 : tensor<6x3xf32>
    %28 = stablehlo.subtract %arg5, %27 : tensor<6x3xf32>
    return %25, %28, %11 : tensor<4x6xf32>, tensor<6x3xf32>, tensor<f32>
  }
}
