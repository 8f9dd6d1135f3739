// The element at [c, d] of an operand is d + 10 * c, so that a result shows where it was read.
func.func @rows_with_clamped_starts() {
  %x = stablehlo.constant dense<[[0, 1], [10, 11], [20, 21], [30, 31]]> : tensor<4x2xi32>
  %at = stablehlo.constant dense<[3, -7, 9]> : tensor<3xi32>
  %r = "stablehlo.gather"(%x, %at) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>} : (tensor<4x2xi32>, tensor<3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %r, dense<[[30, 31], [0, 1], [30, 31]]> : tensor<3x2xi32>
  return
}

func.func @batching_dimensions() {
  %x = stablehlo.constant dense<[[[0, 1], [10, 11], [20, 21]], [[100, 101], [110, 111], [120, 121]]]> : tensor<2x3x2xi32>
  %at = stablehlo.constant dense<[[[2], [0]], [[1], [5]]]> : tensor<2x2x1xi64>
  %r = "stablehlo.gather"(%x, %at) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>} : (tensor<2x3x2xi32>, tensor<2x2x1xi64>) -> tensor<2x2x2xi32>
  check.expect_eq_const %r, dense<[[[20, 21], [0, 1]], [[110, 111], [120, 121]]]> : tensor<2x2x2xi32>
  return
}

// operand dimensions 0 and 2 correspond to dimensions 1 and 0 of the indices
func.func @batching_dimensions_in_another_order() {
  %x = stablehlo.constant dense<[[[0, 1, 2], [10, 11, 12]], [[100, 101, 102], [110, 111, 112]]]> : tensor<2x2x3xi32>
  %at = stablehlo.constant dense<[[1, 0], [0, 1], [1, 1]]> : tensor<3x2xi32>
  %r = "stablehlo.gather"(%x, %at) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>} : (tensor<2x2x3xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %r, dense<[[10, 100], [1, 111], [12, 112]]> : tensor<3x2xi32>
  return
}

func.func @permuted_start_index_map_and_windows_around_the_batch() {
  %x = stablehlo.constant dense<[[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]> : tensor<3x4xi32>
  %at = stablehlo.constant dense<[[1, 0], [3, 2]]> : tensor<2x2xi32>
  %r = "stablehlo.gather"(%x, %at) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>} : (tensor<3x4xi32>, tensor<2x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %r, dense<[[[1, 2], [12, 13]], [[11, 12], [22, 23]]]> : tensor<2x2x2xi32>
  return
}

func.func @index_vectors_along_the_first_dimension() {
  %x = stablehlo.constant dense<[[0, 1, 2], [10, 11, 12], [20, 21, 22]]> : tensor<3x3xi32>
  %at = stablehlo.constant dense<[[0, 1, 2], [2, 1, 0]]> : tensor<2x3xi32>
  %r = "stablehlo.gather"(%x, %at) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false} : (tensor<3x3xi32>, tensor<2x3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[2, 11, 20]> : tensor<3xi32>
  return
}

func.func @unsigned_starts_beyond_the_signed_range() {
  %x = stablehlo.constant dense<[1.5, 2.5, 3.5]> : tensor<3xf32>
  %at = stablehlo.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %r = "stablehlo.gather"(%x, %at) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<3xf32>, tensor<2xui64>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[3.5, 2.5]> : tensor<2xf32>
  return
}

func.func @one_window_by_a_scalar_index() {
  %x = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %at = stablehlo.constant dense<3> : tensor<i32>
  %r = "stablehlo.gather"(%x, %at) {dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 2>} : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[2, 3]> : tensor<2xi32>
  return
}

func.func @dynamic_gather_has_its_sizes_as_an_operand() {
  %x = stablehlo.constant dense<[[0, 1], [10, 11], [20, 21]]> : tensor<3x2xi32>
  %at = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = "stablehlo.dynamic_gather"(%x, %at, %sizes) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<3x2xi32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[20, 21], [0, 1]]> : tensor<2x2xi32>
  return
}
