// Combiners that capture scalars from outside, as MLIR's canonicalisation leaves them; the reader copies the constants
// in.
module @captured_constants {
  func.func @main() {
    %x = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %minus = stablehlo.constant dense<-1> : tensor<i32>
    %most = stablehlo.constant dense<4> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %sorted = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %p = stablehlo.multiply %a, %minus : tensor<i32>
      %q = stablehlo.multiply %b, %minus : tensor<i32>
      %r = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<3xi32>) -> tensor<3xi32>
    check.expect_eq_const %sorted, dense<[3, 2, 1]> : tensor<3xi32>
    %sum = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %p = stablehlo.add %a, %b : tensor<i32>
      %m = stablehlo.minimum %p, %most : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    check.expect_eq_const %sum, dense<4> : tensor<i32>
    %at = stablehlo.constant dense<[[1]]> : tensor<1x1xi32>
    %update = stablehlo.constant dense<[5]> : tensor<1xi32>
    %scattered = "stablehlo.scatter"(%x, %at, %update) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %p = stablehlo.multiply %b, %two : tensor<i32>
      %q = stablehlo.add %a, %p : tensor<i32>
      stablehlo.return %q : tensor<i32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3xi32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<3xi32>
    check.expect_eq_const %scattered, dense<[3, 11, 2]> : tensor<3xi32>
    %mapped = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<i32>):
      %p = stablehlo.multiply %a, %two : tensor<i32>
      stablehlo.return %p : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xi32>
    check.expect_eq_const %mapped, dense<[6, 2, 4]> : tensor<3xi32>
    // Captured from outside a loop twice: in its body, and in a combiner there.
    %looped:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<3xi32>
     cond {
      %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.add %i, %one : tensor<i32>
      %t = "stablehlo.map"(%s) ({
      ^bb0(%a: tensor<i32>):
        %p = stablehlo.multiply %a, %two : tensor<i32>
        %q = stablehlo.add %p, %minus : tensor<i32>
        stablehlo.return %q : tensor<i32>
      }) {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xi32>
      stablehlo.return %n, %t : tensor<i32>, tensor<3xi32>
    }
    check.expect_eq_const %looped#1, dense<[9, 1, 5]> : tensor<3xi32>
    return
  }
}
