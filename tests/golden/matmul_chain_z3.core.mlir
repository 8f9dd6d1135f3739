module @jit__lambda {
  func.func public @main(%arg0: tensor<256x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<16x8xf32>) -> (tensor<256x8xf32> {jax.result_info = "result"}) {
    %0 = loop "batch" [#tile<0>] (%1: range<4>) {
      %2 = slice 0 %arg0[%1] : tensor<256x8xf32> -> tensor<64x8xf32>
      yield %2 : tensor<64x8xf32>
    } : tensor<256x8xf32>
    %3 = loop "model" [#tile<1>] (%4: range<2>) {
      %5 = slice 1 %arg1[%4] : tensor<8x16xf32> -> tensor<8x8xf32>
      %6 = loop "batch" [#tile<0>] (%7: range<4>) {
        %8 = slice 0 %5[%7] : tensor<8x8xf32> -> tensor<2x8xf32>
        yield %8 : tensor<2x8xf32>
      } : tensor<8x8xf32>
      yield %6 : tensor<8x8xf32>
    } : tensor<8x16xf32>
    %9 = loop "model" [#tile<0>] (%10: range<2>) {
      %11 = slice 0 %arg2[%10] : tensor<16x8xf32> -> tensor<8x8xf32>
      %12 = loop "batch" [#tile<1>] (%13: range<4>) {
        %14 = slice 1 %11[%13] : tensor<8x8xf32> -> tensor<8x2xf32>
        yield %14 : tensor<8x2xf32>
      } : tensor<8x8xf32>
      yield %12 : tensor<8x8xf32>
    } : tensor<16x8xf32>
    %15 = loop "batch" [#tile<0>] (%16: range<4>) {
      %17 = slice 0 %0[%16] : tensor<256x8xf32> -> tensor<64x8xf32>
      %18 = loop "model" [#tile<1>] (%19: range<2>) {
        %20 = slice 1 %3[%19] : tensor<8x16xf32> -> tensor<8x8xf32>
        %21 = stablehlo.dot_general %17, %20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
        yield %21 : tensor<64x8xf32>
      } : tensor<64x16xf32>
      yield %18 : tensor<64x16xf32>
    } : tensor<256x16xf32>
    %22 = loop "batch" [#tile<0>] (%23: range<4>) {
      %24 = slice 0 %15[%23] : tensor<256x16xf32> -> tensor<64x16xf32>
      %25 = loop "model" [#sum] (%26: range<2>) {
        %27 = slice 1 %24[%26] : tensor<64x16xf32> -> tensor<64x8xf32>
        %28 = slice 0 %9[%26] : tensor<16x8xf32> -> tensor<8x8xf32>
        %29 = stablehlo.dot_general %27, %28, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
        yield %29 : tensor<64x8xf32>
      } : tensor<64x8xf32>
      yield %25 : tensor<64x8xf32>
    } : tensor<256x8xf32>
    return %22 : tensor<256x8xf32>
  }
}
