// Functions of the CHLO dialect.
func.func @inverse_and_hyperbolic_functions() {
  %one = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf64>
  %asin = chlo.asin %one : tensor<2xf64> -> tensor<2xf64>
  %acos = chlo.acos %one : tensor<2xf64> -> tensor<2xf64>
  %atan = chlo.atan %one : tensor<2xf64> -> tensor<2xf64>
  %sinh = chlo.sinh %one : tensor<2xf64> -> tensor<2xf64>
  %cosh = chlo.cosh %one : tensor<2xf64> -> tensor<2xf64>
  %asinh = chlo.asinh %one : tensor<2xf64> -> tensor<2xf64>
  %tan = chlo.tan %one : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %asin, dense<[1.5707963267948966, -1.5707963267948966]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %acos, dense<[0.0, 3.141592653589793]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %atan, dense<[0.7853981633974483, -0.7853981633974483]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %sinh, dense<[1.1752011936438014, -1.1752011936438014]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %cosh, dense<[1.5430806348152437, 1.5430806348152437]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %asinh, dense<[0.881373587019543, -0.881373587019543]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %tan, dense<[1.5574077246549023, -1.5574077246549023]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  %x = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf64>
  %acosh = chlo.acosh %x : tensor<2xf64> -> tensor<2xf64>
  %atanh = chlo.atanh %x : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %acosh, dense<[1.3169578969248166, 0x7FF8000000000000]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  check.expect_almost_eq_const %atanh, dense<[0x7FF8000000000000, 0.5493061443340548]> : tensor<2xf64> {tolerance = 1.0e-14 : f64}
  return
}

func.func @special_functions() {
  %x = stablehlo.constant dense<[0.5, -0.5]> : tensor<2xf64>
  %erf = chlo.erf %x : tensor<2xf64> -> tensor<2xf64>
  %erfc = chlo.erfc %x : tensor<2xf64> -> tensor<2xf64>
  %inv = chlo.erf_inv %x : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %erf, dense<[0.5204998778130465, -0.5204998778130465]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  check.expect_almost_eq_const %erfc, dense<[0.4795001221869535, 1.5204998778130465]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  check.expect_almost_eq_const %inv, dense<[0.4769362762044699, -0.4769362762044699]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  %y = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf64>
  %lgamma = chlo.lgamma %y : tensor<2xf64> -> tensor<2xf64>
  %digamma = chlo.digamma %y : tensor<2xf64> -> tensor<2xf64>
  %i1e = chlo.bessel_i1e %y : tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %lgamma, dense<[0.0, 1.791759469228055]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  check.expect_almost_eq_const %digamma, dense<[-0.5772156649015329, 1.2561176684318005]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  check.expect_almost_eq_const %i1e, dense<[0.2079104153497085, 0.1787508395024353]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  %n = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %two = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf64>
  %p = chlo.polygamma %n, %y : tensor<2xf64>, tensor<2xf64> -> tensor<2xf64>
  %z = chlo.zeta %two, %y : tensor<2xf64>, tensor<2xf64> -> tensor<2xf64>
  check.expect_almost_eq_const %p, dense<[1.6449340668482264, 0.2838229557371153]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  check.expect_almost_eq_const %z, dense<[1.6449340668482264, 0.2838229557371153]> : tensor<2xf64> {tolerance = 1.0e-12 : f64}
  return
}

func.func @infinities() {
  %x = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %i = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  %p = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
  %n = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %i, dense<[true, true, false, false]> : tensor<4xi1>
  check.expect_eq_const %p, dense<[true, false, false, false]> : tensor<4xi1>
  check.expect_eq_const %n, dense<[false, true, false, false]> : tensor<4xi1>
  return
}

// compared by their bits
func.func @next_after() {
  %x = stablehlo.constant dense<[1.0, 0.0, -1.0, 1.0, 0.0, 3.4028235e38]> : tensor<6xf32>
  %y = stablehlo.constant dense<[2.0, -1.0, 0.0, 1.0, 1.0, 0x7F800000]> : tensor<6xf32>
  %n = chlo.next_after %x, %y : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  %b = stablehlo.bitcast_convert %n : (tensor<6xf32>) -> tensor<6xi32>
  check.expect_eq_const %b, dense<[1065353217, -2147483647, -1082130433, 1065353216, 1, 2139095040]> : tensor<6xi32>
  return
}

func.func @square_of_real_and_complex() {
  %x = stablehlo.constant dense<[3.0, -4.0]> : tensor<2xf32>
  %s = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  check.expect_eq_const %s, dense<[9.0, 16.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %q = chlo.square %z : tensor<1xcomplex<f32>> -> tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %q, dense<(-3.0, 4.0)> : tensor<1xcomplex<f32>>
  return
}
