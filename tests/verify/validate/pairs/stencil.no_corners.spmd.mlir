// EXPECT: different (corners are not exchanged)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "r=2,c=2"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{r}, {c}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{r}, {c}]"}}) {
    %1 = stablehlo.slice %arg1 [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.slice %arg1 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %4 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[2, 0], [3, 1]]> : tensor<2x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %5 = stablehlo.concatenate %3, %arg1, %4, dim = 0 : (tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.slice %arg1 [0:2, 0:1] : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %7 = stablehlo.slice %arg1 [0:2, 2:3] : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %8 = "stablehlo.collective_permute"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %9 = "stablehlo.collective_permute"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [3, 2]]> : tensor<2x2xi64>}> : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %10 = stablehlo.concatenate %8, %arg1, %9, dim = 1 : (tensor<2x1xf32>, tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %11 = func.call @_pad(%10, %c) : (tensor<2x5xf32>, tensor<i32>) -> tensor<4x5xf32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %13 = "stablehlo.scatter"(%11, %12, %5) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<1xi32>, tensor<4x3xf32>) -> tensor<4x5xf32>
    %14 = stablehlo.slice %13 [0:2, 0:3] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<2x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %18 = stablehlo.add %17, %16 : tensor<2x3xf32>
    %19 = stablehlo.slice %13 [0:2, 1:4] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<2x3xf32>
    %22 = stablehlo.add %18, %21 : tensor<2x3xf32>
    %23 = stablehlo.slice %13 [0:2, 2:5] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_3 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<2x3xf32>
    %26 = stablehlo.add %22, %25 : tensor<2x3xf32>
    %27 = stablehlo.slice %13 [1:3, 0:3] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<2x3xf32>
    %30 = stablehlo.add %26, %29 : tensor<2x3xf32>
    %31 = stablehlo.slice %13 [1:3, 1:4] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_5 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<2x3xf32>
    %34 = stablehlo.add %30, %33 : tensor<2x3xf32>
    %35 = stablehlo.slice %13 [1:3, 2:5] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_6 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %37 = stablehlo.multiply %36, %35 : tensor<2x3xf32>
    %38 = stablehlo.add %34, %37 : tensor<2x3xf32>
    %39 = stablehlo.slice %13 [2:4, 0:3] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_7 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %41 = stablehlo.multiply %40, %39 : tensor<2x3xf32>
    %42 = stablehlo.add %38, %41 : tensor<2x3xf32>
    %43 = stablehlo.slice %13 [2:4, 1:4] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_8 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<2x3xf32>
    %46 = stablehlo.add %42, %45 : tensor<2x3xf32>
    %47 = stablehlo.slice %13 [2:4, 2:5] : (tensor<4x5xf32>) -> tensor<2x3xf32>
    %cst_9 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<2x3xf32>
    %50 = stablehlo.add %46, %49 : tensor<2x3xf32>
    return %50 : tensor<2x3xf32>
  }
  func.func private @_pad(%arg0: tensor<2x5xf32>, %arg1: tensor<i32>) -> tensor<4x5xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
}
