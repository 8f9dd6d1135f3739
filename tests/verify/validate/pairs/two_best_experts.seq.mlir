module @jit_experts attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3x2xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<4x2x2xf32>) -> (tensor<4x3x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3x2xf32>, tensor<2x4xf32>) -> tensor<4x3x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x3xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<4x3xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x3xf32>) -> tensor<4x3x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x3x1xf32>) -> tensor<4x3x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<4x3x4xf32>
    %7 = stablehlo.exponential %6 : tensor<4x3x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x3xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x3xf32>) -> tensor<4x3x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x3x1xf32>) -> tensor<4x3x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<4x3x4xf32>
    %12 = call @argmax(%11) : (tensor<4x3x4xf32>) -> tensor<4x3xi32>
    %13 = call @_one_hot(%12) : (tensor<4x3xi32>) -> tensor<4x3x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3x4xf32>
    %15 = stablehlo.compare GT, %13, %14, FLOAT : (tensor<4x3x4xf32>, tensor<4x3x4xf32>) -> tensor<4x3x4xi1>
    %cst_3 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %16 = call @_where(%15, %cst_3, %11) : (tensor<4x3x4xi1>, tensor<f32>, tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
    %17 = call @argmax(%16) : (tensor<4x3x4xf32>) -> tensor<4x3xi32>
    %18 = call @_one_hot(%17) : (tensor<4x3xi32>) -> tensor<4x3x4xf32>
    %19 = call @cumsum(%13) : (tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
    %20 = stablehlo.subtract %19, %13 : tensor<4x3x4xf32>
    %21 = call @cumsum(%18) : (tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
    %22 = stablehlo.subtract %21, %18 : tensor<4x3x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%13 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 2] : (tensor<4x4xf32>) -> tensor<4x1x4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<4x1x4xf32>) -> tensor<4x3x4xf32>
    %26 = stablehlo.add %22, %25 : tensor<4x3x4xf32>
    %27 = stablehlo.multiply %11, %13 : tensor<4x3x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x3xf32>
    %29 = stablehlo.multiply %11, %18 : tensor<4x3x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x3xf32>
    %31 = stablehlo.multiply %20, %13 : tensor<4x3x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x3xf32>
    %33 = stablehlo.convert %32 : (tensor<4x3xf32>) -> tensor<4x3xi32>
    %34 = call @_one_hot_1(%33) : (tensor<4x3xi32>) -> tensor<4x3x2xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 3] : (tensor<4x3x2xf32>) -> tensor<4x3x1x2xf32>
    %36 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<4x3x4xf32>) -> tensor<4x3x4x1xf32>
    %37 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<4x3x1x2xf32>) -> tensor<4x3x4x2xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<4x3x4x1xf32>) -> tensor<4x3x4x2xf32>
    %39 = stablehlo.multiply %37, %38 : tensor<4x3x4x2xf32>
    %40 = stablehlo.multiply %26, %18 : tensor<4x3x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x3xf32>
    %42 = stablehlo.convert %41 : (tensor<4x3xf32>) -> tensor<4x3xi32>
    %43 = call @_one_hot_1(%42) : (tensor<4x3xi32>) -> tensor<4x3x2xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 3] : (tensor<4x3x2xf32>) -> tensor<4x3x1x2xf32>
    %45 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x3x4xf32>) -> tensor<4x3x4x1xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<4x3x1x2xf32>) -> tensor<4x3x4x2xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<4x3x4x1xf32>) -> tensor<4x3x4x2xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<4x3x4x2xf32>
    %49 = stablehlo.add %39, %48 : tensor<4x3x4x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %51 = stablehlo.add %50, %28 : tensor<4x3xf32>
    %52 = stablehlo.add %51, %30 : tensor<4x3xf32>
    %53 = stablehlo.divide %28, %52 : tensor<4x3xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<4x3xf32>) -> tensor<4x3x1x1xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3] : (tensor<4x3x1x1xf32>) -> tensor<4x3x4x2xf32>
    %56 = stablehlo.multiply %55, %39 : tensor<4x3x4x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x3x4x2xf32>
    %58 = stablehlo.add %57, %56 : tensor<4x3x4x2xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %60 = stablehlo.add %59, %28 : tensor<4x3xf32>
    %61 = stablehlo.add %60, %30 : tensor<4x3xf32>
    %62 = stablehlo.divide %30, %61 : tensor<4x3xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<4x3xf32>) -> tensor<4x3x1x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<4x3x1x1xf32>) -> tensor<4x3x4x2xf32>
    %65 = stablehlo.multiply %64, %48 : tensor<4x3x4x2xf32>
    %66 = stablehlo.add %58, %65 : tensor<4x3x4x2xf32>
    %67 = stablehlo.dot_general %arg0, %49, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x3x2xf32>, tensor<4x3x4x2xf32>) -> tensor<4x2x4x2xf32>
    %68 = stablehlo.transpose %67, dims = [2, 0, 3, 1] : (tensor<4x2x4x2xf32>) -> tensor<4x4x2x2xf32>
    %69 = stablehlo.dot_general %68, %arg2, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x2x2xf32>, tensor<4x2x2xf32>) -> tensor<4x4x2x2xf32>
    %70 = call @relu(%69) : (tensor<4x4x2x2xf32>) -> tensor<4x4x2x2xf32>
    %71 = stablehlo.dot_general %66, %70, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x3x4x2xf32>, tensor<4x4x2x2xf32>) -> tensor<4x3x2xf32>
    return %71 : tensor<4x3x2xf32>
  }
  func.func private @argmax(%arg0: tensor<4x3x4xf32>) -> tensor<4x3xi32> {
    %0 = stablehlo.iota dim = 2 : tensor<4x3x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<4x3x4xf32>, tensor<4x3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
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
    return %1#1 : tensor<4x3xi32>
  }
  func.func private @_one_hot(%arg0: tensor<4x3xi32>) -> tensor<4x3x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<4x3x1xi32>) -> tensor<4x3x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x4xi32>) -> tensor<4x3x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x3x4xi32>, tensor<4x3x4xi32>) -> tensor<4x3x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x3x4xi1>) -> tensor<4x3x4xf32>
    return %5 : tensor<4x3x4xf32>
  }
  func.func private @_where(%arg0: tensor<4x3x4xi1>, %arg1: tensor<f32>, %arg2: tensor<4x3x4xf32>) -> tensor<4x3x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x3x4xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<4x3x4xi1>, tensor<4x3x4xf32>
    return %2 : tensor<4x3x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x3x4xf32>) -> tensor<4x3x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
    return %0 : tensor<4x3x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4x3x4xf32>) -> tensor<4x3x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [2, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x3x4xf32>, tensor<f32>) -> tensor<4x3x4xf32>
    return %1 : tensor<4x3x4xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<4x3xi32>) -> tensor<4x3x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x2xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x2xi32>) -> tensor<4x3x2xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x3x2xi32>, tensor<4x3x2xi32>) -> tensor<4x3x2xi1>
    %5 = stablehlo.convert %4 : (tensor<4x3x2xi1>) -> tensor<4x3x2xf32>
    return %5 : tensor<4x3x2xf32>
  }
  func.func private @relu(%arg0: tensor<4x4x2x2xf32>) -> tensor<4x4x2x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x2x2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x4x2x2xf32>
    return %1 : tensor<4x4x2x2xf32>
  }
}
