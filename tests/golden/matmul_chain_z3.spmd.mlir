module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32, mhlo.frontend_attributes = {partir.mesh = "batch=4,model=2"}} {
  func.func public @main(%arg0: tensor<64x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{batch}, {}]"}}, %arg1: tensor<2x8xf32> {mhlo.frontend_attributes = {partir.sharding = "[{batch}, {model}]"}}, %arg2: tensor<8x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{model}, {batch}]"}}) -> (tensor<64x8xf32> {jax.result_info = "result", mhlo.frontend_attributes = {partir.sharding = "[{batch}, {}]"}}) {
    %0 = spmd.all_gather %arg1 {axes = ["batch"], dim = 0 : i64, partir.sharding = "[{}, {model}]"} : (tensor<2x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}]"} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
    %2 = spmd.all_gather %arg2 {axes = ["batch"], dim = 1 : i64, partir.sharding = "[{model}, {}]"} : (tensor<8x2xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}] partial{model:sum}"} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
    %4 = spmd.all_reduce %3 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}]"} : tensor<64x8xf32>
    return %4 : tensor<64x8xf32>
  }
}
