module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<8x4xi8> {jax.result_info = "result"}) {
    %0 = stablehlo.abs %arg0 : tensor<8x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.270000e+02> : tensor<f32>
    %2 = stablehlo.divide %1, %cst_0 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %4 = stablehlo.divide %arg0, %3 : tensor<8x4xf32>
    %5 = call @round(%4) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %6 = stablehlo.convert %5 : (tensor<8x4xf32>) -> tensor<8x4xi8>
    return %6 : tensor<8x4xi8>
  }
  func.func private @round(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
