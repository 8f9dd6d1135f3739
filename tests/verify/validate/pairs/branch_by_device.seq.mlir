module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:4, 0:3] : (tensor<8x3xf32>) -> tensor<4x3xf32>
    %1 = stablehlo.sine %0 : tensor<4x3xf32>
    %2 = stablehlo.slice %arg0 [4:8, 0:3] : (tensor<8x3xf32>) -> tensor<4x3xf32>
    %3 = stablehlo.cosine %2 : tensor<4x3xf32>
    %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
    return %4 : tensor<8x3xf32>
  }
}
