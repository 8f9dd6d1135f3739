// slice, dynamic_slice and dynamic_update_slice; starts are clamped so that the window is in bounds.
func.func @slice_with_strides() {
  %x = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]> : tensor<3x5xi32>
  %r = stablehlo.slice %x [0:3:2, 1:5:3] : (tensor<3x5xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[1, 4], [11, 14]]> : tensor<2x2xi32>
  return
}

func.func @slice_to_nothing() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = stablehlo.slice %x [3:3] : (tensor<3xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}

func.func @dynamic_slice_clamps_signed_starts() {
  %x = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %i = stablehlo.constant dense<-5> : tensor<i64>
  %j = stablehlo.constant dense<9> : tensor<i64>
  %r = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 2] : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[2, 3], [6, 7]]> : tensor<2x2xi32>
  return
}

func.func @dynamic_slice_at_the_ends_of_64_bits() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %low = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %high = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %unsigned = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %a = stablehlo.dynamic_slice %x, %low, sizes = [2] : (tensor<3xi32>, tensor<i64>) -> tensor<2xi32>
  %b = stablehlo.dynamic_slice %x, %high, sizes = [2] : (tensor<3xi32>, tensor<i64>) -> tensor<2xi32>
  %c = stablehlo.dynamic_slice %x, %unsigned, sizes = [2] : (tensor<3xi32>, tensor<ui64>) -> tensor<2xi32>
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %b, dense<[2, 3]> : tensor<2xi32>
  check.expect_eq_const %c, dense<[2, 3]> : tensor<2xi32>
  return
}

func.func @dynamic_slice_reads_narrow_unsigned_starts() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %u = stablehlo.constant dense<200> : tensor<ui8>
  %s = stablehlo.constant dense<-56> : tensor<i8>
  %a = stablehlo.dynamic_slice %x, %u, sizes = [1] : (tensor<3xi32>, tensor<ui8>) -> tensor<1xi32>
  %b = stablehlo.dynamic_slice %x, %s, sizes = [1] : (tensor<3xi32>, tensor<i8>) -> tensor<1xi32>
  check.expect_eq_const %a, dense<3> : tensor<1xi32>
  check.expect_eq_const %b, dense<1> : tensor<1xi32>
  return
}

func.func @dynamic_update_slice_clamps() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %u = stablehlo.constant dense<[8, 9]> : tensor<2xi32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
  %unsigned = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %a = stablehlo.dynamic_update_slice %x, %u, %four : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
  %b = stablehlo.dynamic_update_slice %x, %u, %minus : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
  %c = stablehlo.dynamic_update_slice %x, %u, %unsigned : (tensor<5xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<5xi32>
  check.expect_eq_const %a, dense<[1, 2, 3, 8, 9]> : tensor<5xi32>
  check.expect_eq_const %b, dense<[8, 9, 3, 4, 5]> : tensor<5xi32>
  check.expect_eq_const %c, dense<[1, 2, 3, 8, 9]> : tensor<5xi32>
  return
}

func.func @dynamic_update_slice_in_two_dimensions() {
  %x = stablehlo.constant dense<0> : tensor<2x3xi32>
  %u = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi32>
  %i = stablehlo.constant dense<5> : tensor<i32>
  %j = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<2x3xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[0, 0, 0], [0, 7, 8]]> : tensor<2x3xi32>
  return
}

func.func @updates_of_no_elements() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %u = stablehlo.constant dense<> : tensor<0xi32>
  %i = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<3xi32>, tensor<0xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

func.func @scalars_have_no_starts() {
  %x = stablehlo.constant dense<6.0> : tensor<f32>
  %y = stablehlo.constant dense<7.0> : tensor<f32>
  %a = "stablehlo.dynamic_slice"(%x) {slice_sizes = array<i64>} : (tensor<f32>) -> tensor<f32>
  %b = "stablehlo.dynamic_update_slice"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %a, dense<6.0> : tensor<f32>
  check.expect_eq_const %b, dense<7.0> : tensor<f32>
  return
}
