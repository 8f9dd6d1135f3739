module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.is_finite %arg0 : (tensor<8x3xf32>) -> tensor<8x3xi1>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.and across dimensions = [0, 1] : (tensor<8x3xi1>, tensor<i1>) -> tensor<i1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = call @_where(%1, %arg0, %cst) : (tensor<i1>, tensor<8x3xf32>, tensor<f32>) -> tensor<8x3xf32>
    return %2 : tensor<8x3xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8x3xf32>, %arg2: tensor<f32>) -> tensor<8x3xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<8x3xf32>
    return %2 : tensor<8x3xf32>
  }
}
