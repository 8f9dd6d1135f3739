module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x32x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x4x4x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x3x16x4x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x16x32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<i32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x32x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x4x4x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<4x3x16x4x4xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<4x16x32xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<4x32x16xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<4x4x4x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<4x3x16x4x4xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<4x16x32xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<8x2x8x16xf32>, %arg14: tensor<8x2x8x16xf32>) -> (tensor<4x32x16xf32> {jax.result_info = "result[0]['down']"}, tensor<4x4x4x16xf32> {jax.result_info = "result[0]['out']"}, tensor<4x3x16x4x4xf32> {jax.result_info = "result[0]['qkv']"}, tensor<4x16x32xf32> {jax.result_info = "result[0]['up']"}, tensor<i32> {jax.result_info = "result[1][0].count"}, tensor<4x32x16xf32> {jax.result_info = "result[1][0].mu['down']"}, tensor<4x4x4x16xf32> {jax.result_info = "result[1][0].mu['out']"}, tensor<4x3x16x4x4xf32> {jax.result_info = "result[1][0].mu['qkv']"}, tensor<4x16x32xf32> {jax.result_info = "result[1][0].mu['up']"}, tensor<4x32x16xf32> {jax.result_info = "result[1][0].nu['down']"}, tensor<4x4x4x16xf32> {jax.result_info = "result[1][0].nu['out']"}, tensor<4x3x16x4x4xf32> {jax.result_info = "result[1][0].nu['qkv']"}, tensor<4x16x32xf32> {jax.result_info = "result[1][0].nu['up']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2x8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %2 = stablehlo.concatenate %arg13, %0, dim = 0 : (tensor<8x2x8x16xf32>, tensor<3x2x8x16xf32>) -> tensor<11x2x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x8x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x4x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x4x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<11x4x2x4x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<11x4x2x4x8x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<11x4x2x4x8x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<11x4x2x4x8x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x4x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<11x4x2x4x4x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x1xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x32xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x32xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<11x4x2x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %27:30 = stablehlo.while(%iterArg = %2, %iterArg_67 = %arg2, %iterArg_68 = %arg1, %iterArg_69 = %arg3, %iterArg_70 = %arg0, %iterArg_71 = %c, %iterArg_72 = %1, %iterArg_73 = %4, %iterArg_74 = %5, %iterArg_75 = %6, %iterArg_76 = %7, %iterArg_77 = %8, %iterArg_78 = %9, %iterArg_79 = %10, %iterArg_80 = %11, %iterArg_81 = %12, %iterArg_82 = %13, %iterArg_83 = %14, %iterArg_84 = %15, %iterArg_85 = %16, %iterArg_86 = %17, %iterArg_87 = %18, %iterArg_88 = %19, %iterArg_89 = %20, %iterArg_90 = %21, %iterArg_91 = %22, %iterArg_92 = %23, %iterArg_93 = %24, %iterArg_94 = %25, %iterArg_95 = %26) : tensor<11x2x8x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<i32>, tensor<4x2x8x16xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x4x8xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>
    cond {
      %c_96 = stablehlo.constant dense<11> : tensor<i32>
      %145 = stablehlo.compare LT, %iterArg_71, %c_96, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %145 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_71) : (tensor<11x2x8x16xf32>, tensor<i32>) -> tensor<2x8x16xf32>
      %146:24 = func.call @closed_call(%iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %iterArg_72, %145) : (tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x2x8x16xf32>, tensor<2x8x16xf32>) -> (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x4x8xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>)
      %147 = func.call @dynamic_update_index_in_dim(%iterArg_73, %146#1, %iterArg_71) : (tensor<11x4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<i32>) -> tensor<11x4x2x8x16xf32>
      %148 = func.call @dynamic_update_index_in_dim(%iterArg_74, %146#2, %iterArg_71) : (tensor<11x4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<i32>) -> tensor<11x4x2x8x16xf32>
      %149 = func.call @dynamic_update_index_in_dim_0(%iterArg_75, %146#3, %iterArg_71) : (tensor<11x4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<i32>) -> tensor<11x4x2x8x1xf32>
      %150 = func.call @dynamic_update_index_in_dim_0(%iterArg_76, %146#4, %iterArg_71) : (tensor<11x4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<i32>) -> tensor<11x4x2x8x1xf32>
      %151 = func.call @dynamic_update_index_in_dim(%iterArg_77, %146#5, %iterArg_71) : (tensor<11x4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<i32>) -> tensor<11x4x2x8x16xf32>
      %152 = func.call @dynamic_update_index_in_dim_1(%iterArg_78, %146#6, %iterArg_71) : (tensor<11x4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>, tensor<i32>) -> tensor<11x4x2x8x4x4xf32>
      %153 = func.call @dynamic_update_index_in_dim_1(%iterArg_79, %146#7, %iterArg_71) : (tensor<11x4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>, tensor<i32>) -> tensor<11x4x2x8x4x4xf32>
      %154 = func.call @dynamic_update_index_in_dim_2(%iterArg_80, %146#8, %iterArg_71) : (tensor<11x4x2x4x8x8xf32>, tensor<4x2x4x8x8xf32>, tensor<i32>) -> tensor<11x4x2x4x8x8xf32>
      %155 = func.call @dynamic_update_index_in_dim_3(%iterArg_81, %146#9, %iterArg_71) : (tensor<11x4x2x4x8x1xf32>, tensor<4x2x4x8x1xf32>, tensor<i32>) -> tensor<11x4x2x4x8x1xf32>
      %156 = func.call @dynamic_update_index_in_dim_3(%iterArg_82, %146#10, %iterArg_71) : (tensor<11x4x2x4x8x1xf32>, tensor<4x2x4x8x1xf32>, tensor<i32>) -> tensor<11x4x2x4x8x1xf32>
      %157 = func.call @dynamic_update_index_in_dim_2(%iterArg_83, %146#11, %iterArg_71) : (tensor<11x4x2x4x8x8xf32>, tensor<4x2x4x8x8xf32>, tensor<i32>) -> tensor<11x4x2x4x8x8xf32>
      %158 = func.call @dynamic_update_index_in_dim_1(%iterArg_84, %146#12, %iterArg_71) : (tensor<11x4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>, tensor<i32>) -> tensor<11x4x2x8x4x4xf32>
      %159 = func.call @dynamic_update_index_in_dim_4(%iterArg_85, %146#13, %iterArg_71) : (tensor<11x4x2x4x4x8xf32>, tensor<4x2x4x4x8xf32>, tensor<i32>) -> tensor<11x4x2x4x4x8xf32>
      %160 = func.call @dynamic_update_index_in_dim(%iterArg_86, %146#14, %iterArg_71) : (tensor<11x4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<i32>) -> tensor<11x4x2x8x16xf32>
      %161 = func.call @dynamic_update_index_in_dim_0(%iterArg_87, %146#15, %iterArg_71) : (tensor<11x4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<i32>) -> tensor<11x4x2x8x1xf32>
      %162 = func.call @dynamic_update_index_in_dim_0(%iterArg_88, %146#16, %iterArg_71) : (tensor<11x4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<i32>) -> tensor<11x4x2x8x1xf32>
      %163 = func.call @dynamic_update_index_in_dim(%iterArg_89, %146#17, %iterArg_71) : (tensor<11x4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<i32>) -> tensor<11x4x2x8x16xf32>
      %164 = func.call @dynamic_update_index_in_dim_5(%iterArg_90, %146#18, %iterArg_71) : (tensor<11x4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<i32>) -> tensor<11x4x2x8x32xf32>
      %165 = func.call @dynamic_update_index_in_dim_5(%iterArg_91, %146#19, %iterArg_71) : (tensor<11x4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<i32>) -> tensor<11x4x2x8x32xf32>
      %166 = func.call @dynamic_update_index_in_dim_5(%iterArg_92, %146#20, %iterArg_71) : (tensor<11x4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<i32>) -> tensor<11x4x2x8x32xf32>
      %167 = func.call @dynamic_update_index_in_dim_5(%iterArg_93, %146#21, %iterArg_71) : (tensor<11x4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<i32>) -> tensor<11x4x2x8x32xf32>
      %168 = func.call @dynamic_update_index_in_dim_5(%iterArg_94, %146#22, %iterArg_71) : (tensor<11x4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<i32>) -> tensor<11x4x2x8x32xf32>
      %169 = func.call @dynamic_update_index_in_dim_5(%iterArg_95, %146#23, %iterArg_71) : (tensor<11x4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<i32>) -> tensor<11x4x2x8x32xf32>
      %c_96 = stablehlo.constant dense<1> : tensor<i32>
      %170 = stablehlo.add %iterArg_71, %c_96 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %170, %146#0, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162, %163, %164, %165, %166, %167, %168, %169 : tensor<11x2x8x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<i32>, tensor<4x2x8x16xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x4x8xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>
    }
    %28 = stablehlo.slice %27#7 [3:11, 3:4, 0:2, 0:8, 0:16] : (tensor<11x4x2x8x16xf32>) -> tensor<8x1x2x8x16xf32>
    %29 = stablehlo.reshape %28 : (tensor<8x1x2x8x16xf32>) -> tensor<8x2x8x16xf32>
    %30 = stablehlo.subtract %29, %arg14 : tensor<8x2x8x16xf32>
    %31 = stablehlo.multiply %30, %30 : tensor<8x2x8x16xf32>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x2x8x16xf32>
    %33 = stablehlo.multiply %32, %30 : tensor<8x2x8x16xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%31 init: %cst_26) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<8x2x8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_27 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %35 = stablehlo.divide %34, %cst_27 : tensor<f32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_30 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %37 = stablehlo.divide %cst_29, %cst_30 : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<8x2x8x16xf32>
    %39 = stablehlo.multiply %38, %33 : tensor<8x2x8x16xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 2, 3, 4] : (tensor<8x2x8x16xf32>) -> tensor<8x1x2x8x16xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.pad %40, %cst_31, low = [3, 3, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<8x1x2x8x16xf32>, tensor<f32>) -> tensor<11x4x2x8x16xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %47:34 = stablehlo.while(%iterArg = %41, %iterArg_67 = %27#8, %iterArg_68 = %27#9, %iterArg_69 = %27#10, %iterArg_70 = %27#11, %iterArg_71 = %27#12, %iterArg_72 = %27#13, %iterArg_73 = %27#14, %iterArg_74 = %27#15, %iterArg_75 = %27#16, %iterArg_76 = %27#17, %iterArg_77 = %27#18, %iterArg_78 = %27#19, %iterArg_79 = %27#20, %iterArg_80 = %27#21, %iterArg_81 = %27#22, %iterArg_82 = %27#23, %iterArg_83 = %27#24, %iterArg_84 = %27#25, %iterArg_85 = %27#26, %iterArg_86 = %27#27, %iterArg_87 = %27#28, %iterArg_88 = %27#29, %iterArg_89 = %3, %iterArg_90 = %arg2, %iterArg_91 = %arg1, %iterArg_92 = %arg3, %iterArg_93 = %arg0, %iterArg_94 = %c_37, %iterArg_95 = %43, %iterArg_96 = %44, %iterArg_97 = %45, %iterArg_98 = %46, %iterArg_99 = %42) : tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x4x8xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<1x2x8x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<i32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x2x8x16xf32>
    cond {
      %c_100 = stablehlo.constant dense<11> : tensor<i32>
      %145 = stablehlo.compare LT, %iterArg_94, %c_100, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %145 : tensor<i1>
    } do {
      %c_100 = stablehlo.constant dense<11> : tensor<i32>
      %145 = stablehlo.subtract %c_100, %iterArg_94 : tensor<i32>
      %c_101 = stablehlo.constant dense<1> : tensor<i32>
      %146 = stablehlo.subtract %145, %c_101 : tensor<i32>
      %147 = func.call @dynamic_index_in_dim_6(%iterArg, %146) : (tensor<11x4x2x8x16xf32>, tensor<i32>) -> tensor<4x2x8x16xf32>
      %148 = func.call @dynamic_index_in_dim_6(%iterArg_67, %146) : (tensor<11x4x2x8x16xf32>, tensor<i32>) -> tensor<4x2x8x16xf32>
      %149 = func.call @dynamic_index_in_dim_7(%iterArg_68, %146) : (tensor<11x4x2x8x1xf32>, tensor<i32>) -> tensor<4x2x8x1xf32>
      %150 = func.call @dynamic_index_in_dim_7(%iterArg_69, %146) : (tensor<11x4x2x8x1xf32>, tensor<i32>) -> tensor<4x2x8x1xf32>
      %151 = func.call @dynamic_index_in_dim_6(%iterArg_70, %146) : (tensor<11x4x2x8x16xf32>, tensor<i32>) -> tensor<4x2x8x16xf32>
      %152 = func.call @dynamic_index_in_dim_8(%iterArg_71, %146) : (tensor<11x4x2x8x4x4xf32>, tensor<i32>) -> tensor<4x2x8x4x4xf32>
      %153 = func.call @dynamic_index_in_dim_8(%iterArg_72, %146) : (tensor<11x4x2x8x4x4xf32>, tensor<i32>) -> tensor<4x2x8x4x4xf32>
      %154 = func.call @dynamic_index_in_dim_9(%iterArg_73, %146) : (tensor<11x4x2x4x8x8xf32>, tensor<i32>) -> tensor<4x2x4x8x8xf32>
      %155 = func.call @dynamic_index_in_dim_10(%iterArg_74, %146) : (tensor<11x4x2x4x8x1xf32>, tensor<i32>) -> tensor<4x2x4x8x1xf32>
      %156 = func.call @dynamic_index_in_dim_10(%iterArg_75, %146) : (tensor<11x4x2x4x8x1xf32>, tensor<i32>) -> tensor<4x2x4x8x1xf32>
      %157 = func.call @dynamic_index_in_dim_9(%iterArg_76, %146) : (tensor<11x4x2x4x8x8xf32>, tensor<i32>) -> tensor<4x2x4x8x8xf32>
      %158 = func.call @dynamic_index_in_dim_8(%iterArg_77, %146) : (tensor<11x4x2x8x4x4xf32>, tensor<i32>) -> tensor<4x2x8x4x4xf32>
      %159 = func.call @dynamic_index_in_dim_11(%iterArg_78, %146) : (tensor<11x4x2x4x4x8xf32>, tensor<i32>) -> tensor<4x2x4x4x8xf32>
      %160 = func.call @dynamic_index_in_dim_6(%iterArg_79, %146) : (tensor<11x4x2x8x16xf32>, tensor<i32>) -> tensor<4x2x8x16xf32>
      %161 = func.call @dynamic_index_in_dim_7(%iterArg_80, %146) : (tensor<11x4x2x8x1xf32>, tensor<i32>) -> tensor<4x2x8x1xf32>
      %162 = func.call @dynamic_index_in_dim_7(%iterArg_81, %146) : (tensor<11x4x2x8x1xf32>, tensor<i32>) -> tensor<4x2x8x1xf32>
      %163 = func.call @dynamic_index_in_dim_6(%iterArg_82, %146) : (tensor<11x4x2x8x16xf32>, tensor<i32>) -> tensor<4x2x8x16xf32>
      %164 = func.call @dynamic_index_in_dim_12(%iterArg_83, %146) : (tensor<11x4x2x8x32xf32>, tensor<i32>) -> tensor<4x2x8x32xf32>
      %165 = func.call @dynamic_index_in_dim_12(%iterArg_84, %146) : (tensor<11x4x2x8x32xf32>, tensor<i32>) -> tensor<4x2x8x32xf32>
      %166 = func.call @dynamic_index_in_dim_12(%iterArg_85, %146) : (tensor<11x4x2x8x32xf32>, tensor<i32>) -> tensor<4x2x8x32xf32>
      %167 = func.call @dynamic_index_in_dim_12(%iterArg_86, %146) : (tensor<11x4x2x8x32xf32>, tensor<i32>) -> tensor<4x2x8x32xf32>
      %168 = func.call @dynamic_index_in_dim_12(%iterArg_87, %146) : (tensor<11x4x2x8x32xf32>, tensor<i32>) -> tensor<4x2x8x32xf32>
      %169 = func.call @dynamic_index_in_dim_12(%iterArg_88, %146) : (tensor<11x4x2x8x32xf32>, tensor<i32>) -> tensor<4x2x8x32xf32>
      %170:5 = func.call @closed_call_13(%iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_95, %iterArg_96, %iterArg_97, %iterArg_98, %iterArg_99, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162, %163, %164, %165, %166, %167, %168, %169) : (tensor<1x2x8x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x4x8xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>) -> (tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x2x8x16xf32>)
      %c_102 = stablehlo.constant dense<1> : tensor<i32>
      %171 = stablehlo.add %iterArg_94, %c_102 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %iterArg_71, %iterArg_72, %iterArg_73, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %iterArg_81, %iterArg_82, %iterArg_83, %iterArg_84, %iterArg_85, %iterArg_86, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %171, %170#0, %170#1, %170#2, %170#3, %170#4 : tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x1xf32>, tensor<11x4x2x4x8x8xf32>, tensor<11x4x2x8x4x4xf32>, tensor<11x4x2x4x4x8xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x1xf32>, tensor<11x4x2x8x16xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<11x4x2x8x32xf32>, tensor<1x2x8x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<i32>, tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x2x8x16xf32>
    }
    %c_38 = stablehlo.constant dense<1> : tensor<i32>
    %48 = stablehlo.add %arg4, %c_38 : tensor<i32>
    %cst_39 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %50 = stablehlo.multiply %49, %arg5 : tensor<4x32x16xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %52 = stablehlo.multiply %51, %47#32 : tensor<4x32x16xf32>
    %53 = stablehlo.add %50, %52 : tensor<4x32x16xf32>
    %cst_41 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %55 = stablehlo.multiply %54, %arg6 : tensor<4x4x4x16xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %57 = stablehlo.multiply %56, %47#30 : tensor<4x4x4x16xf32>
    %58 = stablehlo.add %55, %57 : tensor<4x4x4x16xf32>
    %cst_43 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %60 = stablehlo.multiply %59, %arg7 : tensor<4x3x16x4x4xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %62 = stablehlo.multiply %61, %47#29 : tensor<4x3x16x4x4xf32>
    %63 = stablehlo.add %60, %62 : tensor<4x3x16x4x4xf32>
    %cst_45 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %65 = stablehlo.multiply %64, %arg8 : tensor<4x16x32xf32>
    %cst_46 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %67 = stablehlo.multiply %66, %47#31 : tensor<4x16x32xf32>
    %68 = stablehlo.add %65, %67 : tensor<4x16x32xf32>
    %cst_47 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %70 = stablehlo.multiply %69, %arg9 : tensor<4x32x16xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %72 = stablehlo.multiply %71, %47#32 : tensor<4x32x16xf32>
    %73 = stablehlo.multiply %72, %47#32 : tensor<4x32x16xf32>
    %74 = stablehlo.add %70, %73 : tensor<4x32x16xf32>
    %cst_49 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %76 = stablehlo.multiply %75, %arg10 : tensor<4x4x4x16xf32>
    %cst_50 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %78 = stablehlo.multiply %77, %47#30 : tensor<4x4x4x16xf32>
    %79 = stablehlo.multiply %78, %47#30 : tensor<4x4x4x16xf32>
    %80 = stablehlo.add %76, %79 : tensor<4x4x4x16xf32>
    %cst_51 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %82 = stablehlo.multiply %81, %arg11 : tensor<4x3x16x4x4xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %84 = stablehlo.multiply %83, %47#29 : tensor<4x3x16x4x4xf32>
    %85 = stablehlo.multiply %84, %47#29 : tensor<4x3x16x4x4xf32>
    %86 = stablehlo.add %82, %85 : tensor<4x3x16x4x4xf32>
    %cst_53 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %88 = stablehlo.multiply %87, %arg12 : tensor<4x16x32xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %90 = stablehlo.multiply %89, %47#31 : tensor<4x16x32xf32>
    %91 = stablehlo.multiply %90, %47#31 : tensor<4x16x32xf32>
    %92 = stablehlo.add %88, %91 : tensor<4x16x32xf32>
    %93 = stablehlo.convert %48 : (tensor<i32>) -> tensor<f32>
    %cst_55 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %94 = stablehlo.convert %48 : (tensor<i32>) -> tensor<f32>
    %95 = stablehlo.power %cst_55, %94 : tensor<f32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %96 = stablehlo.subtract %cst_56, %95 : tensor<f32>
    %97 = stablehlo.convert %48 : (tensor<i32>) -> tensor<f32>
    %cst_57 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %98 = stablehlo.convert %48 : (tensor<i32>) -> tensor<f32>
    %99 = stablehlo.power %cst_57, %98 : tensor<f32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %100 = stablehlo.subtract %cst_58, %99 : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %102 = stablehlo.divide %53, %101 : tensor<4x32x16xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %104 = stablehlo.multiply %103, %102 : tensor<4x32x16xf32>
    %105 = stablehlo.broadcast_in_dim %100, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %106 = stablehlo.divide %74, %105 : tensor<4x32x16xf32>
    %107 = stablehlo.sqrt %106 : tensor<4x32x16xf32>
    %cst_60 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x32x16xf32>
    %109 = stablehlo.add %107, %108 : tensor<4x32x16xf32>
    %110 = stablehlo.divide %104, %109 : tensor<4x32x16xf32>
    %111 = stablehlo.subtract %arg0, %110 : tensor<4x32x16xf32>
    %112 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %113 = stablehlo.divide %58, %112 : tensor<4x4x4x16xf32>
    %cst_61 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %115 = stablehlo.multiply %114, %113 : tensor<4x4x4x16xf32>
    %116 = stablehlo.broadcast_in_dim %100, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %117 = stablehlo.divide %80, %116 : tensor<4x4x4x16xf32>
    %118 = stablehlo.sqrt %117 : tensor<4x4x4x16xf32>
    %cst_62 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x4x4x16xf32>
    %120 = stablehlo.add %118, %119 : tensor<4x4x4x16xf32>
    %121 = stablehlo.divide %115, %120 : tensor<4x4x4x16xf32>
    %122 = stablehlo.subtract %arg1, %121 : tensor<4x4x4x16xf32>
    %123 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %124 = stablehlo.divide %63, %123 : tensor<4x3x16x4x4xf32>
    %cst_63 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %126 = stablehlo.multiply %125, %124 : tensor<4x3x16x4x4xf32>
    %127 = stablehlo.broadcast_in_dim %100, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %128 = stablehlo.divide %86, %127 : tensor<4x3x16x4x4xf32>
    %129 = stablehlo.sqrt %128 : tensor<4x3x16x4x4xf32>
    %cst_64 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x3x16x4x4xf32>
    %131 = stablehlo.add %129, %130 : tensor<4x3x16x4x4xf32>
    %132 = stablehlo.divide %126, %131 : tensor<4x3x16x4x4xf32>
    %133 = stablehlo.subtract %arg2, %132 : tensor<4x3x16x4x4xf32>
    %134 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %135 = stablehlo.divide %68, %134 : tensor<4x16x32xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %137 = stablehlo.multiply %136, %135 : tensor<4x16x32xf32>
    %138 = stablehlo.broadcast_in_dim %100, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %139 = stablehlo.divide %92, %138 : tensor<4x16x32xf32>
    %140 = stablehlo.sqrt %139 : tensor<4x16x32xf32>
    %cst_66 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %142 = stablehlo.add %140, %141 : tensor<4x16x32xf32>
    %143 = stablehlo.divide %137, %142 : tensor<4x16x32xf32>
    %144 = stablehlo.subtract %arg3, %143 : tensor<4x16x32xf32>
    return %111, %122, %133, %144, %48, %53, %58, %63, %68, %74, %80, %86, %92, %35 : tensor<4x32x16xf32>, tensor<4x4x4x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x16x32xf32>, tensor<i32>, tensor<4x32x16xf32>, tensor<4x4x4x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x4x4x16xf32>, tensor<4x3x16x4x4xf32>, tensor<4x16x32xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<11x2x8x16xf32>, %arg1: tensor<i32>) -> tensor<2x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 8, 16] : (tensor<11x2x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x8x16xf32>) -> tensor<2x8x16xf32>
    return %1 : tensor<2x8x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x3x16x4x4xf32>, %arg1: tensor<4x4x4x16xf32>, %arg2: tensor<4x16x32xf32>, %arg3: tensor<4x32x16xf32>, %arg4: tensor<4x2x8x16xf32>, %arg5: tensor<2x8x16xf32>) -> (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x4x8xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg5, dims = [1, 2, 3] : (tensor<2x8x16xf32>) -> tensor<1x2x8x16xf32>
    %1 = stablehlo.slice %arg4 [0:3, 0:2, 0:8, 0:16] : (tensor<4x2x8x16xf32>) -> tensor<3x2x8x16xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x2x8x16xf32>, tensor<3x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<4x2x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x16xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %7 = stablehlo.divide %5, %6 : tensor<4x2x8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %9 = stablehlo.add %7, %8 : tensor<4x2x8x1xf32>
    %10 = stablehlo.rsqrt %9 : tensor<4x2x8x1xf32>
    %11 = stablehlo.divide %10, %9 : tensor<4x2x8x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<4x2x8x1xf32>
    %14 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x16xf32>
    %15 = stablehlo.multiply %2, %14 : tensor<4x2x8x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<4x2x8x16xf32>
    %18 = stablehlo.dot_general %arg0, %17, batching_dims = [0] x [0], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x3x16x4x4xf32>, tensor<4x2x8x16xf32>) -> tensor<4x3x4x4x2x8xf32>
    %19 = stablehlo.transpose %18, dims = [0, 1, 4, 5, 2, 3] : (tensor<4x3x4x4x2x8xf32>) -> tensor<4x3x2x8x4x4xf32>
    %20 = stablehlo.slice %19 [0:4, 0:1, 0:2, 0:8, 0:4, 0:4] : (tensor<4x3x2x8x4x4xf32>) -> tensor<4x1x2x8x4x4xf32>
    %21 = stablehlo.reshape %20 : (tensor<4x1x2x8x4x4xf32>) -> tensor<4x2x8x4x4xf32>
    %22 = stablehlo.slice %19 [0:4, 1:2, 0:2, 0:8, 0:4, 0:4] : (tensor<4x3x2x8x4x4xf32>) -> tensor<4x1x2x8x4x4xf32>
    %23 = stablehlo.reshape %22 : (tensor<4x1x2x8x4x4xf32>) -> tensor<4x2x8x4x4xf32>
    %24 = stablehlo.slice %19 [0:4, 2:3, 0:2, 0:8, 0:4, 0:4] : (tensor<4x3x2x8x4x4xf32>) -> tensor<4x1x2x8x4x4xf32>
    %25 = stablehlo.reshape %24 : (tensor<4x1x2x8x4x4xf32>) -> tensor<4x2x8x4x4xf32>
    %26 = stablehlo.dot_general %21, %23, batching_dims = [0, 1, 3] x [0, 1, 3], contracting_dims = [4] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>) -> tensor<4x2x4x8x8xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x4x8x8xf32>
    %28 = stablehlo.divide %26, %27 : tensor<4x2x4x8x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.maximum across dimensions = [4] : (tensor<4x2x4x8x8xf32>, tensor<f32>) -> tensor<4x2x4x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x2x4x8xf32>
    %31 = stablehlo.maximum %30, %29 : tensor<4x2x4x8xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<4x2x4x8x1xf32>) -> tensor<4x2x4x8x8xf32>
    %34 = stablehlo.subtract %28, %33 : tensor<4x2x4x8x8xf32>
    %35 = stablehlo.exponential %34 : tensor<4x2x4x8x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_7) applies stablehlo.add across dimensions = [4] : (tensor<4x2x4x8x8xf32>, tensor<f32>) -> tensor<4x2x4x8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<4x2x4x8x1xf32>) -> tensor<4x2x4x8x8xf32>
    %39 = stablehlo.divide %35, %38 : tensor<4x2x4x8x8xf32>
    %40 = stablehlo.multiply %37, %37 : tensor<4x2x4x8x1xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2x4x8x1xf32>
    %42 = stablehlo.divide %41, %40 : tensor<4x2x4x8x1xf32>
    %43 = stablehlo.dot_general %25, %39, batching_dims = [0, 1, 3] x [0, 1, 2], contracting_dims = [2] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x4x4xf32>, tensor<4x2x4x8x8xf32>) -> tensor<4x2x4x4x8xf32>
    %44 = stablehlo.dot_general %43, %arg1, batching_dims = [0] x [0], contracting_dims = [3, 2] x [2, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x4x8xf32>, tensor<4x4x4x16xf32>) -> tensor<4x2x8x16xf32>
    %45 = stablehlo.add %2, %44 : tensor<4x2x8x16xf32>
    %46 = stablehlo.multiply %45, %45 : tensor<4x2x8x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x16xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %cst_10 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %50 = stablehlo.divide %48, %49 : tensor<4x2x8x1xf32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %52 = stablehlo.add %50, %51 : tensor<4x2x8x1xf32>
    %53 = stablehlo.rsqrt %52 : tensor<4x2x8x1xf32>
    %54 = stablehlo.divide %53, %52 : tensor<4x2x8x1xf32>
    %cst_12 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %56 = stablehlo.multiply %55, %54 : tensor<4x2x8x1xf32>
    %57 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x16xf32>
    %58 = stablehlo.multiply %45, %57 : tensor<4x2x8x16xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %60 = stablehlo.multiply %58, %59 : tensor<4x2x8x16xf32>
    %61 = stablehlo.dot_general %60, %arg2, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x2x8x32xf32>
    %62 = stablehlo.multiply %61, %61 : tensor<4x2x8x32xf32>
    %63 = stablehlo.multiply %62, %61 : tensor<4x2x8x32xf32>
    %64 = stablehlo.multiply %61, %61 : tensor<4x2x8x32xf32>
    %cst_14 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<4x2x8x32xf32>
    %cst_15 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %68 = stablehlo.multiply %67, %63 : tensor<4x2x8x32xf32>
    %69 = stablehlo.add %61, %68 : tensor<4x2x8x32xf32>
    %cst_16 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %71 = stablehlo.multiply %70, %69 : tensor<4x2x8x32xf32>
    %72 = stablehlo.tanh %71 : tensor<4x2x8x32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %74 = stablehlo.subtract %73, %72 : tensor<4x2x8x32xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %76 = stablehlo.add %75, %72 : tensor<4x2x8x32xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %78 = stablehlo.multiply %77, %76 : tensor<4x2x8x32xf32>
    %79 = stablehlo.multiply %61, %78 : tensor<4x2x8x32xf32>
    %80 = stablehlo.dot_general %79, %arg3, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x32xf32>, tensor<4x32x16xf32>) -> tensor<4x2x8x16xf32>
    %81 = stablehlo.add %45, %80 : tensor<4x2x8x16xf32>
    return %81, %81, %2, %13, %10, %17, %23, %21, %35, %37, %42, %39, %25, %43, %45, %56, %53, %60, %66, %72, %74, %78, %61, %79 : tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x1xf32>, tensor<4x2x4x8x8xf32>, tensor<4x2x8x4x4xf32>, tensor<4x2x4x4x8xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x1xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>, tensor<4x2x8x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<11x4x2x8x16xf32>, %arg1: tensor<4x2x8x16xf32>, %arg2: tensor<i32>) -> tensor<11x4x2x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<4x2x8x16xf32>) -> tensor<1x4x2x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<11x4x2x8x16xf32>, tensor<1x4x2x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<11x4x2x8x16xf32>
    return %1 : tensor<11x4x2x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<11x4x2x8x1xf32>, %arg1: tensor<4x2x8x1xf32>, %arg2: tensor<i32>) -> tensor<11x4x2x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<4x2x8x1xf32>) -> tensor<1x4x2x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<11x4x2x8x1xf32>, tensor<1x4x2x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<11x4x2x8x1xf32>
    return %1 : tensor<11x4x2x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<11x4x2x8x4x4xf32>, %arg1: tensor<4x2x8x4x4xf32>, %arg2: tensor<i32>) -> tensor<11x4x2x8x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<4x2x8x4x4xf32>) -> tensor<1x4x2x8x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<11x4x2x8x4x4xf32>, tensor<1x4x2x8x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<11x4x2x8x4x4xf32>
    return %1 : tensor<11x4x2x8x4x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<11x4x2x4x8x8xf32>, %arg1: tensor<4x2x4x8x8xf32>, %arg2: tensor<i32>) -> tensor<11x4x2x4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<4x2x4x8x8xf32>) -> tensor<1x4x2x4x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<11x4x2x4x8x8xf32>, tensor<1x4x2x4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<11x4x2x4x8x8xf32>
    return %1 : tensor<11x4x2x4x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<11x4x2x4x8x1xf32>, %arg1: tensor<4x2x4x8x1xf32>, %arg2: tensor<i32>) -> tensor<11x4x2x4x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<4x2x4x8x1xf32>) -> tensor<1x4x2x4x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<11x4x2x4x8x1xf32>, tensor<1x4x2x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<11x4x2x4x8x1xf32>
    return %1 : tensor<11x4x2x4x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<11x4x2x4x4x8xf32>, %arg1: tensor<4x2x4x4x8xf32>, %arg2: tensor<i32>) -> tensor<11x4x2x4x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<4x2x4x4x8xf32>) -> tensor<1x4x2x4x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<11x4x2x4x4x8xf32>, tensor<1x4x2x4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<11x4x2x4x4x8xf32>
    return %1 : tensor<11x4x2x4x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<11x4x2x8x32xf32>, %arg1: tensor<4x2x8x32xf32>, %arg2: tensor<i32>) -> tensor<11x4x2x8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<4x2x8x32xf32>) -> tensor<1x4x2x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<11x4x2x8x32xf32>, tensor<1x4x2x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<11x4x2x8x32xf32>
    return %1 : tensor<11x4x2x8x32xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<11x4x2x8x16xf32>, %arg1: tensor<i32>) -> tensor<4x2x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 4, 2, 8, 16] : (tensor<11x4x2x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    return %1 : tensor<4x2x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<11x4x2x8x1xf32>, %arg1: tensor<i32>) -> tensor<4x2x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 4, 2, 8, 1] : (tensor<11x4x2x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x8x1xf32>) -> tensor<4x2x8x1xf32>
    return %1 : tensor<4x2x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_8(%arg0: tensor<11x4x2x8x4x4xf32>, %arg1: tensor<i32>) -> tensor<4x2x8x4x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 4, 2, 8, 4, 4] : (tensor<11x4x2x8x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x8x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x8x4x4xf32>) -> tensor<4x2x8x4x4xf32>
    return %1 : tensor<4x2x8x4x4xf32>
  }
  func.func private @dynamic_index_in_dim_9(%arg0: tensor<11x4x2x4x8x8xf32>, %arg1: tensor<i32>) -> tensor<4x2x4x8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 4, 2, 4, 8, 8] : (tensor<11x4x2x4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x4x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x4x8x8xf32>) -> tensor<4x2x4x8x8xf32>
    return %1 : tensor<4x2x4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_10(%arg0: tensor<11x4x2x4x8x1xf32>, %arg1: tensor<i32>) -> tensor<4x2x4x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 4, 2, 4, 8, 1] : (tensor<11x4x2x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x4x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x4x8x1xf32>) -> tensor<4x2x4x8x1xf32>
    return %1 : tensor<4x2x4x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<11x4x2x4x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x2x4x4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 4, 2, 4, 4, 8] : (tensor<11x4x2x4x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x4x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x4x4x8xf32>) -> tensor<4x2x4x4x8xf32>
    return %1 : tensor<4x2x4x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<11x4x2x8x32xf32>, %arg1: tensor<i32>) -> tensor<4x2x8x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 4, 2, 8, 32] : (tensor<11x4x2x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x8x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x8x32xf32>) -> tensor<4x2x8x32xf32>
    return %1 : tensor<4x2x8x32xf32>
  }
  func.func private @closed_call_13(%arg0: tensor<1x2x8x16xf32>, %arg1: tensor<4x3x16x4x4xf32>, %arg2: tensor<4x4x4x16xf32>, %arg3: tensor<4x16x32xf32>, %arg4: tensor<4x32x16xf32>, %arg5: tensor<4x3x16x4x4xf32>, %arg6: tensor<4x4x4x16xf32>, %arg7: tensor<4x16x32xf32>, %arg8: tensor<4x32x16xf32>, %arg9: tensor<4x2x8x16xf32>, %arg10: tensor<4x2x8x16xf32>, %arg11: tensor<4x2x8x16xf32>, %arg12: tensor<4x2x8x1xf32>, %arg13: tensor<4x2x8x1xf32>, %arg14: tensor<4x2x8x16xf32>, %arg15: tensor<4x2x8x4x4xf32>, %arg16: tensor<4x2x8x4x4xf32>, %arg17: tensor<4x2x4x8x8xf32>, %arg18: tensor<4x2x4x8x1xf32>, %arg19: tensor<4x2x4x8x1xf32>, %arg20: tensor<4x2x4x8x8xf32>, %arg21: tensor<4x2x8x4x4xf32>, %arg22: tensor<4x2x4x4x8xf32>, %arg23: tensor<4x2x8x16xf32>, %arg24: tensor<4x2x8x1xf32>, %arg25: tensor<4x2x8x1xf32>, %arg26: tensor<4x2x8x16xf32>, %arg27: tensor<4x2x8x32xf32>, %arg28: tensor<4x2x8x32xf32>, %arg29: tensor<4x2x8x32xf32>, %arg30: tensor<4x2x8x32xf32>, %arg31: tensor<4x2x8x32xf32>, %arg32: tensor<4x2x8x32xf32>) -> (tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x2x8x16xf32>) {
    %0 = stablehlo.add %arg9, %arg10 : tensor<4x2x8x16xf32>
    %1 = stablehlo.dot_general %0, %arg32, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x16xf32>, tensor<4x2x8x32xf32>) -> tensor<4x16x32xf32>
    %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<4x16x32xf32>) -> tensor<4x32x16xf32>
    %3 = stablehlo.add %arg8, %2 : tensor<4x32x16xf32>
    %4 = stablehlo.dot_general %0, %arg4, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x16xf32>, tensor<4x32x16xf32>) -> tensor<4x2x8x32xf32>
    %5 = stablehlo.multiply %arg31, %4 : tensor<4x2x8x32xf32>
    %6 = stablehlo.multiply %4, %arg30 : tensor<4x2x8x32xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x2x8x32xf32>
    %9 = stablehlo.multiply %8, %arg29 : tensor<4x2x8x32xf32>
    %10 = stablehlo.multiply %9, %arg28 : tensor<4x2x8x32xf32>
    %11 = stablehlo.add %9, %10 : tensor<4x2x8x32xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<4x2x8x32xf32>
    %14 = stablehlo.add %6, %13 : tensor<4x2x8x32xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2x8x32xf32>
    %16 = stablehlo.multiply %15, %13 : tensor<4x2x8x32xf32>
    %17 = stablehlo.multiply %16, %arg27 : tensor<4x2x8x32xf32>
    %18 = stablehlo.add %14, %17 : tensor<4x2x8x32xf32>
    %19 = stablehlo.dot_general %18, %arg26, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x32xf32>, tensor<4x2x8x16xf32>) -> tensor<4x32x16xf32>
    %20 = stablehlo.transpose %19, dims = [0, 2, 1] : (tensor<4x32x16xf32>) -> tensor<4x16x32xf32>
    %21 = stablehlo.add %arg7, %20 : tensor<4x16x32xf32>
    %22 = stablehlo.dot_general %18, %arg3, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x32xf32>, tensor<4x16x32xf32>) -> tensor<4x2x8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<4x2x8x16xf32>
    %25 = stablehlo.multiply %arg23, %24 : tensor<4x2x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x16xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %27 = stablehlo.reshape %26 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %28 = stablehlo.broadcast_in_dim %arg25, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x16xf32>
    %29 = stablehlo.multiply %24, %28 : tensor<4x2x8x16xf32>
    %30 = stablehlo.add %0, %29 : tensor<4x2x8x16xf32>
    %31 = stablehlo.multiply %27, %arg24 : tensor<4x2x8x1xf32>
    %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %33 = stablehlo.divide %31, %32 : tensor<4x2x8x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x16xf32>
    %36 = stablehlo.multiply %arg23, %35 : tensor<4x2x8x16xf32>
    %37 = stablehlo.add %30, %36 : tensor<4x2x8x16xf32>
    %38 = stablehlo.multiply %35, %arg23 : tensor<4x2x8x16xf32>
    %39 = stablehlo.add %37, %38 : tensor<4x2x8x16xf32>
    %40 = stablehlo.dot_general %39, %arg22, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 4], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x16xf32>, tensor<4x2x4x4x8xf32>) -> tensor<4x16x4x4xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 3, 1] : (tensor<4x16x4x4xf32>) -> tensor<4x4x4x16xf32>
    %42 = stablehlo.add %arg6, %41 : tensor<4x4x4x16xf32>
    %43 = stablehlo.dot_general %39, %arg2, batching_dims = [0] x [0], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x16xf32>, tensor<4x4x4x16xf32>) -> tensor<4x2x8x4x4xf32>
    %44 = stablehlo.transpose %43, dims = [0, 1, 3, 4, 2] : (tensor<4x2x8x4x4xf32>) -> tensor<4x2x4x4x8xf32>
    %45 = stablehlo.dot_general %44, %arg21, batching_dims = [0, 1, 2] x [0, 1, 3], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x4x8xf32>, tensor<4x2x8x4x4xf32>) -> tensor<4x2x4x8x8xf32>
    %46 = stablehlo.dot_general %44, %arg20, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x4x8xf32>, tensor<4x2x4x8x8xf32>) -> tensor<4x2x4x4x8xf32>
    %47 = stablehlo.transpose %46, dims = [0, 1, 4, 2, 3] : (tensor<4x2x4x4x8xf32>) -> tensor<4x2x8x4x4xf32>
    %48 = stablehlo.broadcast_in_dim %arg19, dims = [0, 1, 2, 3, 4] : (tensor<4x2x4x8x1xf32>) -> tensor<4x2x4x8x8xf32>
    %49 = stablehlo.multiply %45, %48 : tensor<4x2x4x8x8xf32>
    %50 = stablehlo.multiply %49, %arg17 : tensor<4x2x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<4x2x4x8x8xf32>, tensor<f32>) -> tensor<4x2x4x8xf32>
    %52 = stablehlo.reshape %51 : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8x1xf32>
    %53 = stablehlo.negate %52 : tensor<4x2x4x8x1xf32>
    %54 = stablehlo.broadcast_in_dim %arg18, dims = [0, 1, 2, 3, 4] : (tensor<4x2x4x8x1xf32>) -> tensor<4x2x4x8x8xf32>
    %55 = stablehlo.divide %45, %54 : tensor<4x2x4x8x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%53 init: %cst_7) applies stablehlo.add across dimensions = [4] : (tensor<4x2x4x8x1xf32>, tensor<f32>) -> tensor<4x2x4x8xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8x8xf32>
    %58 = stablehlo.add %55, %57 : tensor<4x2x4x8x8xf32>
    %59 = stablehlo.multiply %58, %arg17 : tensor<4x2x4x8x8xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2x4x8x8xf32>
    %61 = stablehlo.divide %59, %60 : tensor<4x2x4x8x8xf32>
    %62 = stablehlo.dot_general %61, %arg16, batching_dims = [0, 1, 2] x [0, 1, 3], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x8x8xf32>, tensor<4x2x8x4x4xf32>) -> tensor<4x2x4x8x4xf32>
    %63 = stablehlo.transpose %62, dims = [0, 1, 3, 2, 4] : (tensor<4x2x4x8x4xf32>) -> tensor<4x2x8x4x4xf32>
    %64 = stablehlo.dot_general %61, %arg15, batching_dims = [0, 1, 2] x [0, 1, 3], contracting_dims = [4] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x8x8xf32>, tensor<4x2x8x4x4xf32>) -> tensor<4x2x4x8x4xf32>
    %65 = stablehlo.transpose %64, dims = [0, 1, 3, 2, 4] : (tensor<4x2x4x8x4xf32>) -> tensor<4x2x8x4x4xf32>
    %66 = stablehlo.broadcast_in_dim %47, dims = [0, 2, 3, 4, 5] : (tensor<4x2x8x4x4xf32>) -> tensor<4x1x2x8x4x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.pad %66, %cst_9, low = [0, 2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0, 0] : (tensor<4x1x2x8x4x4xf32>, tensor<f32>) -> tensor<4x3x2x8x4x4xf32>
    %68 = stablehlo.broadcast_in_dim %63, dims = [0, 2, 3, 4, 5] : (tensor<4x2x8x4x4xf32>) -> tensor<4x1x2x8x4x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.pad %68, %cst_10, low = [0, 1, 0, 0, 0, 0], high = [0, 1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0, 0] : (tensor<4x1x2x8x4x4xf32>, tensor<f32>) -> tensor<4x3x2x8x4x4xf32>
    %70 = stablehlo.add %67, %69 : tensor<4x3x2x8x4x4xf32>
    %71 = stablehlo.broadcast_in_dim %65, dims = [0, 2, 3, 4, 5] : (tensor<4x2x8x4x4xf32>) -> tensor<4x1x2x8x4x4xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.pad %71, %cst_11, low = [0, 0, 0, 0, 0, 0], high = [0, 2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0, 0] : (tensor<4x1x2x8x4x4xf32>, tensor<f32>) -> tensor<4x3x2x8x4x4xf32>
    %73 = stablehlo.add %70, %72 : tensor<4x3x2x8x4x4xf32>
    %74 = stablehlo.transpose %73, dims = [0, 1, 4, 5, 2, 3] : (tensor<4x3x2x8x4x4xf32>) -> tensor<4x3x4x4x2x8xf32>
    %75 = stablehlo.dot_general %74, %arg1, batching_dims = [0] x [0], contracting_dims = [1, 2, 3] x [1, 3, 4], precision = [DEFAULT, DEFAULT] : (tensor<4x3x4x4x2x8xf32>, tensor<4x3x16x4x4xf32>) -> tensor<4x2x8x16xf32>
    %76 = stablehlo.dot_general %74, %arg14, batching_dims = [0] x [0], contracting_dims = [4, 5] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x3x4x4x2x8xf32>, tensor<4x2x8x16xf32>) -> tensor<4x3x4x4x16xf32>
    %77 = stablehlo.transpose %76, dims = [0, 1, 4, 2, 3] : (tensor<4x3x4x4x16xf32>) -> tensor<4x3x16x4x4xf32>
    %78 = stablehlo.add %arg5, %77 : tensor<4x3x16x4x4xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %80 = stablehlo.multiply %75, %79 : tensor<4x2x8x16xf32>
    %81 = stablehlo.multiply %arg11, %80 : tensor<4x2x8x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x16xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %83 = stablehlo.reshape %82 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %84 = stablehlo.broadcast_in_dim %arg13, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x16xf32>
    %85 = stablehlo.multiply %80, %84 : tensor<4x2x8x16xf32>
    %86 = stablehlo.add %39, %85 : tensor<4x2x8x16xf32>
    %87 = stablehlo.multiply %83, %arg12 : tensor<4x2x8x1xf32>
    %cst_14 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %89 = stablehlo.divide %87, %88 : tensor<4x2x8x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%89 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x16xf32>
    %92 = stablehlo.multiply %arg11, %91 : tensor<4x2x8x16xf32>
    %93 = stablehlo.add %86, %92 : tensor<4x2x8x16xf32>
    %94 = stablehlo.multiply %91, %arg11 : tensor<4x2x8x16xf32>
    %95 = stablehlo.add %93, %94 : tensor<4x2x8x16xf32>
    %96 = stablehlo.slice %95 [0:1, 0:2, 0:8, 0:16] : (tensor<4x2x8x16xf32>) -> tensor<1x2x8x16xf32>
    %97 = stablehlo.slice %95 [1:4, 0:2, 0:8, 0:16] : (tensor<4x2x8x16xf32>) -> tensor<3x2x8x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.pad %97, %cst_16, low = [0, 0, 0, 0], high = [1, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<3x2x8x16xf32>, tensor<f32>) -> tensor<4x2x8x16xf32>
    return %78, %42, %21, %3, %98 : tensor<4x3x16x4x4xf32>, tensor<4x4x4x16xf32>, tensor<4x16x32xf32>, tensor<4x32x16xf32>, tensor<4x2x8x16xf32>
  }
}
