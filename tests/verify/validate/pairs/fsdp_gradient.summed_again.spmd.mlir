// EXPECT: different (gathering's gradient has reduced it)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<3x1x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}, %arg4: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg5: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<3x1x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x2x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:7 = stablehlo.while(%iterArg = %arg3, %iterArg_7 = %c, %iterArg_8 = %arg4, %iterArg_9 = %1, %iterArg_10 = %2, %iterArg_11 = %3, %iterArg_12 = %4) : tensor<3x1x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3x4x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>
    cond {
      %c_13 = stablehlo.constant dense<3> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_7, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<3x1x4xf32>, tensor<i32>) -> tensor<1x4xf32>
      %15:5 = func.call @closed_call(%iterArg_8, %14) : (tensor<2x4xf32>, tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %16 = func.call @dynamic_update_index_in_dim(%iterArg_9, %15#1, %iterArg_7) : (tensor<3x4x4xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32>
      %17 = func.call @dynamic_update_index_in_dim_0(%iterArg_10, %15#2, %iterArg_7) : (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<3x2x4xf32>
      %18 = func.call @dynamic_update_index_in_dim_0(%iterArg_11, %15#3, %iterArg_7) : (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<3x2x4xf32>
      %19 = func.call @dynamic_update_index_in_dim_0(%iterArg_12, %15#4, %iterArg_7) : (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<3x2x4xf32>
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.add %iterArg_7, %c_13 : tensor<i32>
      stablehlo.return %iterArg, %20, %15#0, %16, %17, %18, %19 : tensor<3x1x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3x4x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>
    }
    %6 = stablehlo.subtract %5#2, %arg5 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<2x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x1x4xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %12:7 = stablehlo.while(%iterArg = %5#3, %iterArg_7 = %5#4, %iterArg_8 = %5#5, %iterArg_9 = %5#6, %iterArg_10 = %c_6, %iterArg_11 = %10, %iterArg_12 = %11) : tensor<3x4x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3x1x4xf32>
    cond {
      %c_13 = stablehlo.constant dense<3> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_10, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %c_13 = stablehlo.constant dense<3> : tensor<i32>
      %14 = stablehlo.subtract %c_13, %iterArg_10 : tensor<i32>
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.subtract %14, %c_14 : tensor<i32>
      %16 = func.call @dynamic_index_in_dim_1(%iterArg, %15) : (tensor<3x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
      %17 = func.call @dynamic_index_in_dim_2(%iterArg_7, %15) : (tensor<3x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %18 = func.call @dynamic_index_in_dim_2(%iterArg_8, %15) : (tensor<3x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %19 = func.call @dynamic_index_in_dim_2(%iterArg_9, %15) : (tensor<3x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %20:2 = func.call @closed_call_3(%iterArg_11, %16, %17, %18, %19) : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<1x4xf32>)
      %21 = func.call @dynamic_update_index_in_dim_4(%iterArg_12, %20#1, %15) : (tensor<3x1x4xf32>, tensor<1x4xf32>, tensor<i32>) -> tensor<3x1x4xf32>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.add %iterArg_10, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %iterArg_9, %22, %20#0, %21 : tensor<3x4x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3x1x4xf32>
    }
    %13 = "stablehlo.all_reduce"(%12#6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %14 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<3x1x4xf32>) -> tensor<3x1x4xf32>
    return %13 : tensor<3x1x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x1x4xf32>, %arg1: tensor<i32>) -> tensor<1x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 4] : (tensor<3x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    return %1 : tensor<1x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x4xf32>, %arg1: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.tanh %1 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<2x4xf32>
    return %2, %0, %arg0, %2, %4 : tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<i32>) -> tensor<3x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32>
    return %1 : tensor<3x4x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<3x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<3x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4xf32>
    return %1 : tensor<3x2x4xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<3x4x4xf32>, %arg1: tensor<i32>) -> tensor<4x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<3x2x4xf32>, %arg1: tensor<i32>) -> tensor<2x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 4] : (tensor<3x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<2x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<1x4xf32>) {
    %0 = stablehlo.multiply %arg0, %arg4 : tensor<2x4xf32>
    %1 = stablehlo.multiply %0, %arg3 : tensor<2x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x4xf32>
    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %6 = "stablehlo.reduce_scatter"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %7 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<1x4xf32>
    return %5, %6 : tensor<2x4xf32>, tensor<1x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<3x1x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<i32>) -> tensor<3x1x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x1x4xf32>, tensor<1x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x4xf32>
    return %1 : tensor<3x1x4xf32>
  }
}
