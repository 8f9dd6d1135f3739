// EXPECT: different (gathered over the other axis)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "a=2,b=2"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<4x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {a, b}]"}}, %arg3: tensor<2x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{a, b}, {}]"}}) -> (tensor<4x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    %2 = "stablehlo.reduce_scatter"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %5 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %5 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
    return %4 : tensor<4x8xf32>
  }
}
