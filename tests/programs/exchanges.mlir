// all_gather, all_to_all, collective_permute and collective_broadcast: the order within a group matters, and so do
// devices in no group.
module @all_gather_in_the_order_of_the_group {
  func.func @main() {
    %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
    %b = stablehlo.constant dense<[[3], [4]]> : tensor<2x1xi32>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]} : (tensor<2x1xi32>, tensor<2x1xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
    check.expect_eq_const %r#0, dense<[[3, 1], [4, 2]]> : tensor<2x2xi32>
    check.expect_eq_const %r#1, dense<[[3, 1], [4, 2]]> : tensor<2x2xi32>
    return
  }
  func.func @f(%x: tensor<2x1xi32>) -> tensor<2x2xi32> {
    %r = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2x1xi32>) -> tensor<2x2xi32>
    return %r : tensor<2x2xi32>
  }
}

// -----

module @all_gather_over_replicas_and_partitions { // group [1, 0] of replicas: all of partition 0, then of partition 1
  func.func @main() {
    %a = stablehlo.constant dense<[0]> : tensor<1xi32>
    %b = stablehlo.constant dense<[1]> : tensor<1xi32>
    %c = stablehlo.constant dense<[10]> : tensor<1xi32>
    %d = stablehlo.constant dense<[11]> : tensor<1xi32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@f, @f], [@f, @f]]} : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
    check.expect_eq_const %r#0, dense<[10, 0, 11, 1]> : tensor<4xi32>
    check.expect_eq_const %r#3, dense<[10, 0, 11, 1]> : tensor<4xi32>
    return
  }
  func.func @f(%x: tensor<1xi32>) -> tensor<4xi32> {
    %r = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xi32>) -> tensor<4xi32>
    return %r : tensor<4xi32>
  }
}

// -----

module @all_gather_of_several_values {
  func.func @main() {
    %a = stablehlo.constant dense<[1]> : tensor<1xi32>
    %b = stablehlo.constant dense<[[0.5, 1.5]]> : tensor<1x2xf32>
    %c = stablehlo.constant dense<[2]> : tensor<1xi32>
    %d = stablehlo.constant dense<[[2.5, 3.5]]> : tensor<1x2xf32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@f], [@f]]} : (tensor<1xi32>, tensor<1x2xf32>, tensor<1xi32>, tensor<1x2xf32>) -> (tensor<2xi32>, tensor<2x2xf32>, tensor<2xi32>, tensor<2x2xf32>)
    check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<[[0.5, 1.5], [2.5, 3.5]]> : tensor<2x2xf32>
    return
  }
  func.func @f(%x: tensor<1xi32>, %y: tensor<1x2xf32>) -> (tensor<2xi32>, tensor<2x2xf32>) {
    %r:2 = "stablehlo.all_gather"(%x, %y) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xi32>, tensor<1x2xf32>) -> (tensor<2xi32>, tensor<2x2xf32>)
    return %r#0, %r#1 : tensor<2xi32>, tensor<2x2xf32>
  }
}

// -----

module @all_to_all_in_the_order_of_the_group {
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]} : (tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<1x4xi32>, tensor<1x4xi32>)
    check.expect_eq_const %r#0, dense<[[7, 8, 3, 4]]> : tensor<1x4xi32>
    check.expect_eq_const %r#1, dense<[[5, 6, 1, 2]]> : tensor<1x4xi32>
    return
  }
  func.func @f(%x: tensor<2x2xi32>) -> tensor<1x4xi32> {
    %r = "stablehlo.all_to_all"(%x) {concat_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64} : (tensor<2x2xi32>) -> tensor<1x4xi32>
    return %r : tensor<1x4xi32>
  }
}

// -----

module @all_to_all_between_partitions {
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %c = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
    %d = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@f, @f], [@f, @f]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[1, 3]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[2, 4]> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[5, 7]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<[6, 8]> : tensor<2xi32>
    return
  }
  func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
    %r = "stablehlo.all_to_all"(%x) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64} : (tensor<2xi32>) -> tensor<2xi32>
    return %r : tensor<2xi32>
  }
}

// -----

module @collective_permute_with_a_pair_to_itself { // a device that is no target gets zeros
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %c = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
    %r:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@f], [@f], [@f]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<0> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[3, 4]> : tensor<2xi32>
    return
  }
  func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
    %r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    return %r : tensor<2xi32>
  }
}

// -----

module @collective_permute_between_partitions_of_each_replica {
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %d = stablehlo.constant dense<4> : tensor<i32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@f, @f], [@f, @f]]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<2> : tensor<i32>
    check.expect_eq_const %r#1, dense<1> : tensor<i32>
    check.expect_eq_const %r#2, dense<4> : tensor<i32>
    check.expect_eq_const %r#3, dense<3> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>) -> tensor<i32> {
    %r = "stablehlo.collective_permute"(%x) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>
  }
}

// -----

module @collective_broadcast_from_the_first_of_a_group {
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %r:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@f], [@f], [@f]]} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<3> : tensor<i32>
    check.expect_eq_const %r#1, dense<0> : tensor<i32>
    check.expect_eq_const %r#2, dense<3> : tensor<i32>
    return
  }
  func.func @f(%x: tensor<i32>) -> tensor<i32> {
    %r = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
    return %r : tensor<i32>
  }
}

// -----

module @collective_broadcast_from_roots_that_are_data {
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<2.5> : tensor<f32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %d = stablehlo.constant dense<4.5> : tensor<f32>
    %root = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %root, %c, %d, %root) {programs = [[@f], [@f]]} : (tensor<i32>, tensor<f32>, tensor<2xi32>, tensor<i32>, tensor<f32>, tensor<2xi32>) -> (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>)
    check.expect_eq_const %r#0, dense<3> : tensor<i32>
    check.expect_eq_const %r#1, dense<2.5> : tensor<f32>
    check.expect_eq_const %r#2, dense<3> : tensor<i32>
    check.expect_eq_const %r#3, dense<2.5> : tensor<f32>
    return
  }
  func.func @f(%x: tensor<i32>, %y: tensor<f32>, %root: tensor<2xi32>) -> (tensor<i32>, tensor<f32>) {
    %r:2 = "stablehlo.collective_broadcast"(%x, %y, %root) {has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>, tensor<f32>, tensor<2xi32>) -> (tensor<i32>, tensor<f32>)
    return %r#0, %r#1 : tensor<i32>, tensor<f32>
  }
}

// -----

module @ids_and_collectives_in_a_loop { // each device adds what its neighbour holds, three times
  func.func @main() {
    %r:4 = "interpreter.run_parallel"() {programs = [[@f, @f], [@f, @f]]} : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %r#0, dense<4> : tensor<ui32>
    check.expect_eq_const %r#1, dense<4> : tensor<ui32>
    check.expect_eq_const %r#2, dense<84> : tensor<ui32>
    check.expect_eq_const %r#3, dense<84> : tensor<ui32>
    return
  }
  func.func @f() -> tensor<ui32> {
    %p = stablehlo.partition_id : tensor<ui32>
    %r = stablehlo.replica_id : tensor<ui32>
    %ten = stablehlo.constant dense<10> : tensor<ui32>
    %t = stablehlo.multiply %r, %ten : tensor<ui32>
    %x = stablehlo.add %p, %t : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<ui32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %0 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.add %i, %one : tensor<i32>
      %1 = "stablehlo.collective_permute"(%v) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<ui32>) -> tensor<ui32>
      %2 = stablehlo.add %v, %1 : tensor<ui32>
      stablehlo.return %0, %2 : tensor<i32>, tensor<ui32>
    }
    return %w#1 : tensor<ui32>
  }
}
