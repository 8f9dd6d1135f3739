module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32, mhlo.frontend_attributes = {partir.mesh = "batch=4,model=2", partir.model_flops = "131072"}} {
  func.func public @main(%arg0: tensor<64x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{batch}, {}]"}}, %arg1: tensor<2x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{batch}, {model}]"}}, %arg2: tensor<8x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{model}, {batch}]"}}) -> (tensor<64x8xf32> {jax.result_info = "result", mhlo.frontend_attributes = {partir.sharding = "[{batch}, {}]"}}) {
    %0 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
    %2 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x2xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
    %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%5: tensor<f32>, %6: tensor<f32>):
      %7 = stablehlo.add %5, %6 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<64x8xf32>) -> tensor<64x8xf32>
    return %4 : tensor<64x8xf32>
  }
}
