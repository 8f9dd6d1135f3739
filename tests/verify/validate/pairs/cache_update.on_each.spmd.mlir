// EXPECT: different (every shard clamps the place into itself)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg4: tensor<1x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg5: tensor<i32> {mhlo.frontend_attributes = {partir.sharding = "[]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.divide %1, %c : tensor<ui32>
    %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
    %6 = stablehlo.subtract %arg5, %5 : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %6, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %8 = stablehlo.add %6, %c_3 : tensor<i32>
    %9 = stablehlo.select %7, %8, %6 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.dynamic_update_slice %arg3, %arg4, %9, %c_4 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    return %10 : tensor<2x3xf32>
  }
}
