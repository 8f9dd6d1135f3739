module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = call @_where(%1, %arg0, %cst_0) : (tensor<8x4xi1>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %5 = stablehlo.compare GT, %arg0, %4, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %6 = stablehlo.convert %5 : (tensor<8x4xi1>) -> tensor<8x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.reduce(%6 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xi32>, tensor<i32>) -> tensor<i32>
    %8 = stablehlo.convert %7 : (tensor<i32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %9 = stablehlo.add %cst_3, %8 : tensor<f32>
    %10 = stablehlo.convert %9 : tensor<f32>
    %11 = stablehlo.divide %3, %10 : tensor<f32>
    return %11 : tensor<f32>
  }
  func.func private @_where(%arg0: tensor<8x4xi1>, %arg1: tensor<8x4xf32>, %arg2: tensor<f32>) -> tensor<8x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x4xi1>, tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
