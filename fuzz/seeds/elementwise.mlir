#loc1 = loc("x")
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32> {tf.aliasing_output = 0 : i32} loc("x"), %arg1: tensor<2x3xi1>) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[1.0, -0.0, 0x7F800000], [2.5e-3, 4.0, 5.0]]> : tensor<2x3xf32> loc(#loc1)
    %0 = stablehlo.add %arg0, %cst : tensor<2x3xf32> loc("add"("f.py":1:2))
    %1 = stablehlo.compare GT, %0, %cst, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %2 = stablehlo.select %1, %0, %cst : tensor<2x3xi1>, tensor<2x3xf32>
    %3 = stablehlo.clamp %cst, %2, %0 : tensor<2x3xf32>
    %4 = stablehlo.convert %3 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
    %5 = stablehlo.convert %4 : (tensor<2x3xbf16>) -> tensor<2x3xf32>
    %6 = chlo.erf %5 : tensor<2x3xf32> -> tensor<2x3xf32>
    %7 = stablehlo.reduce_precision %6, format = e8m7 : tensor<2x3xf32>
    return %7 : tensor<2x3xf32> loc(unknown)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
