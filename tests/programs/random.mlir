// Random bits are a function of the state. Those for counter and key zero are the published known answers of both
// algorithms.
func.func @philox() {
  %s = stablehlo.constant dense<0> : tensor<3xui64>
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %b, dense<[1713891541, 3781805453, 3159862348, 2600524760]> : tensor<4xui32>
  check.expect_eq_const %t, dense<[0, 1, 0]> : tensor<3xui64>
  %u, %w = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2xui64>)
  check.expect_eq_const %w, dense<[16242730742183356629, 11169168799798111308]> : tensor<2xui64>
  return
}

func.func @three_fry() {
  %s = stablehlo.constant dense<0> : tensor<2xui64>
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1xui64>)
  check.expect_eq_const %b, dense<11077253088097075545> : tensor<1xui64>
  check.expect_eq_const %t, dense<[0, 1]> : tensor<2xui64>
  return
}

func.func @the_same_state_gives_the_same_bits_and_the_next_one_others() {
  %s = stablehlo.constant dense<[7, 11]> : tensor<2xui64>
  %t, %a = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %u, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %v, %c = stablehlo.rng_bit_generator %t, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq %a, %b : tensor<2x3xui32>
  check.expect_eq %t, %u : tensor<2xui64>
  %n = stablehlo.compare NE, %a, %c : (tensor<2x3xui32>, tensor<2x3xui32>) -> tensor<2x3xi1>
  check.expect_eq_const %n, dense<true> : tensor<2x3xi1>
  return
}

func.func @uniform_numbers_lie_between_their_bounds() {
  %a = stablehlo.constant dense<-1.0> : tensor<f32>
  %b = stablehlo.constant dense<3.0> : tensor<f32>
  %n = stablehlo.constant dense<[50]> : tensor<1xi64>
  %x = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<50xf32>
  %low = stablehlo.constant dense<-1.0> : tensor<50xf32>
  %high = stablehlo.constant dense<3.0> : tensor<50xf32>
  %g = stablehlo.compare GE, %x, %low : (tensor<50xf32>, tensor<50xf32>) -> tensor<50xi1>
  %l = stablehlo.compare LE, %x, %high : (tensor<50xf32>, tensor<50xf32>) -> tensor<50xi1>
  check.expect_eq_const %g, dense<true> : tensor<50xi1>
  check.expect_eq_const %l, dense<true> : tensor<50xi1>
  return
}
