// reduce, map and dot_general.
// the largest element of each row and its position; the first of equal ones
func.func @several_values_at_once() {
  %x = stablehlo.constant dense<[[3, 9, 9], [-1, -2, -1]]> : tensor<2x3xi32>
  %k = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<-2147483648> : tensor<i32>
  %j = stablehlo.constant dense<-1> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %k, %i, %j) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.compare GE, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.select %0, %a, %c : tensor<i1>, tensor<i32>
    %2 = stablehlo.select %0, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[9, -1]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[1, 0]> : tensor<2xi32>
  return
}

func.func @over_nothing_is_the_initial_value() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %i = stablehlo.constant dense<5.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<5.0> : tensor<2xf32>
  %s = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<0x2xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %s, dense<> : tensor<0xf32>
  return
}

func.func @along_two_dimensions() {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x2x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[14, 22]> : tensor<2xi32>
  return
}

// the specification leaves open how often an initial value that is not the identity counts; here it counts once
func.func @along_no_dimension() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<10> : tensor<i32>
  %r = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[11, 12]> : tensor<2xi32>
  return
}

func.func @booleans() {
  %x = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %all = stablehlo.reduce(%x init: %t) applies stablehlo.and across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  %any = stablehlo.reduce(%x init: %f) applies stablehlo.or across dimensions = [0] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %all, dense<[false, true]> : tensor<2xi1>
  check.expect_eq_const %any, dense<[true, true]> : tensor<2xi1>
  return
}

func.func @map_of_several_inputs() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %r = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.constant dense<7> : tensor<i32>
    %0 = stablehlo.multiply %a, %b : tensor<i32>
    %1 = stablehlo.subtract %0, %c : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[3, 33, 83]> : tensor<3xi32>
  return
}

func.func @map_to_another_type() {
  %x = stablehlo.constant dense<[1.5, -0.5]> : tensor<2xf32>
  %r = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    %0 = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 0]> : tensor<2xi32>
  return
}

func.func @dot_general_with_batching_dimensions() {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %y = stablehlo.constant dense<[[[1, 0], [0, 1]], [[0, 1], [1, 0]]]> : tensor<2x2x2xi32>
  %r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %r, dense<[[[1, 2], [3, 4]], [[6, 5], [8, 7]]]> : tensor<2x2x2xi32>
  return
}

func.func @dot_general_over_two_dimensions_and_over_none() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [0, 1] x [1, 0] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<i32>
  check.expect_eq_const %r, dense<69> : tensor<i32>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[3, 4, 5]> : tensor<3xi32>
  %s = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[3, 4, 5], [6, 8, 10]]> : tensor<2x3xi32>
  return
}

func.func @dot_general_of_narrow_integers_into_wide_ones() {
  %x = stablehlo.constant dense<[[100, 100]]> : tensor<1x2xi8>
  %y = stablehlo.constant dense<[[100], [100]]> : tensor<2x1xi8>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi32>
  check.expect_eq_const %r, dense<20000> : tensor<1x1xi32>
  return
}
