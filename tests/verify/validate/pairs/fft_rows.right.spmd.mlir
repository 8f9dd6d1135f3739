// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<4x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) {
    %1 = func.call @fft(%arg1) : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
    %2 = stablehlo.abs %1 : (tensor<4x3xcomplex<f32>>) -> tensor<4x3xf32>
    return %2 : tensor<4x3xf32>
  }
  func.func private @fft(%arg0: tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
    return %0 : tensor<4x3xcomplex<f32>>
  }
}
