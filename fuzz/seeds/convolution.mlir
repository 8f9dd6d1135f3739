func.func @main(%arg0: tensor<2x8x8x3xf32>, %arg1: tensor<3x3x3x16xf32>) -> tensor<2x4x4x16xf32> {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<2x4x4x16xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [16] : (tensor<2x4x4x16xf32>) -> tensor<2x4x4x9xcomplex<f32>>
  %2:2 = stablehlo.custom_call @target(%0) {backend_config = "", operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x4x4x16xf32>) -> (tensor<2xf32>, tensor<i32>)
  %3 = stablehlo.composite "my.op" %2#0 {composite_attributes = {s = 2.000000e+00 : f64}, decomposition = @my.op} : (tensor<2xf32>) -> tensor<2xf32>
  %values, %indices = chlo.top_k(%3, k = 1) : tensor<2xf32> -> (tensor<1xf32>, tensor<1xi32>)
  %4:2 = stablehlo.optimization_barrier %0, %3 : tensor<2x4x4x16xf32>, tensor<2xf32>
  return %4#0 : tensor<2x4x4x16xf32>
}
