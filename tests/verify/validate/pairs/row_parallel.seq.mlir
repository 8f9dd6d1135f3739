module @row_parallel {
  func.func public @main(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.tanh %0 : tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
}
