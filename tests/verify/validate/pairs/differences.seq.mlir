module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [1:9, 0:3] : (tensor<9x3xf32>) -> tensor<8x3xf32>
    %1 = stablehlo.slice %arg0 [0:8, 0:3] : (tensor<9x3xf32>) -> tensor<8x3xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<8x3xf32>
    return %2 : tensor<8x3xf32>
  }
}
