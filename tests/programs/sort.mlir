// sort and chlo.top_k.
// stable: equal keys keep their order
func.func @several_operands_move_together() {
  %k = stablehlo.constant dense<[2, 1, 2, 1]> : tensor<4xi32>
  %v = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %r:2 = "stablehlo.sort"(%k, %v) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %r#0, dense<[1, 1, 2, 2]> : tensor<4xi32>
  check.expect_eq_const %r#1, dense<[1, 3, 0, 2]> : tensor<4xi32>
  return
}

func.func @descending_by_the_second_operand() {
  %k = stablehlo.constant dense<[5.0, 6.0, 7.0]> : tensor<3xf32>
  %v = stablehlo.constant dense<[1, 3, 2]> : tensor<3xi8>
  %r:2 = "stablehlo.sort"(%k, %v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i8>, %d: tensor<i8>):
    %0 = stablehlo.compare GT, %c, %d : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<3xf32>, tensor<3xi8>) -> (tensor<3xf32>, tensor<3xi8>)
  check.expect_eq_const %r#0, dense<[6.0, 7.0, 5.0]> : tensor<3xf32>
  check.expect_eq_const %r#1, dense<[3, 2, 1]> : tensor<3xi8>
  return
}

func.func @negative_dimension_counts_from_the_end() {
  %x = stablehlo.constant dense<[[3, 1, 2], [6, 5, 4]]> : tensor<2x3xi32>
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) {dimension = -1 : i64, is_stable = false} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) {dimension = -2 : i64, is_stable = false} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[6, 5, 4], [3, 1, 2]]> : tensor<2x3xi32>
  return
}

// -NaN, -inf, -0, 0, 1, inf, NaN, identified by their bits
func.func @total_order_of_floats() {
  %x = stablehlo.constant dense<[0x7FC00000, 0x80000000, 0.0, 0xFF800000, 0x7F800000, 0xFFC00000, 1.0]> : tensor<7xf32>
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = false} : (tensor<7xf32>) -> tensor<7xf32>
  %bits = stablehlo.bitcast_convert %r : (tensor<7xf32>) -> tensor<7xi32>
  check.expect_eq_const %bits, dense<[-4194304, -8388608, -2147483648, 0, 1065353216, 2139095040, 2143289344]> : tensor<7xi32>
  return
}

func.func @empty_and_single() {
  %x = stablehlo.constant dense<> : tensor<0xi32>
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}

func.func @top_k_keeps_the_order_of_equal_values() {
  %x = stablehlo.constant dense<[3, 1, 3, 2]> : tensor<4xi32>
  %v, %i = chlo.top_k(%x, k = 3) : tensor<4xi32> -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %v, dense<[3, 3, 2]> : tensor<3xi32>
  check.expect_eq_const %i, dense<[0, 2, 3]> : tensor<3xi32>
  return
}

func.func @top_k_of_each_row() {
  %x = stablehlo.constant dense<[[-1.5, 4.0, 0.0], [8.0, -2.0, 8.5]]> : tensor<2x3xf32>
  %v, %i = chlo.top_k(%x, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %v, dense<[[4.0, 0.0], [8.5, 8.0]]> : tensor<2x2xf32>
  check.expect_eq_const %i, dense<[[1, 2], [2, 0]]> : tensor<2x2xi32>
  return
}

func.func @top_k_puts_nan_first() {
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %v, %i = chlo.top_k(%x, k = 3) : tensor<3xf32> -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %i, dense<[1, 2, 0]> : tensor<3xi32>
  return
}

func.func @top_k_of_nothing() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %v, %i = chlo.top_k(%x, k = 0) : tensor<2xi32> -> (tensor<0xi32>, tensor<0xi32>)
  check.expect_eq_const %v, dense<> : tensor<0xi32>
  return
}
