func.func @main() -> tensor<f32> {
  %a = stablehlo.constant dense<"0x00010001"> : tensor<4xi1>
  %b = stablehlo.constant dense<[(1.0,2.0), (0.5,-0.0)]> : tensor<2xcomplex<f32>>
  %c = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf16>
  %d = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %e = stablehlo.constant dense<> : tensor<0x4xf64>
  %f = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %g = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %h = stablehlo.constant dense<-9223372036854775808> : tensor<2xi64>
  %i = stablehlo.constant dense<0x3F> : tensor<2xf8E4M3FN>
  %j = stablehlo.constant dense<3.25> : tensor<1125899906842624xf32>
  %k = stablehlo.constant dense_resource<r> : tensor<2xf32>
  %l = stablehlo.constant dense<2.0> : tensor<f32>
  return %l : tensor<f32>
}
