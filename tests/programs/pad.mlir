// Edge and interior padding; negative edge padding removes elements, including those that interior padding inserted.
func.func @edges_and_interior() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %r = stablehlo.pad %x, %p, low = [1, -1], high = [-1, 2], interior = [1, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x4xi32>
  check.expect_eq_const %r, dense<[[9, 9, 9, 9], [2, 3, 9, 9], [9, 9, 9, 9]]> : tensor<3x4xi32>
  return
}

func.func @negative_edges_with_interior() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %p = stablehlo.constant dense<0.5> : tensor<f32>
  %r = stablehlo.pad %x, %p, low = [-1], high = [-2], interior = [2] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %r, dense<[0.5, 0.5, 2.0, 0.5]> : tensor<4xf32>
  return
}

func.func @nothing_left_of_the_operand() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %p = stablehlo.constant dense<7> : tensor<i8>
  %r = stablehlo.pad %x, %p, low = [-3], high = [4], interior = [0] : (tensor<2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %r, dense<[7, 7, 7]> : tensor<3xi8>
  return
}

func.func @empty_operand() {
  %x = stablehlo.constant dense<> : tensor<0xi32>
  %p = stablehlo.constant dense<4> : tensor<i32>
  %r = stablehlo.pad %x, %p, low = [2], high = [1], interior = [3] : (tensor<0xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[4, 4, 4]> : tensor<3xi32>
  return
}

func.func @to_an_empty_result() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %p = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.pad %x, %p, low = [-1], high = [-1], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}

func.func @booleans_and_complex_values() {
  %x = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %p = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.pad %x, %p, low = [1], high = [0], interior = [1] : (tensor<2xi1>, tensor<i1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, false, true]> : tensor<4xi1>
  %c = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %q = stablehlo.constant dense<(0.0, -1.0)> : tensor<complex<f32>>
  %s = stablehlo.pad %c, %q, low = [0], high = [1], interior = [0] : (tensor<1xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %s, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  return
}
