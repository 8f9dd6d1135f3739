// Each source value is added at the element of its window that is selected, scanning from the left.
func.func @ties_keep_the_first_with_ge() {
  %x = stablehlo.constant dense<[1, 3, 3, 2, 5, 0]> : tensor<6xi32>
  %s = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>} : (tensor<6xi32>, tensor<2xi32>, tensor<i32>) -> tensor<6xi32>
  check.expect_eq_const %r, dense<[0, 10, 0, 0, 20, 0]> : tensor<6xi32>
  return
}

func.func @ties_take_the_last_with_gt() {
  %x = stablehlo.constant dense<[3, 3, 1]> : tensor<3xi32>
  %s = stablehlo.constant dense<[10]> : tensor<1xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 3>} : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[0, 10, 0]> : tensor<3xi32>
  return
}

// padding is never selected
func.func @overlapping_windows_and_padding() {
  %x = stablehlo.constant dense<[-1.0, -2.0, -3.0]> : tensor<3xf32>
  %s = stablehlo.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[3.0, 4.0, 8.0]> : tensor<3xf32>
  return
}

func.func @two_dimensions() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 9, 6], [7, 8, 5]]> : tensor<3x3xi32>
  %s = stablehlo.constant dense<[[1, 2], [4, 8]]> : tensor<2x2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<3x3xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<3x3xi32>
  check.expect_eq_const %r, dense<[[0, 0, 0], [0, 15, 0], [0, 0, 0]]> : tensor<3x3xi32>
  return
}
