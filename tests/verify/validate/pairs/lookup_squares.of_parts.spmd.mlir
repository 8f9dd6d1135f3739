// EXPECT: equal
module attributes {mhlo.frontend_attributes = {partir.mesh = "d=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{d}, {}]"}}, %arg1: tensor<3xi32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) -> (tensor<3xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}]"}}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<39> : tensor<i32>
    %c_1 = stablehlo.constant dense<10> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<3xi32>
    %3 = stablehlo.partition_id : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %7 = stablehlo.subtract %2, %6 : tensor<3xi32>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %9 = stablehlo.compare GE, %7, %0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %10 = stablehlo.compare LT, %7, %8 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %11 = stablehlo.and %9, %10 : tensor<3xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<3xi1>) -> tensor<3x2xi1>
    %13 = stablehlo.reshape %7 : (tensor<3xi32>) -> tensor<3x1xi32>
    %14 = "stablehlo.gather"(%arg0, %13) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<10x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %16 = stablehlo.select %12, %14, %15 : tensor<3x2xi1>, tensor<3x2xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<3x2xf32>
    %20 = "stablehlo.all_reduce"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %z = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %z : tensor<f32>
    }) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %21 = stablehlo.reduce(%20 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3xf32>
    return %21 : tensor<3xf32>
  }
}
