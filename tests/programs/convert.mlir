// Conversions between element types.
func.func @floats_to_integers_truncate_and_saturate() {
  %x = stablehlo.constant dense<[-1.9, 1.9, 300.0, -300.0, 0x7FC00000, 0xFF800000]> : tensor<6xf32>
  %s = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xi8>
  %u = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xui8>
  check.expect_eq_const %s, dense<[-1, 1, 127, -128, 0, -128]> : tensor<6xi8>
  check.expect_eq_const %u, dense<[0, 1, 255, 0, 0, 0]> : tensor<6xui8>
  %y = stablehlo.constant dense<[1.0e20, -1.0e20]> : tensor<2xf64>
  %l = stablehlo.convert %y : (tensor<2xf64>) -> tensor<2xi64>
  %m = stablehlo.convert %y : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %l, dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  check.expect_eq_const %m, dense<[18446744073709551615, 0]> : tensor<2xui64>
  return
}

func.func @integers_keep_their_low_bits() {
  %x = stablehlo.constant dense<[300, -129, -1, 128]> : tensor<4xi32>
  %s = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xi8>
  %u = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xui8>
  check.expect_eq_const %s, dense<[44, 127, -1, -128]> : tensor<4xi8>
  check.expect_eq_const %u, dense<[44, 127, 255, 128]> : tensor<4xui8>
  %n = stablehlo.constant dense<[-1, 5]> : tensor<2xi8>
  %w = stablehlo.convert %n : (tensor<2xi8>) -> tensor<2xui32>
  check.expect_eq_const %w, dense<[4294967295, 5]> : tensor<2xui32>
  %v = stablehlo.constant dense<[200, 5]> : tensor<2xui8>
  %p = stablehlo.convert %v : (tensor<2xui8>) -> tensor<2xi8>
  %q = stablehlo.convert %v : (tensor<2xui8>) -> tensor<2xi16>
  check.expect_eq_const %p, dense<[-56, 5]> : tensor<2xi8>
  check.expect_eq_const %q, dense<[200, 5]> : tensor<2xi16>
  return
}

func.func @what_is_not_zero_is_true() {
  %x = stablehlo.constant dense<[0.5, -0.0, 0x7FC00000, -3.0]> : tensor<4xf32>
  %b = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %b, dense<[true, false, true, true]> : tensor<4xi1>
  %i = stablehlo.constant dense<[2, 0, -256]> : tensor<3xi32>
  %c = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %c, dense<[true, false, true]> : tensor<3xi1>
  %z = stablehlo.constant dense<[(0.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %d = stablehlo.convert %z : (tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %d, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @booleans_to_numbers() {
  %b = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i = stablehlo.convert %b : (tensor<2xi1>) -> tensor<2xi32>
  %n = stablehlo.convert %b : (tensor<2xi1>) -> tensor<2xi8>
  %f = stablehlo.convert %b : (tensor<2xi1>) -> tensor<2xf32>
  %c = stablehlo.convert %b : (tensor<2xi1>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %i, dense<[1, 0]> : tensor<2xi32>
  check.expect_eq_const %n, dense<[1, 0]> : tensor<2xi8>
  check.expect_eq_const %f, dense<[1.0, 0.0]> : tensor<2xf32>
  check.expect_eq_const %c, dense<[(1.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

func.func @integers_round_to_even_once() {
  %x = stablehlo.constant dense<[16777217, 16777219, 9007199791611905]> : tensor<3xi64>
  %f = stablehlo.convert %x : (tensor<3xi64>) -> tensor<3xf32>
  check.expect_eq_const %f, dense<[16777216.0, 16777220.0, 9007200328482816.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[257, 259]> : tensor<2xi32>
  %b = stablehlo.convert %y : (tensor<2xi32>) -> tensor<2xbf16>
  check.expect_eq_const %b, dense<[256.0, 260.0]> : tensor<2xbf16>
  %u = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %d = stablehlo.convert %u : (tensor<1xui64>) -> tensor<1xf64>
  check.expect_eq_const %d, dense<18446744073709551616.0> : tensor<1xf64>
  return
}

func.func @narrower_floats_round_and_overflow() {
  %x = stablehlo.constant dense<[65519.0, 65520.0, -70000.0, 1.0e-8]> : tensor<4xf32>
  %h = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf16>
  check.expect_eq_const %h, dense<[65504.0, 0x7C00, 0xFC00, 0.0]> : tensor<4xf16>
  %y = stablehlo.constant dense<[1.0e39, -1.0e39, 1.0000000596046448]> : tensor<3xf64>
  %f = stablehlo.convert %y : (tensor<3xf64>) -> tensor<3xf32>
  check.expect_eq_const %f, dense<[0x7F800000, 0xFF800000, 1.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<[1.00390625, 1.01171875]> : tensor<2xf32>
  %b = stablehlo.convert %z : (tensor<2xf32>) -> tensor<2xbf16>
  check.expect_eq_const %b, dense<[1.0, 1.015625]> : tensor<2xbf16>
  return
}

func.func @real_and_complex() {
  %z = stablehlo.constant dense<[(1.5, -2.0)]> : tensor<1xcomplex<f64>>
  %r = stablehlo.convert %z : (tensor<1xcomplex<f64>>) -> tensor<1xf32>
  %i = stablehlo.convert %z : (tensor<1xcomplex<f64>>) -> tensor<1xi32>
  %c = stablehlo.convert %z : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<1.5> : tensor<1xf32>
  check.expect_eq_const %i, dense<1> : tensor<1xi32>
  check.expect_eq_const %c, dense<(1.5, -2.0)> : tensor<1xcomplex<f32>>
  return
}
