// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<3x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg3: tensor<4x4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) -> (tensor<3x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg3, %iterArg_1 = %arg2, %iterArg_2 = %c, %iterArg_3 = %1) : tensor<4x4x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3x2xf32>
    cond {
      %c_4 = stablehlo.constant dense<4> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_2, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<4x4x3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %7 = func.call @closed_call(%iterArg_1, %iterArg_3, %6) : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<3x2xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_2, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %8, %7 : tensor<4x4x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3x2xf32>
    }
    %3 = "stablehlo.all_reduce"(%2#3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %6 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %5 = stablehlo.divide %3, %4 : tensor<3x2xf32>
    return %5 : tensor<3x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x4x3xf32>, %arg1: tensor<i32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 3] : (tensor<4x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x3xf32>) -> tensor<4x3xf32>
    return %1 : tensor<4x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x2xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<4x3xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %1 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x2xf32>
    return %3 : tensor<3x2xf32>
  }
}
