// Channels between devices, and values fed from outside.
module @in_order_of_sending {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %t = stablehlo.create_token : !stablehlo.token
    %r:5 = "interpreter.run_parallel"(%x, %t, %t) {programs = [[@sends], [@receives]]} : (tensor<2xi32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<2xi32>, tensor<2xi32>, tensor<f32>, !stablehlo.token)
    check.expect_eq_const %r#1, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[2, 4]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<0.5> : tensor<f32>
    return
  }
  func.func @sends(%x: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
    %a = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    %y = stablehlo.add %x, %x : tensor<2xi32>
    %h = stablehlo.constant dense<0.5> : tensor<f32>
    %b = "stablehlo.send"(%y, %h, %a) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<f32>, !stablehlo.token) -> !stablehlo.token
    return %b : !stablehlo.token
  }
  func.func @receives(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<2xi32>, tensor<f32>, !stablehlo.token) {
    %a:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    %b:3 = "stablehlo.recv"(%a#1) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xi32>, tensor<f32>, !stablehlo.token)
    return %a#0, %b#0, %b#1, %b#2 : tensor<2xi32>, tensor<2xi32>, tensor<f32>, !stablehlo.token
  }
}

// -----

module @a_receiver_waits_for_a_later_device {
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %r:3 = "interpreter.run_parallel"(%t, %t) {programs = [[@receives, @sends]]} : (!stablehlo.token, !stablehlo.token) -> (tensor<ui32>, !stablehlo.token, !stablehlo.token)
    check.expect_eq_const %r#0, dense<1> : tensor<ui32>
    return
  }
  func.func @receives(%t: !stablehlo.token) -> (tensor<ui32>, !stablehlo.token) {
    %a:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<ui32>, !stablehlo.token)
    return %a#0, %a#1 : tensor<ui32>, !stablehlo.token
  }
  func.func @sends(%t: !stablehlo.token) -> !stablehlo.token {
    %p = stablehlo.partition_id : tensor<ui32>
    %a = "stablehlo.send"(%p, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<ui32>, !stablehlo.token) -> !stablehlo.token
    return %a : !stablehlo.token
  }
}

// -----

module @feeds_come_in_order {
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %r:3 = "interpreter.run_parallel"(%t) {infeed = [@first, @second], programs = [[@eats]]} : (!stablehlo.token) -> (tensor<2xi32>, tensor<f32>, !stablehlo.token)
    check.expect_eq_const %r#0, dense<[3, 4]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<1.5> : tensor<f32>
    return
  }
  func.func @eats(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<f32>, !stablehlo.token) {
    %a:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    %b:2 = "stablehlo.infeed"(%a#1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    %c = "stablehlo.outfeed"(%a#0, %b#1) {outfeed_config = ""} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    return %a#0, %b#0, %c : tensor<2xi32>, tensor<f32>, !stablehlo.token
  }
  func.func @first() -> tensor<2xi32> {
    %x = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    return %x : tensor<2xi32>
  }
  func.func @second() -> tensor<f32> {
    %x = stablehlo.constant dense<1.5> : tensor<f32>
    return %x : tensor<f32>
  }
}
