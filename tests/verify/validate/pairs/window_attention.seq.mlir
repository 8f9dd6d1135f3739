module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3xf32>, %arg1: tensor<8x3xf32>, %arg2: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<8xi32>
    %1 = stablehlo.iota dim = 0 : tensor<8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %8 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %11 = stablehlo.subtract %9, %10 : tensor<8x8xi32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %13 = stablehlo.compare LT, %11, %12, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %14 = stablehlo.and %6, %13 : tensor<8x8xi1>
    %15 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
    %16 = stablehlo.dot_general %arg0, %15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf32>, tensor<3x8xf32>) -> tensor<8x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = call @_where(%14, %16, %cst) : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<8x8xf32>
    %24 = stablehlo.exponential %23 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %28 = stablehlo.divide %24, %27 : tensor<8x8xf32>
    %29 = stablehlo.dot_general %28, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    return %29 : tensor<8x3xf32>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<8x8xf32>, %arg2: tensor<f32>) -> tensor<8x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x8xi1>, tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
