// Padding, dilation of both sides, reversal, groups and permuted dimension numbers. dynamic_conv has its padding as an
// operand.
func.func @both_dilations() {
  %x = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %w = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]], lhs_dilate = [2], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xi32>, tensor<2x1x1xi32>) -> tensor<1x5x1xi32>
  check.expect_eq_const %r, dense<[[[0], [21], [0], [32], [0]]]> : tensor<1x5x1xi32>
  return
}

func.func @strides_over_dilated_values() {
  %x = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %w = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], lhs_dilate = [2], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  check.expect_eq_const %r, dense<[[[21], [32]]]> : tensor<1x2x1xi32>
  return
}

func.func @reversal() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %w = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %r, dense<[[[12.0], [23.0]]]> : tensor<1x2x1xf32>
  return
}

func.func @negative_padding() {
  %x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %w = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-1, -1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x1x1xi32>
  check.expect_eq_const %r, dense<32> : tensor<1x1x1xi32>
  return
}

// outputs 0 and 1 depend on feature 0, outputs 2 and 3 on feature 1
func.func @feature_groups() {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
  %w = stablehlo.constant dense<[[[10, 20, 30, 40]]]> : tensor<1x1x4xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xi32>, tensor<1x1x4xi32>) -> tensor<1x2x4xi32>
  check.expect_eq_const %r, dense<[[[10, 20, 60, 80], [30, 60, 120, 160]]]> : tensor<1x2x4xi32>
  return
}

// output k depends on the batches of group k
func.func @batch_groups() {
  %x = stablehlo.constant dense<[[[3]], [[5]], [[7]], [[11]]]> : tensor<4x1x1xi32>
  %w = stablehlo.constant dense<[[[10, 100]]]> : tensor<1x1x2xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x1x1xi32>, tensor<1x1x2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %r, dense<[[[30, 700]], [[50, 1100]]]> : tensor<2x1x2xi32>
  return
}

// out[s0, s1] = x[0, s1] + 10 * x[1, s1]
func.func @permuted_dimension_numbers() {
  %x = stablehlo.constant dense<[[[[1, 2]], [[3, 4]]]]> : tensor<1x2x1x2xi32>
  %w = stablehlo.constant dense<[[[[1, 10]]]]> : tensor<1x1x1x2xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [f, 0, b, 1]x[o, 1, i, 0]->[0, b, f, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi32>
  check.expect_eq_const %r, dense<[[[[31, 42]]]]> : tensor<1x1x1x2xi32>
  return
}

// equals a matrix product
func.func @no_spatial_dimensions() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %w = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[19, 22], [43, 50]]> : tensor<2x2xi32>
  return
}

// sums of a window over both features
func.func @two_dimensions_and_two_features() {
  %x = stablehlo.constant dense<[[[[1, 10], [2, 20]], [[3, 30], [4, 40]]]]> : tensor<1x2x2x2xi32>
  %w = stablehlo.constant dense<1> : tensor<2x2x2x1xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 0], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x2xi32>, tensor<2x2x2x1xi32>) -> tensor<1x2x2x1xi32>
  check.expect_eq_const %r, dense<[[[[33], [22]], [[110], [66]]]]> : tensor<1x2x2x1xi32>
  return
}

func.func @padding_as_an_operand() {
  %x = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %w = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %pad = stablehlo.constant dense<[[1, -1]]> : tensor<1x2xi64>
  %r = "stablehlo.dynamic_conv"(%x, %w, %pad) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>} : (tensor<1x3x1xi32>, tensor<2x1x1xi32>, tensor<1x2xi64>) -> tensor<1x2x1xi32>
  check.expect_eq_const %r, dense<[[[10], [21]]]> : tensor<1x2x1xi32>
  return
}
