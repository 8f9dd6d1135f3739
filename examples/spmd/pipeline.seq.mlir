module @jit_layers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg1 [0:1, 0:6, 0:6] : (tensor<4x6x6xf32>) -> tensor<1x6x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %2 = stablehlo.dot_general %arg0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
    %3 = stablehlo.tanh %2 : tensor<4x6xf32>
    %4 = stablehlo.slice %arg1 [1:2, 0:6, 0:6] : (tensor<4x6x6xf32>) -> tensor<1x6x6xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %6 = stablehlo.dot_general %3, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
    %7 = stablehlo.tanh %6 : tensor<4x6xf32>
    %8 = stablehlo.slice %arg1 [2:3, 0:6, 0:6] : (tensor<4x6x6xf32>) -> tensor<1x6x6xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %10 = stablehlo.dot_general %7, %9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
    %11 = stablehlo.tanh %10 : tensor<4x6xf32>
    %12 = stablehlo.slice %arg1 [3:4, 0:6, 0:6] : (tensor<4x6x6xf32>) -> tensor<1x6x6xf32>
    %13 = stablehlo.reshape %12 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %14 = stablehlo.dot_general %11, %13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
    %15 = stablehlo.tanh %14 : tensor<4x6xf32>
    return %15 : tensor<4x6xf32>
  }
}
