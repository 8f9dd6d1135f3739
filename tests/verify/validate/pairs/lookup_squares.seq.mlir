module {
  func.func public @main(%arg0: tensor<40x2xf32>, %arg1: tensor<3xi32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<39> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<3xi32>
    %3 = stablehlo.reshape %2 : (tensor<3xi32>) -> tensor<3x1xi32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<40x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<3x2xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3xf32>
    return %6 : tensor<3xf32>
  }
}
