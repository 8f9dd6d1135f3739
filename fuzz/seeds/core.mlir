func.func @main(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = loop "B" [#tile<0>] (%r: range<4>) {
    %1 = slice 0 %arg0[%r] : tensor<8x4xf32> -> tensor<2x4xf32>
    %3 = stablehlo.sine %1 : tensor<2x4xf32>
    yield %3 : tensor<2x4xf32>
  } : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
