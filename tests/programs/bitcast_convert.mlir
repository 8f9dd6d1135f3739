// The bits do not change. A wider element is split into a last dimension, lowest bits first.
func.func @same_width() {
  %x = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %i = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %i, dense<[1065353216, -2147483648]> : tensor<2xi32>
  %y = stablehlo.constant dense<[16256, 15360]> : tensor<2xui16>
  %b = stablehlo.bitcast_convert %y : (tensor<2xui16>) -> tensor<2xbf16>
  %h = stablehlo.bitcast_convert %y : (tensor<2xui16>) -> tensor<2xf16>
  check.expect_eq_const %b, dense<[1.0, 0.0078125]> : tensor<2xbf16>
  check.expect_eq_const %h, dense<[1.875, 1.0]> : tensor<2xf16>
  %s = stablehlo.constant dense<[-1, -128]> : tensor<2xi8>
  %u = stablehlo.bitcast_convert %s : (tensor<2xi8>) -> tensor<2xui8>
  check.expect_eq_const %u, dense<[255, 128]> : tensor<2xui8>
  return
}

func.func @to_narrower() {
  %x = stablehlo.constant dense<[16909060, -1]> : tensor<2xi32>
  %b = stablehlo.bitcast_convert %x : (tensor<2xi32>) -> tensor<2x4xi8>
  %h = stablehlo.bitcast_convert %x : (tensor<2xi32>) -> tensor<2x2xui16>
  check.expect_eq_const %b, dense<[[4, 3, 2, 1], [-1, -1, -1, -1]]> : tensor<2x4xi8>
  check.expect_eq_const %h, dense<[[772, 258], [65535, 65535]]> : tensor<2x2xui16>
  %d = stablehlo.constant dense<1.0> : tensor<f64>
  %f = stablehlo.bitcast_convert %d : (tensor<f64>) -> tensor<2xf32>
  check.expect_eq_const %f, dense<[0.0, 1.875]> : tensor<2xf32>
  return
}

func.func @to_wider() {
  %b = stablehlo.constant dense<[[4, 3, 2, 1], [0, 0, 128, 63]]> : tensor<2x4xui8>
  %i = stablehlo.bitcast_convert %b : (tensor<2x4xui8>) -> tensor<2xi32>
  %f = stablehlo.bitcast_convert %b : (tensor<2x4xui8>) -> tensor<2xf32>
  check.expect_eq_const %i, dense<[16909060, 1065353216]> : tensor<2xi32>
  %one = stablehlo.slice %f [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  check.expect_eq_const %one, dense<1.0> : tensor<1xf32>
  return
}

func.func @half_bytes() {
  %x = stablehlo.constant dense<[-91]> : tensor<1xi8>
  %n = stablehlo.bitcast_convert %x : (tensor<1xi8>) -> tensor<1x2xi4>
  check.expect_eq_const %n, dense<[[5, -6]]> : tensor<1x2xi4>
  %m = stablehlo.constant dense<[[5, 10]]> : tensor<1x2xui4>
  %y = stablehlo.bitcast_convert %m : (tensor<1x2xui4>) -> tensor<1xui8>
  check.expect_eq_const %y, dense<165> : tensor<1xui8>
  return
}

func.func @complex_parts() {
  %z = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %w = stablehlo.bitcast_convert %z : (tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %w, dense<(1.0, 2.0)> : tensor<complex<f32>>
  return
}
