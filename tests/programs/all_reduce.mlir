// The three readings of replica groups on 2 replicas of 2 partitions. The devices (0, 0), (0, 1), (1, 0) and (1, 1)
// hold 1, 10, 100 and 1000, so that a sum shows which of them took part.
module @replicas_of_each_partition {
  func.func @main() {
    %x:4 = func.call @inputs() : () -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    %r:4 = "interpreter.run_parallel"(%x#0, %x#1, %x#2, %x#3) {programs = [[@f, @f], [@f, @f]]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<101> : tensor<i32>
    check.expect_eq_const %r#1, dense<1010> : tensor<i32>
    check.expect_eq_const %r#2, dense<101> : tensor<i32>
    check.expect_eq_const %r#3, dense<1010> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>) -> tensor<i32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>
  }
  func.func private @inputs() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.constant dense<100> : tensor<i32>
    %d = stablehlo.constant dense<1000> : tensor<i32>
    return %a, %b, %c, %d : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
}

// -----

module @partitions_of_the_replicas_of_a_group {
  func.func @main() {
    %x:4 = func.call @inputs() : () -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    %r:4 = "interpreter.run_parallel"(%x#0, %x#1, %x#2, %x#3) {programs = [[@f, @f], [@f, @f]]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<11> : tensor<i32>
    check.expect_eq_const %r#1, dense<11> : tensor<i32>
    check.expect_eq_const %r#2, dense<1100> : tensor<i32>
    check.expect_eq_const %r#3, dense<1100> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>) -> tensor<i32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>
  }
  func.func private @inputs() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.constant dense<100> : tensor<i32>
    %d = stablehlo.constant dense<1000> : tensor<i32>
    return %a, %b, %c, %d : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
}

// -----

module @flattened_ids {
  func.func @main() {
    %x:4 = func.call @inputs() : () -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    %r:4 = "interpreter.run_parallel"(%x#0, %x#1, %x#2, %x#3) {programs = [[@f, @f], [@f, @f]]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<1001> : tensor<i32>
    check.expect_eq_const %r#1, dense<110> : tensor<i32>
    check.expect_eq_const %r#2, dense<110> : tensor<i32>
    check.expect_eq_const %r#3, dense<1001> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>) -> tensor<i32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids} : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>
  }
  func.func private @inputs() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.constant dense<100> : tensor<i32>
    %d = stablehlo.constant dense<1000> : tensor<i32>
    return %a, %b, %c, %d : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
}

// -----

module @groups_of_several_sizes { // -1 fills up the shorter ones
  func.func @main() {
    %x:4 = func.call @inputs() : () -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    %r:4 = "interpreter.run_parallel"(%x#0, %x#1, %x#2, %x#3) {programs = [[@f, @f], [@f, @f]]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<1011> : tensor<i32>
    check.expect_eq_const %r#1, dense<1011> : tensor<i32>
    check.expect_eq_const %r#2, dense<100> : tensor<i32>
    check.expect_eq_const %r#3, dense<1011> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>) -> tensor<i32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[3, 0, 1], [2, -1, -1]]> : tensor<2x3xi64>, use_global_device_ids} : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>
  }
  func.func private @inputs() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.constant dense<100> : tensor<i32>
    %d = stablehlo.constant dense<1000> : tensor<i32>
    return %a, %b, %c, %d : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
}

// -----

module @several_results {
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
    %d = stablehlo.constant dense<30> : tensor<i32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@f], [@f]]} : (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<[11, 22]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<33> : tensor<i32>
    check.expect_eq_const %r#2, dense<[11, 22]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<33> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<2xi32>, %y: tensor<i32>) -> (tensor<2xi32>, tensor<i32>) {
    %r:2 = "stablehlo.all_reduce"(%x, %y) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
    return %r#0, %r#1 : tensor<2xi32>, tensor<i32>
  }
}

// -----

module @reduce_scatter_in_the_order_of_the_group {
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %b = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]} : (tensor<4xi32>, tensor<4xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[33, 44]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[11, 22]> : tensor<2xi32>
    return
  }
  func.func @f(%x: tensor<4xi32>) -> tensor<2xi32> {
    %r = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64} : (tensor<4xi32>) -> tensor<2xi32>
    return %r : tensor<2xi32>
  }
}

// -----

module @collective_reduce_leaves_zeros_elsewhere {
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.constant dense<100> : tensor<i32>
    %r:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@f], [@f], [@f]]} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<0> : tensor<i32>
    check.expect_eq_const %r#1, dense<10> : tensor<i32>
    check.expect_eq_const %r#2, dense<101> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>) -> tensor<i32> {
    %r = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {replica_groups = dense<[[2, 0], [1, -1]]> : tensor<2x2xi64>} : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>
  }
}

// -----

module @collective_reduce_to_a_root_that_is_data {
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<10> : tensor<i32>
    %root = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %root, %b, %b, %root) {programs = [[@f], [@f]]} : (tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<i32>, tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<0> : tensor<i32>
    check.expect_eq_const %r#1, dense<20> : tensor<i32>
    check.expect_eq_const %r#2, dense<11> : tensor<i32>
    check.expect_eq_const %r#3, dense<0> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>, %y: tensor<i32>, %root: tensor<2xi32>) -> (tensor<i32>, tensor<i32>) {
    %r:2 = "stablehlo.collective_reduce"(%x, %y, %root) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %0 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }) {has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>, tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<i32>)
    return %r#0, %r#1 : tensor<i32>, tensor<i32>
  }
}
