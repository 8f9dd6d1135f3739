// The dynamic operations, whose sizes are operands, with types that are all static.
func.func @dynamic_iota() {
  %n = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %a = stablehlo.dynamic_iota %n, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %a, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  return
}

func.func @dynamic_reshape() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %n = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %a = stablehlo.dynamic_reshape %x, %n : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %a, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  return
}

func.func @dynamic_broadcast_in_dim() {
  %x = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %n = stablehlo.constant dense<[3, 2, 2]> : tensor<3xi64>
  %a = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [1, 2] : (tensor<2x1xi32>, tensor<3xi64>) -> tensor<3x2x2xi32>
  check.expect_eq_const %a, dense<[[[1, 1], [2, 2]], [[1, 1], [2, 2]], [[1, 1], [2, 2]]]> : tensor<3x2x2xi32>
  return
}

func.func @dynamic_pad() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %low = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %high = stablehlo.constant dense<[2]> : tensor<1xi64>
  %interior = stablehlo.constant dense<[1]> : tensor<1xi64>
  %a = stablehlo.dynamic_pad %x, %p, %low, %high, %interior : (tensor<3xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xi32>
  check.expect_eq_const %a, dense<[9, 2, 9, 3, 9, 9]> : tensor<6xi32>
  return
}

func.func @real_dynamic_slice() {
  %x = stablehlo.constant dense<[10, 11, 12, 13, 14]> : tensor<5xi32>
  %start = stablehlo.constant dense<[1]> : tensor<1xi64>
  %limit = stablehlo.constant dense<[5]> : tensor<1xi64>
  %stride = stablehlo.constant dense<[3]> : tensor<1xi64>
  %a = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<5xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  check.expect_eq_const %a, dense<[11, 14]> : tensor<2xi32>
  return
}

func.func @get_dimension_size() {
  %x = stablehlo.constant dense<0.0> : tensor<2x0x5xf32>
  %a = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x0x5xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 2 : (tensor<2x0x5xf32>) -> tensor<i32>
  check.expect_eq_const %a, dense<0> : tensor<i32>
  check.expect_eq_const %b, dense<5> : tensor<i32>
  return
}
