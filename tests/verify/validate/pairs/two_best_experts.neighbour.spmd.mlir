// EXPECT: different (results of another expert)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<1x3x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}, {}]"}}, %arg4: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg5: tensor<1x2x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}, {}]"}}) -> (tensor<1x3x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}, {}]"}}) {
    %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x3x2xf32>, tensor<2x4xf32>) -> tensor<1x3x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x3xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<1x3xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<1x3x4xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<1x3x4xf32>
    %8 = stablehlo.exponential %7 : tensor<1x3x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<1x3x4xf32>
    %12 = stablehlo.divide %8, %11 : tensor<1x3x4xf32>
    %13 = func.call @argmax(%12) : (tensor<1x3x4xf32>) -> tensor<1x3xi32>
    %14 = func.call @_one_hot(%13) : (tensor<1x3xi32>) -> tensor<1x3x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x3x4xf32>
    %16 = stablehlo.compare GT, %14, %15, FLOAT : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1>
    %cst_3 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %17 = func.call @_where(%16, %cst_3, %12) : (tensor<1x3x4xi1>, tensor<f32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %18 = func.call @argmax(%17) : (tensor<1x3x4xf32>) -> tensor<1x3xi32>
    %19 = func.call @_one_hot(%18) : (tensor<1x3xi32>) -> tensor<1x3x4xf32>
    %20 = func.call @cumsum(%14) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %21 = stablehlo.subtract %20, %14 : tensor<1x3x4xf32>
    %22 = func.call @cumsum(%19) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %23 = stablehlo.subtract %22, %19 : tensor<1x3x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x3x4xf32>
    %27 = stablehlo.add %23, %26 : tensor<1x3x4xf32>
    %28 = stablehlo.multiply %12, %14 : tensor<1x3x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3xf32>
    %30 = stablehlo.multiply %12, %19 : tensor<1x3x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3xf32>
    %32 = stablehlo.multiply %21, %14 : tensor<1x3x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3xf32>
    %34 = stablehlo.convert %33 : (tensor<1x3xf32>) -> tensor<1x3xi32>
    %35 = func.call @_one_hot_1(%34) : (tensor<1x3xi32>) -> tensor<1x3x2xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 3] : (tensor<1x3x2xf32>) -> tensor<1x3x1x2xf32>
    %37 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x3x4xf32>) -> tensor<1x3x4x1xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x3x1x2xf32>) -> tensor<1x3x4x2xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x3x4x1xf32>) -> tensor<1x3x4x2xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<1x3x4x2xf32>
    %41 = stablehlo.multiply %27, %19 : tensor<1x3x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3xf32>
    %43 = stablehlo.convert %42 : (tensor<1x3xf32>) -> tensor<1x3xi32>
    %44 = func.call @_one_hot_1(%43) : (tensor<1x3xi32>) -> tensor<1x3x2xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 3] : (tensor<1x3x2xf32>) -> tensor<1x3x1x2xf32>
    %46 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x3x4xf32>) -> tensor<1x3x4x1xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x3x1x2xf32>) -> tensor<1x3x4x2xf32>
    %48 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x3x4x1xf32>) -> tensor<1x3x4x2xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<1x3x4x2xf32>
    %50 = stablehlo.add %40, %49 : tensor<1x3x4x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x3xf32>
    %52 = stablehlo.add %51, %29 : tensor<1x3xf32>
    %53 = stablehlo.add %52, %31 : tensor<1x3xf32>
    %54 = stablehlo.divide %29, %53 : tensor<1x3xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x1x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x3x1x1xf32>) -> tensor<1x3x4x2xf32>
    %57 = stablehlo.multiply %56, %40 : tensor<1x3x4x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x3x4x2xf32>
    %59 = stablehlo.add %58, %57 : tensor<1x3x4x2xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x3xf32>
    %61 = stablehlo.add %60, %29 : tensor<1x3xf32>
    %62 = stablehlo.add %61, %31 : tensor<1x3xf32>
    %63 = stablehlo.divide %31, %62 : tensor<1x3xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x1x1xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] : (tensor<1x3x1x1xf32>) -> tensor<1x3x4x2xf32>
    %66 = stablehlo.multiply %65, %49 : tensor<1x3x4x2xf32>
    %67 = stablehlo.add %59, %66 : tensor<1x3x4x2xf32>
    %68 = stablehlo.dot_general %arg3, %50, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x3x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x2x4x2xf32>
    %69 = stablehlo.transpose %68, dims = [2, 0, 3, 1] : (tensor<1x2x4x2xf32>) -> tensor<4x1x2x2xf32>
    %70 = "stablehlo.all_to_all"(%69) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x1x2x2xf32>) -> tensor<1x4x2x2xf32>
    %71 = stablehlo.dot_general %70, %arg5, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2x2xf32>
    %72 = func.call @relu(%71) : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
    %73 = "stablehlo.collective_permute"(%72) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
    %74 = "stablehlo.all_to_all"(%73) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<1x4x2x2xf32>) -> tensor<4x1x2x2xf32>
    %75 = stablehlo.dot_general %67, %74, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x3x4x2xf32>, tensor<4x1x2x2xf32>) -> tensor<1x3x2xf32>
    return %75 : tensor<1x3x2xf32>
  }
  func.func private @argmax(%arg0: tensor<1x3x4xf32>) -> tensor<1x3xi32> {
    %0 = stablehlo.iota dim = 2 : tensor<1x3x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<1x3x4xf32>, tensor<1x3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x3xf32>, tensor<1x3xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<1x3xi32>
  }
  func.func private @_one_hot(%arg0: tensor<1x3xi32>) -> tensor<1x3x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1x3x1xi32>) -> tensor<1x3x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x4xi32>) -> tensor<1x3x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<1x3x4xi32>, tensor<1x3x4xi32>) -> tensor<1x3x4xi1>
    %5 = stablehlo.convert %4 : (tensor<1x3x4xi1>) -> tensor<1x3x4xf32>
    return %5 : tensor<1x3x4xf32>
  }
  func.func private @_where(%arg0: tensor<1x3x4xi1>, %arg1: tensor<f32>, %arg2: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x3x4xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<1x3x4xi1>, tensor<1x3x4xf32>
    return %2 : tensor<1x3x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    return %0 : tensor<1x3x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [2, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x4xf32>
    return %1 : tensor<1x3x4xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<1x3xi32>) -> tensor<1x3x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x2xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1x3x1xi32>) -> tensor<1x3x2xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x2xi32>) -> tensor<1x3x2xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<1x3x2xi32>, tensor<1x3x2xi32>) -> tensor<1x3x2xi1>
    %5 = stablehlo.convert %4 : (tensor<1x3x2xi1>) -> tensor<1x3x2xf32>
    return %5 : tensor<1x3x2xf32>
  }
  func.func private @relu(%arg0: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x2x2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x4x2x2xf32>
    return %1 : tensor<1x4x2x2xf32>
  }
}
