module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x4x3xf32>, %arg2: tensor<6x4x3xf32>, %arg3: tensor<6x4x3xf32>, %arg4: tensor<4x3x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x4x3xf32>, tensor<4x6xf32>) -> tensor<4x3x4xf32>
    %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<4x3x4xf32>) -> tensor<4x4x3xf32>
    %2 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x4x3xf32>, tensor<4x6xf32>) -> tensor<4x3x4xf32>
    %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<4x3x4xf32>) -> tensor<4x4x3xf32>
    %4 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x4x3xf32>, tensor<4x6xf32>) -> tensor<4x3x4xf32>
    %5 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<4x3x4xf32>) -> tensor<4x4x3xf32>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x3xf32>, tensor<4x4x3xf32>) -> tensor<4x4x4xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = stablehlo.sqrt %cst : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4x4x4xf32>
    %9 = stablehlo.divide %6, %8 : tensor<4x4x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<4x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<4x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x4xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<4x4x4xf32>
    %16 = stablehlo.exponential %15 : tensor<4x4x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x4xf32>
    %20 = stablehlo.divide %16, %19 : tensor<4x4x4xf32>
    %21 = stablehlo.dot_general %5, %20, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x3xf32>, tensor<4x4x4xf32>) -> tensor<4x3x4xf32>
    %22 = stablehlo.dot_general %21, %arg4, contracting_dims = [1, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x3x4xf32>, tensor<4x3x6xf32>) -> tensor<4x6xf32>
    return %22 : tensor<4x6xf32>
  }
}
