// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg3: tensor<4x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}]"}}, %arg4: tensor<2x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg5: tensor<6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) -> (tensor<4x6xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}) {
    %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %6 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %5 = stablehlo.add %2, %4 : tensor<4x6xf32>
    return %5 : tensor<4x6xf32>
  }
}
