// Batch normalisation, on numbers whose square roots are integers.
func.func @training() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %y, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %y, dense<[[-1.0, 7.0], [3.0, 13.0]]> : tensor<2x2xf32>
  check.expect_almost_eq_const %mean, dense<[2.0, 4.0]> : tensor<2xf32>
  check.expect_almost_eq_const %variance, dense<[1.0, 4.0]> : tensor<2xf32>
  return
}

func.func @training_along_the_first_dimension() {
  %x = stablehlo.constant dense<[[1.0, 3.0], [2.0, 6.0]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %y, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 0 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %y, dense<[[-1.0, 3.0], [7.0, 13.0]]> : tensor<2x2xf32>
  return
}

func.func @inference() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %mean = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[3.0, 8.0]> : tensor<2xf32>
  %y = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %y, dense<[[1.0, 10.0], [3.0, 14.0]]> : tensor<2x2xf32>
  return
}

func.func @gradient() {
  %x = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  %scale = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %mean = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %variance = stablehlo.constant dense<[3.0]> : tensor<1xf32>
  %g = stablehlo.constant dense<[[1.0], [4.0]]> : tensor<2x1xf32>
  %dx, %dscale, %doffset = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
  check.expect_almost_eq_const %dx, dense<[[-1.125], [1.125]]> : tensor<2x1xf32>
  check.expect_almost_eq_const %dscale, dense<1.5> : tensor<1xf32>
  check.expect_almost_eq_const %doffset, dense<5.0> : tensor<1xf32>
  return
}
