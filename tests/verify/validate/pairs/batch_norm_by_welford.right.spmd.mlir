// EXPECT: equal
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
    %26 = stablehlo.multiply %22, %22 : tensor<3xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<3xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %30 = stablehlo.multiply %28, %29 : tensor<3xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %32 = stablehlo.divide %30, %31 : tensor<3xf32>
    %33 = stablehlo.add %25, %32 : tensor<3xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %35 = stablehlo.multiply %22, %34 : tensor<3xf32>
    %cst_8 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %37 = stablehlo.divide %35, %36 : tensor<3xf32>
    %38 = stablehlo.add %17, %37 : tensor<3xf32>
    %39 = stablehlo.slice %5 [2:3, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %40 = stablehlo.reshape %39 : (tensor<1x3xf32>) -> tensor<3xf32>
    %41 = stablehlo.subtract %40, %38 : tensor<3xf32>
    %42 = stablehlo.slice %15 [2:3, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x3xf32>) -> tensor<3xf32>
    %44 = stablehlo.add %33, %43 : tensor<3xf32>
    %45 = stablehlo.multiply %41, %41 : tensor<3xf32>
    %cst_9 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %47 = stablehlo.multiply %45, %46 : tensor<3xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<3xf32>
    %cst_11 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %51 = stablehlo.divide %49, %50 : tensor<3xf32>
    %52 = stablehlo.add %44, %51 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %54 = stablehlo.multiply %41, %53 : tensor<3xf32>
    %cst_13 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %56 = stablehlo.divide %54, %55 : tensor<3xf32>
    %57 = stablehlo.add %38, %56 : tensor<3xf32>
    %58 = stablehlo.slice %5 [3:4, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %59 = stablehlo.reshape %58 : (tensor<1x3xf32>) -> tensor<3xf32>
    %60 = stablehlo.subtract %59, %57 : tensor<3xf32>
    %61 = stablehlo.slice %15 [3:4, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
    %62 = stablehlo.reshape %61 : (tensor<1x3xf32>) -> tensor<3xf32>
    %63 = stablehlo.add %52, %62 : tensor<3xf32>
    %64 = stablehlo.multiply %60, %60 : tensor<3xf32>
    %cst_14 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %66 = stablehlo.multiply %64, %65 : tensor<3xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %68 = stablehlo.multiply %66, %67 : tensor<3xf32>
    %cst_16 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %70 = stablehlo.divide %68, %69 : tensor<3xf32>
    %71 = stablehlo.add %63, %70 : tensor<3xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %73 = stablehlo.multiply %60, %72 : tensor<3xf32>
    %cst_18 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %75 = stablehlo.divide %73, %74 : tensor<3xf32>
    %76 = stablehlo.add %57, %75 : tensor<3xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %79 = stablehlo.subtract %arg2, %78 : tensor<2x3xf32>
    %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %81 = stablehlo.divide %71, %80 : tensor<3xf32>
    %cst_20 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %83 = stablehlo.add %81, %82 : tensor<3xf32>
    %84 = stablehlo.rsqrt %83 : tensor<3xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %87 = stablehlo.multiply %79, %86 : tensor<2x3xf32>
    %88 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %90 = stablehlo.multiply %87, %89 : tensor<2x3xf32>
    return %90 : tensor<2x3xf32>
  }
}
