module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3xi8>) -> (tensor<3xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<8x3xi8>) -> tensor<8x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<8x3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}
