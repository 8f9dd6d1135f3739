// Rounding to fewer mantissa bits, and to the range of the exponent.
func.func @mantissa_ties_to_even() {
  %x = stablehlo.constant dense<[1.00390625, 1.01171875, -1.00390625, 1.005]> : tensor<4xf32>
  %r = stablehlo.reduce_precision %x, format = e8m7 : tensor<4xf32>
  check.expect_eq_const %r, dense<[1.0, 1.015625, -1.0, 1.0078125]> : tensor<4xf32>
  return
}

func.func @exponents_overflow_and_underflow() {
  %x = stablehlo.constant dense<[65519.0, 65520.0, -1.0e6, 1.0e-8, 0x7F800000]> : tensor<5xf32>
  %r = stablehlo.reduce_precision %x, format = e5m10 : tensor<5xf32>
  check.expect_eq_const %r, dense<[65504.0, 0x7F800000, 0xFF800000, 0.0, 0x7F800000]> : tensor<5xf32>
  return
}

func.func @underflow_keeps_the_sign() {
  %x = stablehlo.constant dense<[-1.0e-30]> : tensor<1xf32>
  %one = stablehlo.constant dense<1.0> : tensor<1xf32>
  %r = stablehlo.reduce_precision %x, format = e5m2 : tensor<1xf32>
  %q = stablehlo.divide %one, %r : tensor<1xf32>
  check.expect_eq_const %q, dense<0xFF800000> : tensor<1xf32>
  return
}

// 1.5 is a tie between 1 and 2, and 2 has an even exponent code
func.func @no_mantissa_at_all() {
  %x = stablehlo.constant dense<[1.25, 1.75, 3.5]> : tensor<3xf64>
  %r = stablehlo.reduce_precision %x, format = e11m0 : tensor<3xf64>
  check.expect_eq_const %r, dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
  return
}

func.func @nan_stays() {
  %x = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  %r = stablehlo.reduce_precision %x, format = e3m2 : tensor<1xf32>
  check.expect_almost_eq_const %r, dense<0x7FC00000> : tensor<1xf32>
  return
}

func.func @enough_bits_change_nothing() {
  %x = stablehlo.constant dense<[1.2345678, -3.4e38, 1.0e-40]> : tensor<3xf32>
  %r = stablehlo.reduce_precision %x, format = e8m23 : tensor<3xf32>
  %y = stablehlo.slice %r [0:2] : (tensor<3xf32>) -> tensor<2xf32>
  check.expect_eq_const %y, dense<[1.2345678, -3.4e38]> : tensor<2xf32>
  return
}
