// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<4x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}]"}}, %w: tensor<2x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.tanh %1 : tensor<4x6xf32>
    return %2 : tensor<4x6xf32>
  }
}
