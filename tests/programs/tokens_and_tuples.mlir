// Tokens order operations with effects; tuples hold values of several types.
func.func @tuples() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<1.5> : tensor<f32>
  %inner = stablehlo.tuple %y, %x : tuple<tensor<f32>, tensor<2xi32>>
  %t = stablehlo.tuple %x, %inner : tuple<tensor<2xi32>, tuple<tensor<f32>, tensor<2xi32>>>
  %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi32>, tuple<tensor<f32>, tensor<2xi32>>>) -> tensor<2xi32>
  %b = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi32>, tuple<tensor<f32>, tensor<2xi32>>>) -> tuple<tensor<f32>, tensor<2xi32>>
  %c = stablehlo.get_tuple_element %b[0] : (tuple<tensor<f32>, tensor<2xi32>>) -> tensor<f32>
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %c, dense<1.5> : tensor<f32>
  return
}

func.func @tokens() {
  %a = stablehlo.create_token : !stablehlo.token
  %b = stablehlo.after_all : !stablehlo.token
  %c = stablehlo.after_all %a, %b : !stablehlo.token
  %x = stablehlo.constant dense<1> : tensor<i32>
  %t = "stablehlo.outfeed"(%x, %c) {outfeed_config = ""} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %r:2 = stablehlo.optimization_barrier %x, %t : tensor<i32>, !stablehlo.token
  check.expect_eq_const %r#0, dense<1> : tensor<i32>
  return
}

func.func @probes_count_their_visits() {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.while(%a = %i) : tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %a, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0 = stablehlo.add %a, %one : tensor<i32>
    %1 = interpreter.probe %0, probe_id = "counter" : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  check.expect_serialized_eq %one, probe_id = "counter", iter = 0 : tensor<i32>
  check.expect_serialized_eq %two, probe_id = "counter", iter = 1 : tensor<i32>
  return
}
