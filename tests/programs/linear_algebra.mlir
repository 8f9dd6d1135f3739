// cholesky and triangular_solve read one triangle only.
func.func @cholesky_of_either_triangle() {
  %x = stablehlo.constant dense<[[4.0, 99.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %y = stablehlo.constant dense<[[4.0, 2.0], [99.0, 5.0]]> : tensor<2x2xf32>
  %l = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>
  %u = stablehlo.cholesky %y, lower = false : tensor<2x2xf32>
  check.expect_almost_eq_const %l, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  check.expect_almost_eq_const %u, dense<[[2.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @cholesky_of_a_batch_of_hermitian_matrices() {
  %x = stablehlo.constant dense<[[[(1.0, 0.0), (0.0, -1.0)], [(0.0, 1.0), (2.0, 0.0)]], [[(9.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (16.0, 0.0)]]]> : tensor<2x2x2xcomplex<f32>>
  %l = stablehlo.cholesky %x, lower = true : tensor<2x2x2xcomplex<f32>>
  check.expect_almost_eq_const %l, dense<[[[(1.0, 0.0), (0.0, 0.0)], [(0.0, 1.0), (1.0, 0.0)]], [[(3.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (4.0, 0.0)]]]> : tensor<2x2x2xcomplex<f32>>
  return
}

func.func @solve_from_the_left() {
  %a = stablehlo.constant dense<[[2.0, 77.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %x, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %c = stablehlo.constant dense<[[4.0], [8.0]]> : tensor<2x1xf32>
  %y = "stablehlo.triangular_solve"(%a, %c) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %y, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  return
}

func.func @solve_from_the_right() {
  %a = stablehlo.constant dense<[[2.0, 77.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0, 8.0]]> : tensor<1x2xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_almost_eq_const %x, dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %c = stablehlo.constant dense<[[2.0, 9.0]]> : tensor<1x2xf32>
  %y = "stablehlo.triangular_solve"(%a, %c) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_almost_eq_const %y, dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  return
}

// the diagonal is not read
func.func @solve_with_a_unit_diagonal() {
  %a = stablehlo.constant dense<[[5.0, 77.0], [1.0, 5.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %x, dense<[[2.0], [7.0]]> : tensor<2x1xf32>
  return
}

func.func @solve_of_the_upper_triangle() {
  %a = stablehlo.constant dense<[[2.0, 1.0], [77.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[4.0, 2.0], [8.0, 4.0]]> : tensor<2x2xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_almost_eq_const %x, dense<[[1.0, 0.5], [2.0, 1.0]]> : tensor<2x2xf64>
  return
}

func.func @solve_with_the_adjoint() {
  %a = stablehlo.constant dense<[[(0.0, 1.0)]]> : tensor<1x1xcomplex<f32>>
  %b = stablehlo.constant dense<[[(2.0, 0.0)]]> : tensor<1x1xcomplex<f32>>
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  %y = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  check.expect_almost_eq_const %x, dense<(0.0, 2.0)> : tensor<1x1xcomplex<f32>>
  check.expect_almost_eq_const %y, dense<(0.0, -2.0)> : tensor<1x1xcomplex<f32>>
  return
}
