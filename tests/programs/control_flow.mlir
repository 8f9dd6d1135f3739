// while, if, case, optimization_barrier, composites and calls.
func.func @while_that_counts() {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.while(%a = %i, %b = %s) : tensor<i32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %0 = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %a, %one : tensor<i32>
    %1 = stablehlo.add %b, %b : tensor<f32>
    stablehlo.return %0, %1 : tensor<i32>, tensor<f32>
  }
  check.expect_eq_const %r#0, dense<5> : tensor<i32>
  check.expect_eq_const %r#1, dense<32.0> : tensor<f32>
  return
}

func.func @while_that_never_runs_and_one_that_swaps() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.constant dense<2> : tensor<i32>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r:2 = stablehlo.while(%a = %f, %b = %x) : tensor<i1>, tensor<i32>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    stablehlo.return %a, %y : tensor<i1>, tensor<i32>
  }
  check.expect_eq_const %r#1, dense<1> : tensor<i32>
  %s:3 = stablehlo.while(%go = %t, %a = %x, %b = %y) : tensor<i1>, tensor<i32>, tensor<i32>
  cond {
    stablehlo.return %go : tensor<i1>
  } do {
    stablehlo.return %f, %b, %a : tensor<i1>, tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %s#1, dense<2> : tensor<i32>
  check.expect_eq_const %s#2, dense<1> : tensor<i32>
  return
}

// sums i * j over j < i < 4
func.func @nested_whiles() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %in:2 = stablehlo.while(%j = %zero, %u = %s) : tensor<i32>, tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.multiply %i, %j : tensor<i32>
      %1 = stablehlo.add %u, %0 : tensor<i32>
      %2 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<i32>
    }
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %in#1 : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %r#1, dense<11> : tensor<i32>
  return
}

func.func @if_chooses() {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.constant dense<2> : tensor<i32>
  %a = "stablehlo.if"(%t) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %y : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %b:2 = "stablehlo.if"(%f) ({
    stablehlo.return %x, %x : tensor<i32>, tensor<i32>
  }, {
    %0 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %0, %y : tensor<i32>, tensor<i32>
  }) : (tensor<i1>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %a, dense<1> : tensor<i32>
  check.expect_eq_const %b#0, dense<3> : tensor<i32>
  check.expect_eq_const %b#1, dense<2> : tensor<i32>
  return
}

func.func @case_outside_takes_the_last_branch() {
  %x = stablehlo.constant dense<10> : tensor<i32>
  %y = stablehlo.constant dense<20> : tensor<i32>
  %z = stablehlo.constant dense<30> : tensor<i32>
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %j = stablehlo.constant dense<3> : tensor<i32>
  %k = stablehlo.constant dense<1> : tensor<i32>
  %a = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %y : tensor<i32>
  }, {
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %b = "stablehlo.case"(%j) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %y : tensor<i32>
  }, {
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %c = "stablehlo.case"(%k) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %y : tensor<i32>
  }, {
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %a, dense<30> : tensor<i32>
  check.expect_eq_const %b, dense<30> : tensor<i32>
  check.expect_eq_const %c, dense<20> : tensor<i32>
  return
}

func.func @optimization_barrier_gives_back_what_it_takes() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<3.0> : tensor<f32>
  %r:2 = stablehlo.optimization_barrier %x, %y : tensor<2xi32>, tensor<f32>
  check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<3.0> : tensor<f32>
  return
}

// -----

func.func @main() {
  %x = stablehlo.constant dense<3> : tensor<i32>
  %y = stablehlo.constant dense<4> : tensor<i32>
  %a = stablehlo.composite "mine.multiply_add" %x, %y {composite_attributes = {k = 2 : i32}, decomposition = @multiply_add, version = 1 : i32} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %a, dense<15> : tensor<i32>
  %b:2 = func.call @both(%x, %y) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %b#0, dense<15> : tensor<i32>
  check.expect_eq_const %b#1, dense<16> : tensor<i32>
  %c = stablehlo.custom_call @Sharding(%a) {backend_config = ""} : (tensor<i32>) -> tensor<i32>
  stablehlo.custom_call @check.eq(%c, %b#0) : (tensor<i32>, tensor<i32>) -> ()
  return
}
func.func private @multiply_add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.multiply %a, %b : tensor<i32>
  %1 = stablehlo.add %0, %a : tensor<i32>
  return %1 : tensor<i32>
}
func.func private @both(%a: tensor<i32>, %b: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0 = func.call @multiply_add(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %1 = func.call @multiply_add(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}
