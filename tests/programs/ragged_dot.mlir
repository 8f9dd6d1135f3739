// chlo.ragged_dot: groups of rows, or of the contracted dimension, whose sizes are data.
func.func @groups_of_rows() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %y = stablehlo.constant dense<[[[1], [1]], [[10], [10]]]> : tensor<2x2x1xi32>
  %n = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<3x2xi32>, tensor<2x2x1xi32>, tensor<2xi64>) -> tensor<3x1xi32>
  check.expect_eq_const %r, dense<[[3], [70], [110]]> : tensor<3x1xi32>
  return
}

func.func @rows_of_no_group_are_zero() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %y = stablehlo.constant dense<[[[1], [1]], [[10], [10]]]> : tensor<2x2x1xi32>
  %n = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %r = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<3x2xi32>, tensor<2x2x1xi32>, tensor<2xi64>) -> tensor<3x1xi32>
  check.expect_eq_const %r, dense<[[30], [70], [0]]> : tensor<3x1xi32>
  return
}

func.func @groups_of_what_is_summed_over() {
  %x = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %y = stablehlo.constant dense<[[1], [10], [100]]> : tensor<3x1xi32>
  %n = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<1x3xi32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<2x1x1xi32>
  check.expect_eq_const %r, dense<[[[1]], [[320]]]> : tensor<2x1x1xi32>
  return
}
