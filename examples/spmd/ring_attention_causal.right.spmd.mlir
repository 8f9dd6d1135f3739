// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "sp=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}, %arg4: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}, %arg5: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}) -> (tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{sp}, {}]"}}) {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.divide %1, %c : tensor<ui32>
    %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %cst = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %9 = stablehlo.dot_general %arg3, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.add %4, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %11 = func.call @remainder(%10, %c_4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %12 = stablehlo.multiply %4, %c_5 : tensor<i32>
    %13 = stablehlo.iota dim = 0 : tensor<2xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %16 = stablehlo.add %15, %14 : tensor<2x1xi32>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %17 = stablehlo.multiply %11, %c_6 : tensor<i32>
    %18 = stablehlo.iota dim = 0 : tensor<2xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %20 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %21 = stablehlo.add %20, %19 : tensor<1x2xi32>
    %22 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x2xi32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<2x2xi32>
    %24 = stablehlo.compare GE, %22, %23, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %cst_7 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %25 = func.call @_where_0(%24, %9, %cst_7) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_8) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %28 = stablehlo.convert %5 : tensor<2x1xf32>
    %29 = stablehlo.maximum %28, %27 : tensor<2x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %31 = stablehlo.subtract %25, %30 : tensor<2x2xf32>
    %32 = stablehlo.exponential %31 : tensor<2x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = func.call @_where_0(%24, %32, %cst_9) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %34 = stablehlo.convert %5 : tensor<2x1xf32>
    %35 = stablehlo.subtract %34, %29 : tensor<2x1xf32>
    %36 = stablehlo.exponential %35 : tensor<2x1xf32>
    %37 = stablehlo.multiply %6, %36 : tensor<2x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%33 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %40 = stablehlo.add %37, %39 : tensor<2x1xf32>
    %41 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %42 = stablehlo.multiply %7, %41 : tensor<2x4xf32>
    %43 = stablehlo.dot_general %33, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %44 = stablehlo.add %42, %43 : tensor<2x4xf32>
    %45 = "stablehlo.collective_permute"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %46 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %47 = stablehlo.transpose %45, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %48 = stablehlo.dot_general %arg3, %47, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %c_11 = stablehlo.constant dense<-1> : tensor<i32>
    %49 = stablehlo.add %4, %c_11 : tensor<i32>
    %c_12 = stablehlo.constant dense<4> : tensor<i32>
    %50 = func.call @remainder(%49, %c_12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_13 = stablehlo.constant dense<2> : tensor<i32>
    %51 = stablehlo.multiply %4, %c_13 : tensor<i32>
    %52 = stablehlo.iota dim = 0 : tensor<2xi32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %54 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %55 = stablehlo.add %54, %53 : tensor<2x1xi32>
    %c_14 = stablehlo.constant dense<2> : tensor<i32>
    %56 = stablehlo.multiply %50, %c_14 : tensor<i32>
    %57 = stablehlo.iota dim = 0 : tensor<2xi32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %59 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %60 = stablehlo.add %59, %58 : tensor<1x2xi32>
    %61 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x2xi32>
    %62 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<2x2xi32>
    %63 = stablehlo.compare GE, %61, %62, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %cst_15 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %64 = func.call @_where_0(%63, %48, %cst_15) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_16) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %67 = stablehlo.maximum %29, %66 : tensor<2x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %69 = stablehlo.subtract %64, %68 : tensor<2x2xf32>
    %70 = stablehlo.exponential %69 : tensor<2x2xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = func.call @_where_0(%63, %70, %cst_17) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %72 = stablehlo.subtract %29, %67 : tensor<2x1xf32>
    %73 = stablehlo.exponential %72 : tensor<2x1xf32>
    %74 = stablehlo.multiply %40, %73 : tensor<2x1xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%71 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %77 = stablehlo.add %74, %76 : tensor<2x1xf32>
    %78 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %79 = stablehlo.multiply %44, %78 : tensor<2x4xf32>
    %80 = stablehlo.dot_general %71, %46, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %81 = stablehlo.add %79, %80 : tensor<2x4xf32>
    %82 = "stablehlo.collective_permute"(%45) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %83 = "stablehlo.collective_permute"(%46) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %84 = stablehlo.transpose %82, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %85 = stablehlo.dot_general %arg3, %84, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %c_19 = stablehlo.constant dense<-2> : tensor<i32>
    %86 = stablehlo.add %4, %c_19 : tensor<i32>
    %c_20 = stablehlo.constant dense<4> : tensor<i32>
    %87 = func.call @remainder(%86, %c_20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_21 = stablehlo.constant dense<2> : tensor<i32>
    %88 = stablehlo.multiply %4, %c_21 : tensor<i32>
    %89 = stablehlo.iota dim = 0 : tensor<2xi32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %91 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %92 = stablehlo.add %91, %90 : tensor<2x1xi32>
    %c_22 = stablehlo.constant dense<2> : tensor<i32>
    %93 = stablehlo.multiply %87, %c_22 : tensor<i32>
    %94 = stablehlo.iota dim = 0 : tensor<2xi32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %96 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %97 = stablehlo.add %96, %95 : tensor<1x2xi32>
    %98 = stablehlo.broadcast_in_dim %92, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x2xi32>
    %99 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<2x2xi32>
    %100 = stablehlo.compare GE, %98, %99, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %cst_23 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %101 = func.call @_where_0(%100, %85, %cst_23) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_24) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %104 = stablehlo.maximum %67, %103 : tensor<2x1xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %106 = stablehlo.subtract %101, %105 : tensor<2x2xf32>
    %107 = stablehlo.exponential %106 : tensor<2x2xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = func.call @_where_0(%100, %107, %cst_25) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %109 = stablehlo.subtract %67, %104 : tensor<2x1xf32>
    %110 = stablehlo.exponential %109 : tensor<2x1xf32>
    %111 = stablehlo.multiply %77, %110 : tensor<2x1xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.reduce(%108 init: %cst_26) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %114 = stablehlo.add %111, %113 : tensor<2x1xf32>
    %115 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %116 = stablehlo.multiply %81, %115 : tensor<2x4xf32>
    %117 = stablehlo.dot_general %108, %83, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %118 = stablehlo.add %116, %117 : tensor<2x4xf32>
    %119 = "stablehlo.collective_permute"(%82) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %120 = "stablehlo.collective_permute"(%83) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %121 = stablehlo.transpose %119, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %122 = stablehlo.dot_general %arg3, %121, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %c_27 = stablehlo.constant dense<-3> : tensor<i32>
    %123 = stablehlo.add %4, %c_27 : tensor<i32>
    %c_28 = stablehlo.constant dense<4> : tensor<i32>
    %124 = func.call @remainder(%123, %c_28) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_29 = stablehlo.constant dense<2> : tensor<i32>
    %125 = stablehlo.multiply %4, %c_29 : tensor<i32>
    %126 = stablehlo.iota dim = 0 : tensor<2xi32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %128 = stablehlo.broadcast_in_dim %125, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %129 = stablehlo.add %128, %127 : tensor<2x1xi32>
    %c_30 = stablehlo.constant dense<2> : tensor<i32>
    %130 = stablehlo.multiply %124, %c_30 : tensor<i32>
    %131 = stablehlo.iota dim = 0 : tensor<2xi32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %133 = stablehlo.broadcast_in_dim %130, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %134 = stablehlo.add %133, %132 : tensor<1x2xi32>
    %135 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x2xi32>
    %136 = stablehlo.broadcast_in_dim %134, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<2x2xi32>
    %137 = stablehlo.compare GE, %135, %136, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %cst_31 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %138 = func.call @_where_0(%137, %122, %cst_31) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %cst_32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_32) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %141 = stablehlo.maximum %104, %140 : tensor<2x1xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %143 = stablehlo.subtract %138, %142 : tensor<2x2xf32>
    %144 = stablehlo.exponential %143 : tensor<2x2xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = func.call @_where_0(%137, %144, %cst_33) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %146 = stablehlo.subtract %104, %141 : tensor<2x1xf32>
    %147 = stablehlo.exponential %146 : tensor<2x1xf32>
    %148 = stablehlo.multiply %114, %147 : tensor<2x1xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%145 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %151 = stablehlo.add %148, %150 : tensor<2x1xf32>
    %152 = stablehlo.broadcast_in_dim %147, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %153 = stablehlo.multiply %118, %152 : tensor<2x4xf32>
    %154 = stablehlo.dot_general %145, %120, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %155 = stablehlo.add %153, %154 : tensor<2x4xf32>
    %156 = stablehlo.broadcast_in_dim %151, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %157 = stablehlo.divide %155, %156 : tensor<2x4xf32>
    return %157 : tensor<2x4xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<2x2xi1>, %arg1: tensor<2x2xf32>, %arg2: tensor<f32>) -> tensor<2x2xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x2xi1>, tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
}
