// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<4x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}]"}}, %arg4: tensor<2x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg5: tensor<6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) -> (tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %2 = stablehlo.partition_id : tensor<ui32>
    %3 = stablehlo.divide %2, %c : tensor<ui32>
    %4 = stablehlo.remainder %3, %c_0 : tensor<ui32>
    %5 = stablehlo.convert %4 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare EQ, %5, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = func.call @_where(%6, %arg5, %cst) : (tensor<i1>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %10 = stablehlo.add %1, %9 : tensor<4x6xf32>
    %11 = "stablehlo.all_reduce"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %12 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return %11 : tensor<4x6xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<6xf32>, %arg2: tensor<f32>) -> tensor<6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<6xf32>
    return %2 : tensor<6xf32>
  }
}
