module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xf32>, %arg1: tensor<4x8x3xf32>) -> (tensor<3x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %arg0, %iterArg_2 = %c, %iterArg_3 = %0) : tensor<4x8x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3x2xf32>
    cond {
      %c_4 = stablehlo.constant dense<4> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_2, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<4x8x3xf32>, tensor<i32>) -> tensor<8x3xf32>
      %5 = func.call @closed_call(%iterArg_1, %iterArg_3, %4) : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<8x3xf32>) -> tensor<3x2xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_2, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %6, %5 : tensor<4x8x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3x2xf32>
    }
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %3 = stablehlo.divide %1#3, %2 : tensor<3x2xf32>
    return %3 : tensor<3x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x8x3xf32>, %arg1: tensor<i32>) -> tensor<8x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 3] : (tensor<4x8x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
    return %1 : tensor<8x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x2xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<8x3xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
    %1 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf32>, tensor<3x2xf32>) -> tensor<8x2xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x8xf32>, tensor<8x2xf32>) -> tensor<3x2xf32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x2xf32>
    return %3 : tensor<3x2xf32>
  }
}
