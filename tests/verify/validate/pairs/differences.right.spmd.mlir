// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<9x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.divide %1, %c : tensor<ui32>
    %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.add %5, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %6, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<9> : tensor<i32>
    %8 = stablehlo.add %6, %c_4 : tensor<i32>
    %9 = stablehlo.select %7, %8, %6 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.dynamic_slice %arg1, %9, %c_5, sizes = [2, 3] : (tensor<9x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %c_6 = stablehlo.constant dense<1> : tensor<ui32>
    %c_7 = stablehlo.constant dense<4> : tensor<ui32>
    %11 = stablehlo.partition_id : tensor<ui32>
    %12 = stablehlo.divide %11, %c_6 : tensor<ui32>
    %13 = stablehlo.remainder %12, %c_7 : tensor<ui32>
    %14 = stablehlo.convert %13 : (tensor<ui32>) -> tensor<i32>
    %c_8 = stablehlo.constant dense<2> : tensor<i32>
    %15 = stablehlo.multiply %14, %c_8 : tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.compare LT, %15, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<9> : tensor<i32>
    %17 = stablehlo.add %15, %c_10 : tensor<i32>
    %18 = stablehlo.select %16, %17, %15 : tensor<i1>, tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.dynamic_slice %arg1, %18, %c_11, sizes = [2, 3] : (tensor<9x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %20 = stablehlo.subtract %10, %19 : tensor<2x3xf32>
    return %20 : tensor<2x3xf32>
  }
}
