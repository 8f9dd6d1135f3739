// Floats of 4, 6 and 8 bits: largest values, overflow, ties, and zeros.
// without infinities: numbers that are too large become NaN
func.func @e4m3fn() {
  %x = stablehlo.constant dense<[448.0, 464.0, 1000.0, 1.0625, 1.1875, 0.001]> : tensor<6xf32>
  %n = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xf8E4M3FN>
  %r = stablehlo.convert %n : (tensor<6xf8E4M3FN>) -> tensor<6xf32>
  check.expect_almost_eq_const %r, dense<[448.0, 448.0, 0x7FC00000, 1.0, 1.25, 0.001953125]> : tensor<6xf32>
  return
}

func.func @e5m2() {
  %x = stablehlo.constant dense<[57344.0, 61439.0, 61440.0, 1.125, 1.375, 1.0e-6]> : tensor<6xf32>
  %n = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xf8E5M2>
  %r = stablehlo.convert %n : (tensor<6xf8E5M2>) -> tensor<6xf32>
  check.expect_eq_const %r, dense<[57344.0, 57344.0, 0x7F800000, 1.0, 1.5, 0.0]> : tensor<6xf32>
  return
}

func.func @e4m3fnuz_has_one_zero() {
  %x = stablehlo.constant dense<[240.0, -0.0, 1000.0]> : tensor<3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<3xf32>
  %n = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xf8E4M3FNUZ>
  %r = stablehlo.convert %n : (tensor<3xf8E4M3FNUZ>) -> tensor<3xf32>
  %q = stablehlo.divide %one, %r : tensor<3xf32>
  check.expect_almost_eq_const %r, dense<[240.0, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_almost_eq_const %q, dense<[0.004166667, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  return
}

func.func @e5m2fnuz_and_e4m3b11fnuz() {
  %x = stablehlo.constant dense<[57344.0, 30.0]> : tensor<2xf32>
  %n = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf8E5M2FNUZ>
  %r = stablehlo.convert %n : (tensor<2xf8E5M2FNUZ>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[57344.0, 32.0]> : tensor<2xf32>
  %m = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf8E4M3B11FNUZ>
  %s = stablehlo.convert %m : (tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf32>
  check.expect_almost_eq_const %s, dense<[0x7FC00000, 30.0]> : tensor<2xf32>
  return
}

func.func @e4m3_and_e3m4() {
  %x = stablehlo.constant dense<[240.0, 248.0, 15.5, 15.75, 0.015625]> : tensor<5xf32>
  %n = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xf8E4M3>
  %r = stablehlo.convert %n : (tensor<5xf8E4M3>) -> tensor<5xf32>
  check.expect_eq_const %r, dense<[240.0, 0x7F800000, 16.0, 16.0, 0.015625]> : tensor<5xf32>
  %m = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xf8E3M4>
  %s = stablehlo.convert %m : (tensor<5xf8E3M4>) -> tensor<5xf32>
  check.expect_eq_const %s, dense<[0x7F800000, 0x7F800000, 15.5, 0x7F800000, 0.015625]> : tensor<5xf32>
  return
}

// all of its values, a tie, and saturation
func.func @e2m1fn() {
  %x = stablehlo.constant dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 5.0, 2.5, -100.0]> : tensor<11xf32>
  %n = stablehlo.convert %x : (tensor<11xf32>) -> tensor<11xf4E2M1FN>
  %r = stablehlo.convert %n : (tensor<11xf4E2M1FN>) -> tensor<11xf32>
  check.expect_eq_const %r, dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 4.0, 2.0, -6.0]> : tensor<11xf32>
  return
}

func.func @six_bits() {
  %x = stablehlo.constant dense<[7.5, 100.0, 28.0, 0.125]> : tensor<4xf32>
  %n = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf6E2M3FN>
  %r = stablehlo.convert %n : (tensor<4xf6E2M3FN>) -> tensor<4xf32>
  check.expect_eq_const %r, dense<[7.5, 7.5, 7.5, 0.125]> : tensor<4xf32>
  %m = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf6E3M2FN>
  %s = stablehlo.convert %m : (tensor<4xf6E3M2FN>) -> tensor<4xf32>
  check.expect_eq_const %s, dense<[8.0, 28.0, 28.0, 0.125]> : tensor<4xf32>
  return
}

func.func @e8m0fnu_is_powers_of_two() {
  %x = stablehlo.constant dense<[1.0, 0.25, 5.0, 7.0]> : tensor<4xf32>
  %n = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  %r = stablehlo.convert %n : (tensor<4xf8E8M0FNU>) -> tensor<4xf32>
  check.expect_eq_const %r, dense<[1.0, 0.25, 4.0, 8.0]> : tensor<4xf32>
  return
}

func.func @arithmetic_rounds() {
  %a = stablehlo.constant dense<[1.0, 448.0, 16.0]> : tensor<3xf8E4M3FN>
  %b = stablehlo.constant dense<[0.0625, 448.0, 1.0]> : tensor<3xf8E4M3FN>
  %s = stablehlo.add %a, %b : tensor<3xf8E4M3FN>
  %r = stablehlo.convert %s : (tensor<3xf8E4M3FN>) -> tensor<3xf32>
  check.expect_almost_eq_const %r, dense<[1.0, 0x7FC00000, 16.0]> : tensor<3xf32>
  return
}

func.func @bits() {
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3FN>
  %i = stablehlo.bitcast_convert %x : (tensor<2xf8E4M3FN>) -> tensor<2xui8>
  check.expect_eq_const %i, dense<[56, 192]> : tensor<2xui8>
  %y = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E5M2>
  %j = stablehlo.bitcast_convert %y : (tensor<2xf8E5M2>) -> tensor<2xui8>
  check.expect_eq_const %j, dense<[60, 192]> : tensor<2xui8>
  return
}
