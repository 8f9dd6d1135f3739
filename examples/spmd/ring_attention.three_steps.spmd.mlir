// EXPECT: different (one block is never met)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "sp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}, %arg4: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}, %arg5: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}) -> (tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}) {
    %cst = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %4 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %5 = stablehlo.dot_general %arg3, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %8 = stablehlo.convert %1 : tensor<2x1xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x2xf32>
    %12 = stablehlo.exponential %11 : tensor<2x2xf32>
    %13 = stablehlo.convert %1 : tensor<2x1xf32>
    %14 = stablehlo.subtract %13, %9 : tensor<2x1xf32>
    %15 = stablehlo.exponential %14 : tensor<2x1xf32>
    %16 = stablehlo.multiply %2, %15 : tensor<2x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %19 = stablehlo.add %16, %18 : tensor<2x1xf32>
    %20 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %21 = stablehlo.multiply %3, %20 : tensor<2x4xf32>
    %22 = stablehlo.dot_general %12, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %23 = stablehlo.add %21, %22 : tensor<2x4xf32>
    %24 = "stablehlo.collective_permute"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %25 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %26 = stablehlo.transpose %24, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %27 = stablehlo.dot_general %arg3, %26, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %30 = stablehlo.maximum %9, %29 : tensor<2x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %32 = stablehlo.subtract %27, %31 : tensor<2x2xf32>
    %33 = stablehlo.exponential %32 : tensor<2x2xf32>
    %34 = stablehlo.subtract %9, %30 : tensor<2x1xf32>
    %35 = stablehlo.exponential %34 : tensor<2x1xf32>
    %36 = stablehlo.multiply %19, %35 : tensor<2x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%33 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %39 = stablehlo.add %36, %38 : tensor<2x1xf32>
    %40 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %41 = stablehlo.multiply %23, %40 : tensor<2x4xf32>
    %42 = stablehlo.dot_general %33, %25, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %43 = stablehlo.add %41, %42 : tensor<2x4xf32>
    %44 = "stablehlo.collective_permute"(%24) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %45 = "stablehlo.collective_permute"(%25) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %46 = stablehlo.transpose %44, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %47 = stablehlo.dot_general %arg3, %46, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_6) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %50 = stablehlo.maximum %30, %49 : tensor<2x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %52 = stablehlo.subtract %47, %51 : tensor<2x2xf32>
    %53 = stablehlo.exponential %52 : tensor<2x2xf32>
    %54 = stablehlo.subtract %30, %50 : tensor<2x1xf32>
    %55 = stablehlo.exponential %54 : tensor<2x1xf32>
    %56 = stablehlo.multiply %39, %55 : tensor<2x1xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%53 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %59 = stablehlo.add %56, %58 : tensor<2x1xf32>
    %60 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %61 = stablehlo.multiply %43, %60 : tensor<2x4xf32>
    %62 = stablehlo.dot_general %53, %45, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %63 = stablehlo.add %61, %62 : tensor<2x4xf32>
    %64 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %65 = stablehlo.divide %63, %64 : tensor<2x4xf32>
    return %65 : tensor<2x4xf32>
  }
}
