// EXPECT: different (the distance of the means is left out)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg3: tensor<3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) -> (tensor<2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %3 = stablehlo.divide %1, %2 : tensor<3xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%arg2 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %8 = stablehlo.divide %6, %7 : tensor<3xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %11 = stablehlo.subtract %arg2, %10 : tensor<2x3xf32>
    %12 = stablehlo.multiply %11, %11 : tensor<2x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %15 = "stablehlo.all_gather"(%14) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %16 = stablehlo.slice %5 [0:1, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x3xf32>) -> tensor<3xf32>
    %18 = stablehlo.slice %15 [0:1, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x3xf32>) -> tensor<3xf32>
    %20 = stablehlo.slice %5 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x3xf32>) -> tensor<3xf32>
    %22 = stablehlo.subtract %21, %17 : tensor<3xf32>
    %23 = stablehlo.slice %15 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x3xf32>) -> tensor<3xf32>
    %25 = stablehlo.add %19, %24 : tensor<3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %27 = stablehlo.add %25, %26 : tensor<3xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %29 = stablehlo.multiply %22, %28 : tensor<3xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %31 = stablehlo.divide %29, %30 : tensor<3xf32>
    %32 = stablehlo.add %17, %31 : tensor<3xf32>
    %33 = stablehlo.slice %5 [2:3, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %34 = stablehlo.reshape %33 : (tensor<1x3xf32>) -> tensor<3xf32>
    %35 = stablehlo.subtract %34, %32 : tensor<3xf32>
    %36 = stablehlo.slice %15 [2:3, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %37 = stablehlo.reshape %36 : (tensor<1x3xf32>) -> tensor<3xf32>
    %38 = stablehlo.add %27, %37 : tensor<3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %40 = stablehlo.add %38, %39 : tensor<3xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %42 = stablehlo.multiply %35, %41 : tensor<3xf32>
    %cst_9 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %44 = stablehlo.divide %42, %43 : tensor<3xf32>
    %45 = stablehlo.add %32, %44 : tensor<3xf32>
    %46 = stablehlo.slice %5 [3:4, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %47 = stablehlo.reshape %46 : (tensor<1x3xf32>) -> tensor<3xf32>
    %48 = stablehlo.subtract %47, %45 : tensor<3xf32>
    %49 = stablehlo.slice %15 [3:4, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %50 = stablehlo.reshape %49 : (tensor<1x3xf32>) -> tensor<3xf32>
    %51 = stablehlo.add %40, %50 : tensor<3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %53 = stablehlo.add %51, %52 : tensor<3xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %55 = stablehlo.multiply %48, %54 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %57 = stablehlo.divide %55, %56 : tensor<3xf32>
    %58 = stablehlo.add %45, %57 : tensor<3xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %61 = stablehlo.subtract %arg2, %60 : tensor<2x3xf32>
    %cst_13 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %63 = stablehlo.divide %53, %62 : tensor<3xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %65 = stablehlo.add %63, %64 : tensor<3xf32>
    %66 = stablehlo.rsqrt %65 : tensor<3xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %69 = stablehlo.multiply %61, %68 : tensor<2x3xf32>
    %70 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %72 = stablehlo.multiply %69, %71 : tensor<2x3xf32>
    return %72 : tensor<2x3xf32>
  }
}
