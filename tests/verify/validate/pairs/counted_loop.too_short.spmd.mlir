// EXPECT: different (four rounds)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg1) : tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>
    cond {
      %c_4 = stablehlo.constant dense<4> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<4x3xf32>, tensor<i32>, tensor<4x3xf32>) -> (tensor<i32>, tensor<4x3xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %3, %2#0, %2#1 : tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<4x3xf32>
    }
    return %1#3 : tensor<4x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>, %arg2: tensor<4x3xf32>) -> (tensor<i32>, tensor<4x3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %3 = stablehlo.multiply %arg2, %2 : tensor<4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %7 = stablehlo.add %3, %6 : tensor<4x3xf32>
    %8 = stablehlo.tanh %7 : tensor<4x3xf32>
    return %0, %8 : tensor<i32>, tensor<4x3xf32>
  }
}
