// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "r=2,c=2"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{r}, {c}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{r}, {c}]"}}) {
    %1 = stablehlo.slice %arg1 [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.slice %arg1 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %4 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[2, 0], [3, 1]]> : tensor<2x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %5 = stablehlo.concatenate %3, %arg1, %4, dim = 0 : (tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.slice %5 [0:4, 0:1] : (tensor<4x3xf32>) -> tensor<4x1xf32>
    %7 = stablehlo.slice %5 [0:4, 2:3] : (tensor<4x3xf32>) -> tensor<4x1xf32>
    %8 = "stablehlo.collective_permute"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %9 = "stablehlo.collective_permute"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [3, 2]]> : tensor<2x2xi64>}> : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %10 = stablehlo.concatenate %8, %5, %9, dim = 1 : (tensor<4x1xf32>, tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<4x5xf32>
    %11 = stablehlo.slice %10 [0:2, 0:3] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<2x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %15 = stablehlo.add %14, %13 : tensor<2x3xf32>
    %16 = stablehlo.slice %10 [0:2, 1:4] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<2x3xf32>
    %19 = stablehlo.add %15, %18 : tensor<2x3xf32>
    %20 = stablehlo.slice %10 [0:2, 2:5] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_2 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<2x3xf32>
    %23 = stablehlo.add %19, %22 : tensor<2x3xf32>
    %24 = stablehlo.slice %10 [1:3, 0:3] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %26 = stablehlo.multiply %25, %24 : tensor<2x3xf32>
    %27 = stablehlo.add %23, %26 : tensor<2x3xf32>
    %28 = stablehlo.slice %10 [1:3, 1:4] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_4 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<2x3xf32>
    %31 = stablehlo.add %27, %30 : tensor<2x3xf32>
    %32 = stablehlo.slice %10 [1:3, 2:5] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %34 = stablehlo.multiply %33, %32 : tensor<2x3xf32>
    %35 = stablehlo.add %31, %34 : tensor<2x3xf32>
    %36 = stablehlo.slice %10 [2:4, 0:3] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_6 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<2x3xf32>
    %39 = stablehlo.add %35, %38 : tensor<2x3xf32>
    %40 = stablehlo.slice %10 [2:4, 1:4] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_7 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<2x3xf32>
    %43 = stablehlo.add %39, %42 : tensor<2x3xf32>
    %44 = stablehlo.slice %10 [2:4, 2:5] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_8 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<2x3xf32>
    %47 = stablehlo.add %43, %46 : tensor<2x3xf32>
    return %47 : tensor<2x3xf32>
  }
}
