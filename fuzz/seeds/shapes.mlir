func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>) -> tensor<9x6xf32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %arg0 [0:4:2, 3:6] : (tensor<4x6xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x2xf32>) -> tensor<6xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<4x6xf32>
  %5 = stablehlo.pad %4, %cst, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %6 = stablehlo.dynamic_slice %5, %arg1, %arg1, sizes = [1, 6] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  %7 = stablehlo.dynamic_update_slice %5, %6, %arg1, %arg1 : (tensor<4x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  %8 = stablehlo.iota dim = 1 : tensor<1x6xf32>
  %9 = stablehlo.concatenate %7, %5, %8, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<9x6xf32>
  return %9 : tensor<9x6xf32>
}
