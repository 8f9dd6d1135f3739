// EXPECT: not equal (parts are rounded before they are summed)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=2"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg1: tensor<4x3xbf16> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}) -> (tensor<3xbf16> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) {
    %1 = stablehlo.convert %arg1 : (tensor<4x3xbf16>) -> tensor<4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
    %3 = stablehlo.convert %2 : (tensor<3xf32>) -> tensor<3xbf16>
    %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
      %5 = stablehlo.add %arg2, %arg3 : tensor<bf16>
      stablehlo.return %5 : tensor<bf16>
    }) : (tensor<3xbf16>) -> tensor<3xbf16>
    return %4 : tensor<3xbf16>
  }
}
