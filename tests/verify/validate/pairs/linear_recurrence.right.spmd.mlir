// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg3: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:7 = stablehlo.while(%iterArg = %arg2, %iterArg_13 = %arg3, %iterArg_14 = %c, %iterArg_15 = %1, %iterArg_16 = %2, %iterArg_17 = %3, %iterArg_18 = %4) : tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
    cond {
      %c_19 = stablehlo.constant dense<2> : tensor<i32>
      %51 = stablehlo.compare LT, %iterArg_14, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %51 : tensor<i1>
    } do {
      %51 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_14) : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>
      %52 = func.call @dynamic_index_in_dim(%iterArg_13, %iterArg_14) : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>
      %53:4 = func.call @closed_call(%iterArg_15, %iterArg_16, %51, %52) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      %54 = func.call @dynamic_update_index_in_dim(%iterArg_17, %53#2, %iterArg_14) : (tensor<2x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %55 = func.call @dynamic_update_index_in_dim(%iterArg_18, %53#3, %iterArg_14) : (tensor<2x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %56 = stablehlo.add %iterArg_14, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_13, %56, %53#0, %53#1, %54, %55 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
    }
    %6 = stablehlo.broadcast_in_dim %5#3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %7 = "stablehlo.all_gather"(%6) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %8 = stablehlo.broadcast_in_dim %5#4, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %9 = "stablehlo.all_gather"(%8) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %11 = stablehlo.slice %7 [0:1, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x3xf32>) -> tensor<3xf32>
    %13 = stablehlo.multiply %12, %10 : tensor<3xf32>
    %14 = stablehlo.slice %9 [0:1, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x3xf32>) -> tensor<3xf32>
    %16 = stablehlo.add %13, %15 : tensor<3xf32>
    %c_4 = stablehlo.constant dense<1> : tensor<ui32>
    %c_5 = stablehlo.constant dense<4> : tensor<ui32>
    %17 = stablehlo.partition_id : tensor<ui32>
    %18 = stablehlo.divide %17, %c_4 : tensor<ui32>
    %19 = stablehlo.remainder %18, %c_5 : tensor<ui32>
    %20 = stablehlo.convert %19 : (tensor<ui32>) -> tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.compare GT, %20, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %22 = func.call @_where(%21, %16, %10) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %23 = stablehlo.slice %7 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x3xf32>) -> tensor<3xf32>
    %25 = stablehlo.multiply %24, %22 : tensor<3xf32>
    %26 = stablehlo.slice %9 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x3xf32>) -> tensor<3xf32>
    %28 = stablehlo.add %25, %27 : tensor<3xf32>
    %c_7 = stablehlo.constant dense<1> : tensor<ui32>
    %c_8 = stablehlo.constant dense<4> : tensor<ui32>
    %29 = stablehlo.partition_id : tensor<ui32>
    %30 = stablehlo.divide %29, %c_7 : tensor<ui32>
    %31 = stablehlo.remainder %30, %c_8 : tensor<ui32>
    %32 = stablehlo.convert %31 : (tensor<ui32>) -> tensor<i32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %33 = stablehlo.compare GT, %32, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %34 = func.call @_where(%33, %28, %22) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %35 = stablehlo.slice %7 [2:3, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x3xf32>) -> tensor<3xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<3xf32>
    %38 = stablehlo.slice %9 [2:3, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x3xf32>) -> tensor<3xf32>
    %40 = stablehlo.add %37, %39 : tensor<3xf32>
    %c_10 = stablehlo.constant dense<1> : tensor<ui32>
    %c_11 = stablehlo.constant dense<4> : tensor<ui32>
    %41 = stablehlo.partition_id : tensor<ui32>
    %42 = stablehlo.divide %41, %c_10 : tensor<ui32>
    %43 = stablehlo.remainder %42, %c_11 : tensor<ui32>
    %44 = stablehlo.convert %43 : (tensor<ui32>) -> tensor<i32>
    %c_12 = stablehlo.constant dense<2> : tensor<i32>
    %45 = stablehlo.compare GT, %44, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %46 = func.call @_where(%45, %40, %34) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %49 = stablehlo.multiply %5#5, %48 : tensor<2x3xf32>
    %50 = stablehlo.add %49, %5#6 : tensor<2x3xf32>
    return %50 : tensor<2x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %0 = stablehlo.multiply %arg2, %arg0 : tensor<3xf32>
    %1 = stablehlo.multiply %arg2, %arg1 : tensor<3xf32>
    %2 = stablehlo.add %1, %arg3 : tensor<3xf32>
    return %0, %2, %0, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<i32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
