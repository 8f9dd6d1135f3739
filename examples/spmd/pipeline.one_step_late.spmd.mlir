// EXPECT: different (outputs are taken one step late)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "pp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg3: tensor<1x6x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{pp}, {}, {}]"}}) -> (tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.divide %1, %c : tensor<ui32>
    %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %5 = stablehlo.reshape %arg2 : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %8 = stablehlo.slice %5 [0:1, 0:2, 0:6] : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.compare EQ, %4, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %11 = func.call @_where(%10, %9, %6) : (tensor<i1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = stablehlo.reshape %arg3 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %13 = stablehlo.dot_general %11, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %14 = stablehlo.tanh %13 : tensor<2x6xf32>
    %15 = "stablehlo.collective_permute"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %16 = stablehlo.slice %5 [1:2, 0:2, 0:6] : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.compare EQ, %4, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %19 = func.call @_where(%18, %17, %15) : (tensor<i1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %20 = stablehlo.reshape %arg3 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %21 = stablehlo.dot_general %19, %20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %22 = stablehlo.tanh %21 : tensor<2x6xf32>
    %23 = "stablehlo.collective_permute"(%22) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %24 = stablehlo.slice %5 [1:2, 0:2, 0:6] : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.compare EQ, %4, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %27 = func.call @_where(%26, %25, %23) : (tensor<i1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %28 = stablehlo.reshape %arg3 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %29 = stablehlo.dot_general %27, %28, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %30 = stablehlo.tanh %29 : tensor<2x6xf32>
    %31 = "stablehlo.collective_permute"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %32 = stablehlo.slice %5 [1:2, 0:2, 0:6] : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.compare EQ, %4, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %35 = func.call @_where(%34, %33, %31) : (tensor<i1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %36 = stablehlo.reshape %arg3 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %37 = stablehlo.dot_general %35, %36, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %38 = stablehlo.tanh %37 : tensor<2x6xf32>
    %39 = "stablehlo.collective_permute"(%38) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %40 = stablehlo.slice %5 [1:2, 0:2, 0:6] : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %42 = stablehlo.compare EQ, %4, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %43 = func.call @_where(%42, %41, %39) : (tensor<i1>, tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %44 = stablehlo.reshape %arg3 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    %45 = stablehlo.dot_general %43, %44, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %46 = stablehlo.tanh %45 : tensor<2x6xf32>
    %c_7 = stablehlo.constant dense<3> : tensor<i32>
    %47 = stablehlo.compare EQ, %4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = func.call @_where_0(%47, %46, %cst_8) : (tensor<i1>, tensor<2x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %50 = "stablehlo.scatter"(%7, %49, %48) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<2x2x6xf32>, tensor<1xi32>, tensor<2x6xf32>) -> tensor<2x2x6xf32>
    %51 = "stablehlo.all_reduce"(%50) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %53 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %53 : tensor<f32>
    }) : (tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %52 = stablehlo.reshape %51 : (tensor<2x2x6xf32>) -> tensor<4x6xf32>
    return %52 : tensor<4x6xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x6xf32>, %arg2: tensor<2x6xf32>) -> tensor<2x6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<2x6xf32>
    return %0 : tensor<2x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<2x6xf32>, %arg2: tensor<f32>) -> tensor<2x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x6xf32>
    return %2 : tensor<2x6xf32>
  }
}
