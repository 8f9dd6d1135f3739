// chlo.scan: slices along a dimension, loop-carried values, stacked outputs.
func.func @sums_before_each_element() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<10> : tensor<i32>
  %r:2 = chlo.scan(%x) inits(%i) dimension=0 {
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %0 = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %c, %0 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<[10, 11, 13, 16]> : tensor<4xi32>
  check.expect_eq_const %r#1, dense<20> : tensor<i32>
  return
}

func.func @from_the_end() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %0 = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %0, %0 : tensor<i32>, tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<[10, 9, 7, 4]> : tensor<4xi32>
  check.expect_eq_const %r#1, dense<10> : tensor<i32>
  return
}

func.func @columns_of_two_inputs_with_two_carried_values() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = stablehlo.constant dense<[5.0, 7.0]> : tensor<2xf32>
  %i = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %j = stablehlo.constant dense<1.0> : tensor<f32>
  %r:3 = chlo.scan(%x, %y) inits(%i, %j) dimension=0 {
  ^bb0(%a: tensor<2xi32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<f32>):
    %0 = stablehlo.add %a, %c : tensor<2xi32>
    %1 = stablehlo.multiply %b, %d : tensor<f32>
    stablehlo.return %1, %0, %1 : tensor<f32>, tensor<2xi32>, tensor<f32>
  } : (tensor<2x2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<f32>)
  check.expect_eq_const %r#0, dense<[5.0, 35.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[104, 206]> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<35.0> : tensor<f32>
  return
}

func.func @along_the_second_dimension() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %r:2 = chlo.scan(%x) inits(%i) dimension=1 {
  ^bb0(%a: tensor<2xi32>, %c: tensor<2xi32>):
    %0 = stablehlo.add %a, %c : tensor<2xi32>
    stablehlo.return %0, %0 : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[[1, 3, 6], [4, 9, 15]]> : tensor<2x3xi32>
  check.expect_eq_const %r#1, dense<[6, 15]> : tensor<2xi32>
  return
}

func.func @of_nothing() {
  %x = stablehlo.constant dense<> : tensor<0xi32>
  %i = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = chlo.scan(%x) inits(%i) dimension=0 {
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %0 = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %0, %0 : tensor<i32>, tensor<i32>
  } : (tensor<0xi32>, tensor<i32>) -> (tensor<0xi32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<> : tensor<0xi32>
  check.expect_eq_const %r#1, dense<3> : tensor<i32>
  return
}

func.func @pretty_form_from_the_end() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = chlo.scan(%x) inits(%i) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %0 = stablehlo.multiply %a, %c : tensor<i32>
    stablehlo.return %0, %0 : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<[6, 6, 3]> : tensor<3xi32>
  return
}
