module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<8xi32>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %4 = stablehlo.negate %arg0 : tensor<8x3xf32>
    %5 = call @_where(%3, %arg0, %4) : (tensor<8x1xi1>, tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    return %5 : tensor<8x3xf32>
  }
  func.func private @_where(%arg0: tensor<8x1xi1>, %arg1: tensor<8x3xf32>, %arg2: tensor<8x3xf32>) -> tensor<8x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x1xi1>) -> tensor<8x3xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<8x3xi1>, tensor<8x3xf32>
    return %1 : tensor<8x3xf32>
  }
}
