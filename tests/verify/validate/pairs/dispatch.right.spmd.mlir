// EXPECT: equal
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<4x2x3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}, %arg3: tensor<1x3x5xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}, {}]"}}) -> (tensor<4x2x5xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}, {}]"}}) {
    %1 = "stablehlo.all_to_all"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x3xf32>) -> tensor<1x8x3xf32>
    %2 = stablehlo.dot_general %1, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x3xf32>, tensor<1x3x5xf32>) -> tensor<1x8x5xf32>
    %3 = "stablehlo.all_to_all"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<1x8x5xf32>) -> tensor<4x2x5xf32>
    return %3 : tensor<4x2x5xf32>
  }
}
