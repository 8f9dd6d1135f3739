module {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<8x16xf32>) {
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.iota dim = 1 : tensor<8x16xi32>
    %2:2 = stablehlo.reduce(%arg0 init: %cst), (%1 init: %c) across dimensions = [1] : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<i32>, %e: tensor<i32>)  {
      %9 = stablehlo.maximum %a, %b : tensor<f32>
      %10 = stablehlo.minimum %d, %e : tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    %3:2 = stablehlo.while(%i = %c, %x = %arg0) : tensor<i32>, tensor<8x16xf32>
    cond {
      %9 = stablehlo.compare LT, %i, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @f(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
      stablehlo.return %i, %9 : tensor<i32>, tensor<8x16xf32>
    }
    %4 = "stablehlo.case"(%arg1) ({
      stablehlo.return %2#0 : tensor<8xf32>
    }, {
      stablehlo.return %0 : tensor<8xf32>
    }) : (tensor<i32>) -> tensor<8xf32>
    %5 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %4, %5 : tensor<8xf32>, tensor<8x16xf32>
  }
  func.func private @f(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = call @g(%arg0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
  func.func private @g(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    return %arg0 : tensor<8x16xf32>
  }
}
