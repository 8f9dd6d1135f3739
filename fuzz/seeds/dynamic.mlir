func.func @main(%arg0: tensor<?x16xf32> loc(unknown), %arg1: !stablehlo.token) -> (tensor<16xf32>, !stablehlo.token) {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x16xf32>) -> tensor<i32>
  %1 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<?x16xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.after_all %arg1, %arg1 : !stablehlo.token
  return %1, %2 : tensor<16xf32>, !stablehlo.token
}
