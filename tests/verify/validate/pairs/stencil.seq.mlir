module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<4x6xf32>, tensor<i32>) -> tensor<6x8xf32>
    %1 = stablehlo.slice %0 [0:4, 0:6] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<4x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %5 = stablehlo.add %4, %3 : tensor<4x6xf32>
    %6 = stablehlo.slice %0 [0:4, 1:7] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<4x6xf32>
    %9 = stablehlo.add %5, %8 : tensor<4x6xf32>
    %10 = stablehlo.slice %0 [0:4, 2:8] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_2 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<4x6xf32>
    %13 = stablehlo.add %9, %12 : tensor<4x6xf32>
    %14 = stablehlo.slice %0 [1:5, 0:6] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<4x6xf32>
    %17 = stablehlo.add %13, %16 : tensor<4x6xf32>
    %18 = stablehlo.slice %0 [1:5, 1:7] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_4 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<4x6xf32>
    %21 = stablehlo.add %17, %20 : tensor<4x6xf32>
    %22 = stablehlo.slice %0 [1:5, 2:8] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<4x6xf32>
    %25 = stablehlo.add %21, %24 : tensor<4x6xf32>
    %26 = stablehlo.slice %0 [2:6, 0:6] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_6 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<4x6xf32>
    %29 = stablehlo.add %25, %28 : tensor<4x6xf32>
    %30 = stablehlo.slice %0 [2:6, 1:7] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<4x6xf32>
    %33 = stablehlo.add %29, %32 : tensor<4x6xf32>
    %34 = stablehlo.slice %0 [2:6, 2:8] : (tensor<6x8xf32>) -> tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<4x6xf32>
    %37 = stablehlo.add %33, %36 : tensor<4x6xf32>
    return %37 : tensor<4x6xf32>
  }
  func.func private @_pad(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>) -> tensor<6x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6x8xf32>
    return %1 : tensor<6x8xf32>
  }
}
