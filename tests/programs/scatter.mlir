// Updates that are out of bounds are dropped, element by element.
func.func @sums_of_what_meets() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %at = stablehlo.constant dense<[[1], [1], [3]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %r = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[1, 32, 3, 34]> : tensor<4xi32>
  return
}

func.func @indices_outside_are_left_out() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %at = stablehlo.constant dense<[-1, 4, 2, 9223372036854775807]> : tensor<4xi64>
  %u = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %r = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xi32>, tensor<4xi64>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[1, 2, 30, 4]> : tensor<4xi32>
  return
}

func.func @windows_partly_outside() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %at = stablehlo.constant dense<[[3], [-1]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %r = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xi32>, tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[41, 2, 3, 14]> : tensor<4xi32>
  return
}

func.func @batching_dimensions() {
  %x = stablehlo.constant dense<0> : tensor<2x3xi32>
  %at = stablehlo.constant dense<[[[0], [2]], [[1], [1]]]> : tensor<2x2x1xi32>
  %u = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %r = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<2x3xi32>, tensor<2x2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[1, 0, 2], [0, 7, 0]]> : tensor<2x3xi32>
  return
}

func.func @windows_before_the_updates() {
  %x = stablehlo.constant dense<0> : tensor<2x3xi32>
  %at = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %r = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true} : (tensor<2x3xi32>, tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[2, 0, 1], [4, 0, 3]]> : tensor<2x3xi32>
  return
}

func.func @two_inputs_at_once() {
  %x = stablehlo.constant dense<0> : tensor<3xi32>
  %y = stablehlo.constant dense<5.0> : tensor<3xf32>
  %at = stablehlo.constant dense<[[1], [1]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %v = stablehlo.constant dense<[9.0, 3.0]> : tensor<2xf32>
  %r:2 = "stablehlo.scatter"(%x, %y, %at, %u, %v) ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %0 = stablehlo.add %a, %c : tensor<i32>
    %1 = stablehlo.maximum %b, %d : tensor<f32>
    stablehlo.return %0, %1 : tensor<i32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3xi32>, tensor<3xf32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  check.expect_eq_const %r#0, dense<[0, 3, 0]> : tensor<3xi32>
  check.expect_eq_const %r#1, dense<[5.0, 9.0, 5.0]> : tensor<3xf32>
  return
}

func.func @permuted_index_vectors_along_the_first_dimension() {
  %x = stablehlo.constant dense<0> : tensor<2x3xi32>
  %at = stablehlo.constant dense<[[2, 0], [0, 1]]> : tensor<2x2xi32>
  %u = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %r = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0>} : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[0, 0, 5], [6, 0, 0]]> : tensor<2x3xi32>
  return
}
