// Integer arithmetic wraps at the type's width.
func.func @division_rounds_towards_zero_and_remainders_follow_the_dividend() {
  %a = stablehlo.constant dense<[7, -7, 7, -7]> : tensor<4xi32>
  %b = stablehlo.constant dense<[2, 2, -2, -2]> : tensor<4xi32>
  %q = stablehlo.divide %a, %b : tensor<4xi32>
  %r = stablehlo.remainder %a, %b : tensor<4xi32>
  check.expect_eq_const %q, dense<[3, -3, -3, 3]> : tensor<4xi32>
  check.expect_eq_const %r, dense<[1, -1, 1, -1]> : tensor<4xi32>
  return
}

// division by zero gives all bits set and the dividend; the least integer by -1 gives itself and zero
func.func @division_at_the_edges() {
  %a = stablehlo.constant dense<[5, -5, -128]> : tensor<3xi8>
  %b = stablehlo.constant dense<[0, 0, -1]> : tensor<3xi8>
  %q = stablehlo.divide %a, %b : tensor<3xi8>
  %r = stablehlo.remainder %a, %b : tensor<3xi8>
  check.expect_eq_const %q, dense<[-1, -1, -128]> : tensor<3xi8>
  check.expect_eq_const %r, dense<[5, -5, 0]> : tensor<3xi8>
  %c = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %d = stablehlo.constant dense<-1> : tensor<i64>
  %s = stablehlo.divide %c, %d : tensor<i64>
  %t = stablehlo.remainder %c, %d : tensor<i64>
  check.expect_eq_const %s, dense<-9223372036854775808> : tensor<i64>
  check.expect_eq_const %t, dense<0> : tensor<i64>
  return
}

func.func @unsigned_division() {
  %a = stablehlo.constant dense<[255, 250, 18]> : tensor<3xui8>
  %b = stablehlo.constant dense<[2, 7, 0]> : tensor<3xui8>
  %q = stablehlo.divide %a, %b : tensor<3xui8>
  %r = stablehlo.remainder %a, %b : tensor<3xui8>
  check.expect_eq_const %q, dense<[127, 35, 255]> : tensor<3xui8>
  check.expect_eq_const %r, dense<[1, 5, 18]> : tensor<3xui8>
  %c = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %d = stablehlo.constant dense<2> : tensor<ui64>
  %s = stablehlo.divide %c, %d : tensor<ui64>
  check.expect_eq_const %s, dense<9223372036854775807> : tensor<ui64>
  return
}

// shifted by the width or more, or by a negative amount, only the sign remains
func.func @shifts() {
  %a = stablehlo.constant dense<[1, 1, 1, -1]> : tensor<4xi8>
  %n = stablehlo.constant dense<[7, 8, -1, 1]> : tensor<4xi8>
  %l = stablehlo.shift_left %a, %n : tensor<4xi8>
  check.expect_eq_const %l, dense<[-128, 0, 0, -2]> : tensor<4xi8>
  %b = stablehlo.constant dense<[-128, -128, -128, 64, -2]> : tensor<5xi8>
  %m = stablehlo.constant dense<[1, 7, 8, 9, -1]> : tensor<5xi8>
  %r = stablehlo.shift_right_logical %b, %m : tensor<5xi8>
  %s = stablehlo.shift_right_arithmetic %b, %m : tensor<5xi8>
  check.expect_eq_const %r, dense<[64, 1, 0, 0, 0]> : tensor<5xi8>
  check.expect_eq_const %s, dense<[-64, -1, -1, 0, -1]> : tensor<5xi8>
  return
}

func.func @arithmetic_shifts_of_unsigned_values_keep_the_top_bit() {
  %a = stablehlo.constant dense<[128, 64]> : tensor<2xui8>
  %n = stablehlo.constant dense<[3, 3]> : tensor<2xui8>
  %r = stablehlo.shift_right_arithmetic %a, %n : tensor<2xui8>
  %s = stablehlo.shift_right_logical %a, %n : tensor<2xui8>
  check.expect_eq_const %r, dense<[240, 8]> : tensor<2xui8>
  check.expect_eq_const %s, dense<[16, 8]> : tensor<2xui8>
  return
}

func.func @wrapping() {
  %a = stablehlo.constant dense<[127, -128, 100, -100]> : tensor<4xi8>
  %b = stablehlo.constant dense<[1, -1, 3, 100]> : tensor<4xi8>
  %s = stablehlo.add %a, %b : tensor<4xi8>
  %d = stablehlo.subtract %a, %b : tensor<4xi8>
  %p = stablehlo.multiply %a, %b : tensor<4xi8>
  %n = stablehlo.negate %a : tensor<4xi8>
  %m = stablehlo.abs %a : tensor<4xi8>
  %g = stablehlo.sign %a : tensor<4xi8>
  check.expect_eq_const %s, dense<[-128, 127, 103, 0]> : tensor<4xi8>
  check.expect_eq_const %d, dense<[126, -127, 97, 56]> : tensor<4xi8>
  check.expect_eq_const %p, dense<[127, -128, 44, -16]> : tensor<4xi8>
  check.expect_eq_const %n, dense<[-127, -128, -100, 100]> : tensor<4xi8>
  check.expect_eq_const %m, dense<[127, -128, 100, 100]> : tensor<4xi8>
  check.expect_eq_const %g, dense<[1, -1, 1, -1]> : tensor<4xi8>
  return
}

func.func @wrapping_without_sign() {
  %a = stablehlo.constant dense<[0, 255, 200]> : tensor<3xui8>
  %b = stablehlo.constant dense<[1, 1, 100]> : tensor<3xui8>
  %d = stablehlo.subtract %a, %b : tensor<3xui8>
  %s = stablehlo.add %a, %b : tensor<3xui8>
  %n = stablehlo.negate %b : tensor<3xui8>
  check.expect_eq_const %d, dense<[255, 254, 100]> : tensor<3xui8>
  check.expect_eq_const %s, dense<[1, 0, 44]> : tensor<3xui8>
  check.expect_eq_const %n, dense<[255, 255, 156]> : tensor<3xui8>
  return
}

func.func @wrapping_of_64_bits() {
  %a = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %b = stablehlo.constant dense<2> : tensor<i64>
  %p = stablehlo.multiply %a, %b : tensor<i64>
  %s = stablehlo.add %a, %b : tensor<i64>
  check.expect_eq_const %p, dense<-2> : tensor<i64>
  check.expect_eq_const %s, dense<-9223372036854775807> : tensor<i64>
  return
}

func.func @four_bits() {
  %a = stablehlo.constant dense<[7, -8, 3]> : tensor<3xi4>
  %b = stablehlo.constant dense<[1, -1, 5]> : tensor<3xi4>
  %s = stablehlo.add %a, %b : tensor<3xi4>
  %p = stablehlo.multiply %a, %b : tensor<3xi4>
  check.expect_eq_const %s, dense<[-8, 7, -8]> : tensor<3xi4>
  check.expect_eq_const %p, dense<[7, -8, -1]> : tensor<3xi4>
  %c = stablehlo.constant dense<[15, 8]> : tensor<2xui4>
  %d = stablehlo.constant dense<[1, 9]> : tensor<2xui4>
  %u = stablehlo.add %c, %d : tensor<2xui4>
  check.expect_eq_const %u, dense<[0, 1]> : tensor<2xui4>
  return
}

func.func @counting_bits() {
  %a = stablehlo.constant dense<[-1, 0, 1, 64]> : tensor<4xi8>
  %p = stablehlo.popcnt %a : tensor<4xi8>
  %z = stablehlo.count_leading_zeros %a : tensor<4xi8>
  check.expect_eq_const %p, dense<[8, 0, 1, 1]> : tensor<4xi8>
  check.expect_eq_const %z, dense<[0, 8, 7, 1]> : tensor<4xi8>
  %b = stablehlo.constant dense<[1, 32768]> : tensor<2xui16>
  %y = stablehlo.count_leading_zeros %b : tensor<2xui16>
  check.expect_eq_const %y, dense<[15, 0]> : tensor<2xui16>
  return
}

func.func @bits() {
  %a = stablehlo.constant dense<[12, -1]> : tensor<2xi8>
  %b = stablehlo.constant dense<[10, 15]> : tensor<2xi8>
  %and = stablehlo.and %a, %b : tensor<2xi8>
  %or = stablehlo.or %a, %b : tensor<2xi8>
  %xor = stablehlo.xor %a, %b : tensor<2xi8>
  %not = stablehlo.not %a : tensor<2xi8>
  check.expect_eq_const %and, dense<[8, 15]> : tensor<2xi8>
  check.expect_eq_const %or, dense<[14, -1]> : tensor<2xi8>
  check.expect_eq_const %xor, dense<[6, -16]> : tensor<2xi8>
  check.expect_eq_const %not, dense<[-13, 0]> : tensor<2xi8>
  return
}

// sums and maxima are "or", products and minima "and"
func.func @booleans() {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %s = stablehlo.add %a, %b : tensor<4xi1>
  %p = stablehlo.multiply %a, %b : tensor<4xi1>
  %x = stablehlo.maximum %a, %b : tensor<4xi1>
  %n = stablehlo.minimum %a, %b : tensor<4xi1>
  %e = stablehlo.xor %a, %b : tensor<4xi1>
  %t = stablehlo.not %a : tensor<4xi1>
  check.expect_eq_const %s, dense<[false, true, true, true]> : tensor<4xi1>
  check.expect_eq_const %p, dense<[false, false, false, true]> : tensor<4xi1>
  check.expect_eq_const %x, dense<[false, true, true, true]> : tensor<4xi1>
  check.expect_eq_const %n, dense<[false, false, false, true]> : tensor<4xi1>
  check.expect_eq_const %e, dense<[false, true, true, false]> : tensor<4xi1>
  check.expect_eq_const %t, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

func.func @order_with_and_without_sign() {
  %a = stablehlo.constant dense<[-1, 1]> : tensor<2xi8>
  %b = stablehlo.constant dense<[1, -128]> : tensor<2xi8>
  %x = stablehlo.maximum %a, %b : tensor<2xi8>
  %n = stablehlo.minimum %a, %b : tensor<2xi8>
  %lt = stablehlo.compare LT, %a, %b, SIGNED : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi1>
  check.expect_eq_const %x, dense<[1, 1]> : tensor<2xi8>
  check.expect_eq_const %n, dense<[-1, -128]> : tensor<2xi8>
  check.expect_eq_const %lt, dense<[true, false]> : tensor<2xi1>
  %c = stablehlo.constant dense<[255, 18446744073709551615]> : tensor<2xui64>
  %d = stablehlo.constant dense<[1, 9223372036854775807]> : tensor<2xui64>
  %y = stablehlo.maximum %c, %d : tensor<2xui64>
  %gt = stablehlo.compare GT, %c, %d, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  check.expect_eq_const %y, dense<[255, 18446744073709551615]> : tensor<2xui64>
  check.expect_eq_const %gt, dense<true> : tensor<2xi1>
  return
}

// with a negative exponent only powers of 1 and -1 are not 0
func.func @powers() {
  %a = stablehlo.constant dense<[2, -2, 0, 2, 1, -1, -1, 3]> : tensor<8xi32>
  %b = stablehlo.constant dense<[10, 3, 0, -1, -5, -3, -2, 21]> : tensor<8xi32>
  %r = stablehlo.power %a, %b : tensor<8xi32>
  check.expect_eq_const %r, dense<[1024, -8, 1, 0, 1, -1, 1, 1870418611]> : tensor<8xi32>
  %c = stablehlo.constant dense<[3, 2, -2]> : tensor<3xi8>
  %d = stablehlo.constant dense<[5, 7, 7]> : tensor<3xi8>
  %s = stablehlo.power %c, %d : tensor<3xi8>
  check.expect_eq_const %s, dense<[-13, -128, -128]> : tensor<3xi8>
  return
}

func.func @high_halves_of_products() {
  %a = stablehlo.constant dense<[1073741824, -1, -2147483648]> : tensor<3xi32>
  %b = stablehlo.constant dense<[4, 1, -2147483648]> : tensor<3xi32>
  %r = chlo.mulhi %a, %b : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  check.expect_eq_const %r, dense<[1, -1, 1073741824]> : tensor<3xi32>
  %c = stablehlo.constant dense<[4294967295]> : tensor<1xui32>
  %s = chlo.mulhi %c, %c : tensor<1xui32>, tensor<1xui32> -> tensor<1xui32>
  check.expect_eq_const %s, dense<4294967294> : tensor<1xui32>
  return
}

// if the lower bound exceeds the upper one, the upper one wins
func.func @clamp_to_scalars_and_to_tensors() {
  %x = stablehlo.constant dense<[-5, 0, 5, 9]> : tensor<4xi32>
  %low = stablehlo.constant dense<-1> : tensor<i32>
  %high = stablehlo.constant dense<6> : tensor<i32>
  %r = stablehlo.clamp %low, %x, %high : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[-1, 0, 5, 6]> : tensor<4xi32>
  %lows = stablehlo.constant dense<[0, 1, 7, 8]> : tensor<4xi32>
  %highs = stablehlo.constant dense<[1, 1, 6, 8]> : tensor<4xi32>
  %s = stablehlo.clamp %lows, %x, %highs : tensor<4xi32>
  check.expect_eq_const %s, dense<[0, 1, 6, 8]> : tensor<4xi32>
  return
}
