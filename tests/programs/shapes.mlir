// iota, and operations that only move elements.
func.func @iota() {
  %a = stablehlo.iota dim = 0 : tensor<2x3xi32>
  %b = stablehlo.iota dim = 1 : tensor<2x3xf32>
  %c = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  %d = stablehlo.iota dim = 0 : tensor<4xui8>
  %e = stablehlo.iota dim = 0 : tensor<0xi32>
  check.expect_eq_const %a, dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xi32>
  check.expect_eq_const %b, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>
  check.expect_eq_const %c, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  check.expect_eq_const %d, dense<[0, 1, 2, 3]> : tensor<4xui8>
  check.expect_eq_const %e, dense<> : tensor<0xi32>
  return
}

// dimensions of size 1 are broadcast
func.func @broadcast_in_dim() {
  %x = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x1xi32>) -> tensor<2x2x3xi32>
  %b = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x1xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %a, dense<[[[1, 1, 1], [1, 1, 1]], [[2, 2, 2], [2, 2, 2]]]> : tensor<2x2x3xi32>
  check.expect_eq_const %b, dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi32>
  %s = stablehlo.constant dense<7.0> : tensor<f32>
  %c = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %c, dense<7.0> : tensor<2xf32>
  return
}

func.func @transpose_and_reverse() {
  %x = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi32>
  %a = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<1x2x3xi32>) -> tensor<3x1x2xi32>
  %b = stablehlo.reverse %x, dims = [1, 2] : tensor<1x2x3xi32>
  %c = stablehlo.reverse %x, dims = [] : tensor<1x2x3xi32>
  check.expect_eq_const %a, dense<[[[1, 4]], [[2, 5]], [[3, 6]]]> : tensor<3x1x2xi32>
  check.expect_eq_const %b, dense<[[[6, 5, 4], [3, 2, 1]]]> : tensor<1x2x3xi32>
  check.expect_eq_const %c, dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi32>
  return
}

func.func @reshape() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %a = stablehlo.reshape %x : (tensor<2x3xi32>) -> tensor<3x1x2xi32>
  check.expect_eq_const %a, dense<[[[1, 2]], [[3, 4]], [[5, 6]]]> : tensor<3x1x2xi32>
  %y = stablehlo.constant dense<[[9]]> : tensor<1x1xi32>
  %b = stablehlo.reshape %y : (tensor<1x1xi32>) -> tensor<i32>
  check.expect_eq_const %b, dense<9> : tensor<i32>
  return
}

func.func @concatenate() {
  %x = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %y = stablehlo.constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>
  %z = stablehlo.constant dense<> : tensor<2x0xi32>
  %r = stablehlo.concatenate %y, %z, %x, dim = 1 : (tensor<2x2xi32>, tensor<2x0xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[3, 4, 1], [5, 6, 2]]> : tensor<2x3xi32>
  %one = stablehlo.concatenate %x, dim = 0 : (tensor<2x1xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %one, dense<[[1], [2]]> : tensor<2x1xi32>
  return
}

func.func @select_with_one_predicate_and_with_many() {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %q = stablehlo.constant dense<false> : tensor<i1>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %a = stablehlo.select %p, %x, %y : tensor<2xi1>, tensor<2xi32>
  %b = stablehlo.select %q, %x, %y : tensor<i1>, tensor<2xi32>
  check.expect_eq_const %a, dense<[1, 4]> : tensor<2xi32>
  check.expect_eq_const %b, dense<[3, 4]> : tensor<2xi32>
  return
}

func.func @constants_of_every_spelling() {
  %hex = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
  check.expect_eq_const %hex, dense<[1.0, -2.0]> : tensor<2xf32>
  %n = stablehlo.constant dense<[[-1, 2], [3, -4]]> : tensor<2x2xi8>
  check.expect_eq_const %n, dense<[[-1, 2], [3, -4]]> : tensor<2x2xi8>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %f = stablehlo.is_finite %inf : (tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %f, dense<false> : tensor<2xi1>
  return
}
