// Signed zeros, NaN, rounding at ties. The reciprocal shows the sign of a zero.
func.func @maximum_and_minimum_order_the_zeros() {
  %a = stablehlo.constant dense<[-0.0, 0.0, -0.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[0.0, -0.0, -0.0]> : tensor<3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<3xf32>
  %x = stablehlo.maximum %a, %b : tensor<3xf32>
  %n = stablehlo.minimum %a, %b : tensor<3xf32>
  %u = stablehlo.divide %one, %x : tensor<3xf32>
  %v = stablehlo.divide %one, %n : tensor<3xf32>
  check.expect_eq_const %u, dense<[0x7F800000, 0x7F800000, 0xFF800000]> : tensor<3xf32>
  check.expect_eq_const %v, dense<0xFF800000> : tensor<3xf32>
  return
}

func.func @maximum_and_minimum_keep_nan() {
  %a = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7F800000]> : tensor<3xf32>
  %b = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  %x = stablehlo.maximum %a, %b : tensor<3xf32>
  %n = stablehlo.minimum %a, %b : tensor<3xf32>
  %e = stablehlo.compare NE, %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %f = stablehlo.compare NE, %n, %n : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %e, dense<true> : tensor<3xi1>
  check.expect_eq_const %f, dense<true> : tensor<3xi1>
  return
}

func.func @rounding_at_ties() {
  %x = stablehlo.constant dense<[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 8388609.0]> : tensor<8xf32>
  %e = stablehlo.round_nearest_even %x : tensor<8xf32>
  %z = stablehlo.round_nearest_afz %x : tensor<8xf32>
  check.expect_eq_const %e, dense<[-2.0, -2.0, 0.0, 0.0, 2.0, 2.0, 0.0, 8388609.0]> : tensor<8xf32>
  check.expect_eq_const %z, dense<[-3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 0.0, 8388609.0]> : tensor<8xf32>
  %f = stablehlo.floor %x : tensor<8xf32>
  %c = stablehlo.ceil %x : tensor<8xf32>
  check.expect_eq_const %f, dense<[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 0.0, 8388609.0]> : tensor<8xf32>
  check.expect_eq_const %c, dense<[-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 1.0, 8388609.0]> : tensor<8xf32>
  return
}

func.func @rounding_to_zero_keeps_the_sign() {
  %x = stablehlo.constant dense<[-0.5, -0.0, -0.25]> : tensor<3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<3xf32>
  %e = stablehlo.round_nearest_even %x : tensor<3xf32>
  %c = stablehlo.ceil %x : tensor<3xf32>
  %u = stablehlo.divide %one, %e : tensor<3xf32>
  %v = stablehlo.divide %one, %c : tensor<3xf32>
  check.expect_eq_const %u, dense<0xFF800000> : tensor<3xf32>
  check.expect_eq_const %v, dense<0xFF800000> : tensor<3xf32>
  return
}

func.func @sign() {
  %x = stablehlo.constant dense<[-2.0, -0.0, 0.0, 3.0, 0x7FC00000]> : tensor<5xf32>
  %s = stablehlo.sign %x : tensor<5xf32>
  check.expect_almost_eq_const %s, dense<[-1.0, 0.0, 0.0, 1.0, 0x7FC00000]> : tensor<5xf32>
  %bits = stablehlo.bitcast_convert %s : (tensor<5xf32>) -> tensor<5xi32>
  %zeros = stablehlo.slice %bits [1:3] : (tensor<5xi32>) -> tensor<2xi32>
  check.expect_eq_const %zeros, dense<[-2147483648, 0]> : tensor<2xi32>
  return
}

func.func @remainder_has_the_sign_of_the_dividend() {
  %a = stablehlo.constant dense<[5.5, -5.5, 5.5, 1.0, 1.0]> : tensor<5xf32>
  %b = stablehlo.constant dense<[2.0, 2.0, -2.0, 0x7F800000, 0.0]> : tensor<5xf32>
  %r = stablehlo.remainder %a, %b : tensor<5xf32>
  check.expect_almost_eq_const %r, dense<[1.5, -1.5, 1.5, 1.0, 0x7FC00000]> : tensor<5xf32>
  return
}

func.func @division_by_zero() {
  %a = stablehlo.constant dense<[1.0, -1.0, 0.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
  %q = stablehlo.divide %a, %b : tensor<3xf32>
  check.expect_almost_eq_const %q, dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  return
}

func.func @is_finite() {
  %x = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 3.0e38, 0.0]> : tensor<5xf32>
  %f = stablehlo.is_finite %x : (tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %f, dense<[false, false, false, true, true]> : tensor<5xi1>
  return
}

func.func @comparisons_with_nan() {
  %a = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, -0.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0]> : tensor<3xf32>
  %eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %ne = stablehlo.compare NE, %a, %b, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %ge = stablehlo.compare GE, %a, %b, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %lt = stablehlo.compare LT, %a, %b, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %eq, dense<[false, false, true]> : tensor<3xi1>
  check.expect_eq_const %ne, dense<[true, true, false]> : tensor<3xi1>
  check.expect_eq_const %ge, dense<[false, false, true]> : tensor<3xi1>
  check.expect_eq_const %lt, dense<false> : tensor<3xi1>
  return
}

func.func @total_order() {
  %a = stablehlo.constant dense<[-0.0, 0x7FC00000, 0xFFC00000, 0x7F800000]> : tensor<4xf32>
  %b = stablehlo.constant dense<[0.0, 0x7FC00000, 0xFF800000, 0x7FC00000]> : tensor<4xf32>
  %eq = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %lt = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false]> : tensor<4xi1>
  check.expect_eq_const %lt, dense<[true, false, true, true]> : tensor<4xi1>
  return
}

func.func @powers() {
  %a = stablehlo.constant dense<[-2.0, -2.0, 0.0, 0x7FC00000, 0x7F800000, -0.0, 1.0, 2.0]> : tensor<8xf32>
  %b = stablehlo.constant dense<[3.0, 0.5, 0.0, 0.0, -1.0, -1.0, 0x7FC00000, -2.0]> : tensor<8xf32>
  %r = stablehlo.power %a, %b : tensor<8xf32>
  check.expect_almost_eq_const %r, dense<[-8.0, 0x7FC00000, 1.0, 1.0, 0.0, 0xFF800000, 1.0, 0.25]> : tensor<8xf32>
  return
}

func.func @roots() {
  %x = stablehlo.constant dense<[-8.0, 27.0, -0.0]> : tensor<3xf32>
  %c = stablehlo.cbrt %x : tensor<3xf32>
  check.expect_almost_eq_const %c, dense<[-2.0, 3.0, 0.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[4.0, 0.25, -1.0]> : tensor<3xf32>
  %s = stablehlo.sqrt %y : tensor<3xf32>
  %r = stablehlo.rsqrt %y : tensor<3xf32>
  check.expect_almost_eq_const %s, dense<[2.0, 0.5, 0x7FC00000]> : tensor<3xf32>
  check.expect_almost_eq_const %r, dense<[0.5, 2.0, 0x7FC00000]> : tensor<3xf32>
  return
}

func.func @angles() {
  %y = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 0.0]> : tensor<5xf64>
  %x = stablehlo.constant dense<[-1.0, -1.0, 0.0, 1.0, 1.0]> : tensor<5xf64>
  %a = stablehlo.atan2 %y, %x : tensor<5xf64>
  check.expect_almost_eq_const %a, dense<[3.141592653589793, -3.141592653589793, 1.5707963267948966, -0.7853981633974483, 0.0]> : tensor<5xf64> {tolerance = 1.0e-15 : f64}
  return
}

func.func @small_arguments() {
  %x = stablehlo.constant dense<[1.0e-10, -1.0e-10]> : tensor<2xf64>
  %e = stablehlo.exponential_minus_one %x : tensor<2xf64>
  %l = stablehlo.log_plus_one %x : tensor<2xf64>
  check.expect_almost_eq_const %e, dense<[1.00000000005e-10, -9.9999999995e-11]> : tensor<2xf64> {tolerance = 1.0e-20 : f64}
  check.expect_almost_eq_const %l, dense<[9.9999999995e-11, -1.00000000005e-10]> : tensor<2xf64> {tolerance = 1.0e-20 : f64}
  return
}

func.func @transcendental_functions() {
  %x = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf64>
  %e = stablehlo.exponential %x : tensor<3xf64>
  %s = stablehlo.sine %x : tensor<3xf64>
  %c = stablehlo.cosine %x : tensor<3xf64>
  %t = stablehlo.tan %x : tensor<3xf64>
  %h = stablehlo.tanh %x : tensor<3xf64>
  %g = stablehlo.logistic %x : tensor<3xf64>
  check.expect_almost_eq_const %e, dense<[1.0, 2.718281828459045, 0.36787944117144233]> : tensor<3xf64> {tolerance = 1.0e-15 : f64}
  check.expect_almost_eq_const %s, dense<[0.0, 0.8414709848078965, -0.8414709848078965]> : tensor<3xf64> {tolerance = 1.0e-15 : f64}
  check.expect_almost_eq_const %c, dense<[1.0, 0.5403023058681398, 0.5403023058681398]> : tensor<3xf64> {tolerance = 1.0e-15 : f64}
  check.expect_almost_eq_const %t, dense<[0.0, 1.5574077246549023, -1.5574077246549023]> : tensor<3xf64> {tolerance = 1.0e-15 : f64}
  check.expect_almost_eq_const %h, dense<[0.0, 0.7615941559557649, -0.7615941559557649]> : tensor<3xf64> {tolerance = 1.0e-15 : f64}
  check.expect_almost_eq_const %g, dense<[0.5, 0.7310585786300049, 0.2689414213699951]> : tensor<3xf64> {tolerance = 1.0e-15 : f64}
  %y = stablehlo.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf64>
  %l = stablehlo.log %y : tensor<3xf64>
  check.expect_almost_eq_const %l, dense<[0.0, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  return
}

func.func @limits() {
  %x = stablehlo.constant dense<[0x7F800000, 0xFF800000, 1000.0, -1000.0]> : tensor<4xf32>
  %e = stablehlo.exponential %x : tensor<4xf32>
  %g = stablehlo.logistic %x : tensor<4xf32>
  %h = stablehlo.tanh %x : tensor<4xf32>
  check.expect_eq_const %e, dense<[0x7F800000, 0.0, 0x7F800000, 0.0]> : tensor<4xf32>
  check.expect_eq_const %g, dense<[1.0, 0.0, 1.0, 0.0]> : tensor<4xf32>
  check.expect_eq_const %h, dense<[1.0, -1.0, 1.0, -1.0]> : tensor<4xf32>
  return
}

// 1 + 2^-24 is 1 in f32, and 256 + 1 is 256 in bf16
func.func @each_result_is_rounded() {
  %a = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %b = stablehlo.constant dense<[5.9604645e-08]> : tensor<1xf32>
  %s = stablehlo.add %a, %b : tensor<1xf32>
  check.expect_eq_const %s, dense<1.0> : tensor<1xf32>
  %c = stablehlo.constant dense<[256.0, 256.0]> : tensor<2xbf16>
  %d = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xbf16>
  %t = stablehlo.add %c, %d : tensor<2xbf16>
  check.expect_eq_const %t, dense<[256.0, 260.0]> : tensor<2xbf16>
  %e = stablehlo.constant dense<[65504.0, 2048.0]> : tensor<2xf16>
  %f = stablehlo.constant dense<[16.0, 1.0]> : tensor<2xf16>
  %u = stablehlo.add %e, %f : tensor<2xf16>
  check.expect_eq_const %u, dense<[0x7C00, 2048.0]> : tensor<2xf16>
  return
}
