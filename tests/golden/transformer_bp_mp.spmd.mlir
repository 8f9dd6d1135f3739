module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32, mhlo.frontend_attributes = {partir.mesh = "batch=2,model=2"}} {
  func.func public @main(%arg0: tensor<64x16xf32> {tf.aliasing_output = 0 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg1: tensor<16xf32> {tf.aliasing_output = 1 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, %arg2: tensor<16xf32> {tf.aliasing_output = 2 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg3: tensor<16xf32> {tf.aliasing_output = 3 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg4: tensor<16xf32> {tf.aliasing_output = 4 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg5: tensor<2x4x16xf32> {tf.aliasing_output = 5 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, %arg6: tensor<16xf32> {tf.aliasing_output = 6 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg7: tensor<3x16x2x4xf32> {tf.aliasing_output = 7 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, %arg8: tensor<16x16xf32> {tf.aliasing_output = 8 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, %arg9: tensor<16x16xf32> {tf.aliasing_output = 9 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, %arg10: tensor<16xf32> {tf.aliasing_output = 10 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, %arg11: tensor<16xf32> {tf.aliasing_output = 11 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg12: tensor<16xf32> {tf.aliasing_output = 12 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg13: tensor<16xf32> {tf.aliasing_output = 13 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg14: tensor<2x4x16xf32> {tf.aliasing_output = 14 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, %arg15: tensor<16xf32> {tf.aliasing_output = 15 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg16: tensor<3x16x2x4xf32> {tf.aliasing_output = 16 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, %arg17: tensor<16x16xf32> {tf.aliasing_output = 17 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, %arg18: tensor<16x16xf32> {tf.aliasing_output = 18 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, %arg19: tensor<i32> {tf.aliasing_output = 19 : i32, mhlo.frontend_attributes = {partir.sharding = "[]"}}, %arg20: tensor<64x16xf32> {tf.aliasing_output = 20 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg21: tensor<16xf32> {tf.aliasing_output = 21 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, %arg22: tensor<16xf32> {tf.aliasing_output = 22 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg23: tensor<16xf32> {tf.aliasing_output = 23 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg24: tensor<16xf32> {tf.aliasing_output = 24 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg25: tensor<2x4x16xf32> {tf.aliasing_output = 25 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, %arg26: tensor<16xf32> {tf.aliasing_output = 26 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg27: tensor<3x16x2x4xf32> {tf.aliasing_output = 27 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, %arg28: tensor<16x16xf32> {tf.aliasing_output = 28 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, %arg29: tensor<16x16xf32> {tf.aliasing_output = 29 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, %arg30: tensor<16xf32> {tf.aliasing_output = 30 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, %arg31: tensor<16xf32> {tf.aliasing_output = 31 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg32: tensor<16xf32> {tf.aliasing_output = 32 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg33: tensor<16xf32> {tf.aliasing_output = 33 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg34: tensor<2x4x16xf32> {tf.aliasing_output = 34 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, %arg35: tensor<16xf32> {tf.aliasing_output = 35 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg36: tensor<3x16x2x4xf32> {tf.aliasing_output = 36 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, %arg37: tensor<16x16xf32> {tf.aliasing_output = 37 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, %arg38: tensor<16x16xf32> {tf.aliasing_output = 38 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, %arg39: tensor<64x16xf32> {tf.aliasing_output = 39 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, %arg40: tensor<16xf32> {tf.aliasing_output = 40 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, %arg41: tensor<16xf32> {tf.aliasing_output = 41 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg42: tensor<16xf32> {tf.aliasing_output = 42 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg43: tensor<16xf32> {tf.aliasing_output = 43 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg44: tensor<2x4x16xf32> {tf.aliasing_output = 44 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, %arg45: tensor<16xf32> {tf.aliasing_output = 45 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg46: tensor<3x16x2x4xf32> {tf.aliasing_output = 46 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, %arg47: tensor<16x16xf32> {tf.aliasing_output = 47 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, %arg48: tensor<16x16xf32> {tf.aliasing_output = 48 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, %arg49: tensor<16xf32> {tf.aliasing_output = 49 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, %arg50: tensor<16xf32> {tf.aliasing_output = 50 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg51: tensor<16xf32> {tf.aliasing_output = 51 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg52: tensor<16xf32> {tf.aliasing_output = 52 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg53: tensor<2x4x16xf32> {tf.aliasing_output = 53 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, %arg54: tensor<16xf32> {tf.aliasing_output = 54 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, %arg55: tensor<3x16x2x4xf32> {tf.aliasing_output = 55 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, %arg56: tensor<16x16xf32> {tf.aliasing_output = 56 : i32, mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, %arg57: tensor<16x16xf32> {tf.aliasing_output = 57 : i32, mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, %arg58: tensor<4x8xi32> {mhlo.frontend_attributes = {partir.sharding = "[{batch}, {}]"}}, %arg59: tensor<4x8xi32> {mhlo.frontend_attributes = {partir.sharding = "[{batch}, {}]"}}) -> (tensor<64x16xf32> {jax.result_info = "result[0]['embed']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['b1']", mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['b2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['ln1']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['ln2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<2x4x16xf32> {jax.result_info = "result[0]['layers'][0]['out']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['out_b']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<3x16x2x4xf32> {jax.result_info = "result[0]['layers'][0]['qkv']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, tensor<16x16xf32> {jax.result_info = "result[0]['layers'][0]['w1']", mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, tensor<16x16xf32> {jax.result_info = "result[0]['layers'][0]['w2']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['b1']", mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['b2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['ln1']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['ln2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<2x4x16xf32> {jax.result_info = "result[0]['layers'][1]['out']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['out_b']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<3x16x2x4xf32> {jax.result_info = "result[0]['layers'][1]['qkv']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, tensor<16x16xf32> {jax.result_info = "result[0]['layers'][1]['w1']", mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, tensor<16x16xf32> {jax.result_info = "result[0]['layers'][1]['w2']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, tensor<i32> {jax.result_info = "result[1][0].count", mhlo.frontend_attributes = {partir.sharding = "[]"}}, tensor<64x16xf32> {jax.result_info = "result[1][0].mu['embed']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['b1']", mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['b2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['ln1']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['ln2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<2x4x16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['out']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['out_b']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<3x16x2x4xf32> {jax.result_info = "result[1][0].mu['layers'][0]['qkv']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['w1']", mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].mu['layers'][0]['w2']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['b1']", mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['b2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['ln1']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['ln2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<2x4x16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['out']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['out_b']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<3x16x2x4xf32> {jax.result_info = "result[1][0].mu['layers'][1]['qkv']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['w1']", mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].mu['layers'][1]['w2']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, tensor<64x16xf32> {jax.result_info = "result[1][0].nu['embed']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['b1']", mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['b2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['ln1']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['ln2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<2x4x16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['out']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['out_b']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<3x16x2x4xf32> {jax.result_info = "result[1][0].nu['layers'][0]['qkv']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['w1']", mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].nu['layers'][0]['w2']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['b1']", mhlo.frontend_attributes = {partir.sharding = "[{model}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['b2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['ln1']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['ln2']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<2x4x16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['out']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}, {}]"}}, tensor<16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['out_b']", mhlo.frontend_attributes = {partir.sharding = "[{}]"}}, tensor<3x16x2x4xf32> {jax.result_info = "result[1][0].nu['layers'][1]['qkv']", mhlo.frontend_attributes = {partir.sharding = "[{}, {}, {model}, {}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['w1']", mhlo.frontend_attributes = {partir.sharding = "[{}, {model}]"}}, tensor<16x16xf32> {jax.result_info = "result[1][0].nu['layers'][1]['w2']", mhlo.frontend_attributes = {partir.sharding = "[{model}, {}]"}}, tensor<f32> {jax.result_info = "result[2]", mhlo.frontend_attributes = {partir.sharding = "[]"}}) {
    %0 = stablehlo.constant {partir.sharding = "[]"} dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {partir.sharding = "[{batch}, {}]"} : (tensor<i32>) -> tensor<4x8xi32>
    %2 = stablehlo.compare LT, %arg59, %1, SIGNED {partir.sharding = "[{batch}, {}]"} : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %3 = stablehlo.constant {partir.sharding = "[]"} dense<64> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] {partir.sharding = "[{batch}, {}]"} : (tensor<i32>) -> tensor<4x8xi32>
    %5 = stablehlo.add %arg59, %4 {partir.sharding = "[{batch}, {}]"} : tensor<4x8xi32>
    %6 = stablehlo.select %2, %5, %arg59 {partir.sharding = "[{batch}, {}]"} : tensor<4x8xi1>, tensor<4x8xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> {partir.sharding = "[{batch}, {}, {}]"} : (tensor<64x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %9 = stablehlo.iota dim = 0 {partir.sharding = "[{}, {}]"} : tensor<8x8xi32>
    %10 = stablehlo.iota dim = 1 {partir.sharding = "[{}, {}]"} : tensor<8x8xi32>
    %11 = stablehlo.compare GE, %9, %10, SIGNED {partir.sharding = "[{}, {}]"} : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %12 = chlo.square %8 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %13 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %15 = stablehlo.multiply %14, %8 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %16 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%12 init: %16) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %19 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %21 = stablehlo.divide %18, %20 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %22 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-06> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %24 = stablehlo.add %21, %23 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %25 = stablehlo.rsqrt %24 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %26 = stablehlo.divide %25, %24 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %27 = stablehlo.constant {partir.sharding = "[]"} dense<-5.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %29 = stablehlo.multiply %28, %26 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %30 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %31 = stablehlo.multiply %8, %30 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %32 = stablehlo.broadcast_in_dim %arg3, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %34 = stablehlo.multiply %31, %33 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %35 = stablehlo.dot_general %arg7, %34, contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}, {}, {batch}, {}]"} : (tensor<3x16x2x4xf32>, tensor<4x8x16xf32>) -> tensor<3x2x4x4x8xf32>
    %36 = stablehlo.transpose %35, dims = [0, 3, 4, 1, 2] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x2x4x4x8xf32>) -> tensor<3x4x8x2x4xf32>
    %37 = stablehlo.slice %36 [0:1, 0:4, 0:8, 0:2, 0:4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %38 = stablehlo.reshape %37 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %39 = stablehlo.slice %36 [1:2, 0:4, 0:8, 0:2, 0:4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %40 = stablehlo.reshape %39 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %41 = stablehlo.slice %36 [2:3, 0:4, 0:8, 0:2, 0:4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %42 = stablehlo.reshape %41 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %43 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 4] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x1x4xf32>
    %44 = stablehlo.dot_general %40, %43, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x8x2x4xf32>, tensor<4x8x2x1x4xf32>) -> tensor<4x2x8x8x1xf32>
    %45 = stablehlo.transpose %44, dims = [0, 1, 4, 3, 2] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x8x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %46 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %48 = stablehlo.divide %45, %47 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %49 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e+30> : tensor<f32>
    %50 = stablehlo.convert %49 {partir.sharding = "[]"} : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %11, dims = [3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<8x8xi1>) -> tensor<4x2x1x8x8xi1>
    %52 = stablehlo.broadcast_in_dim %50, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %53 = stablehlo.select %51, %48, %52 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xi1>, tensor<4x2x1x8x8xf32>
    %54 = stablehlo.constant {partir.sharding = "[]"} dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.reduce(%53 init: %54) applies stablehlo.maximum across dimensions = [4] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x1x8x8xf32>, tensor<f32>) -> tensor<4x2x1x8xf32>
    %56 = stablehlo.constant {partir.sharding = "[]"} dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8xf32>
    %58 = stablehlo.maximum %57, %55 {partir.sharding = "[{batch}, {model}, {}, {}]"} : tensor<4x2x1x8xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x1xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %61 = stablehlo.subtract %53, %60 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %62 = stablehlo.exponential %61 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %63 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%62 init: %63) applies stablehlo.add across dimensions = [4] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x1x8x8xf32>, tensor<f32>) -> tensor<4x2x1x8xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %67 = stablehlo.divide %62, %66 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %68 = stablehlo.multiply %65, %65 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x1xf32>
    %69 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x1xf32>
    %71 = stablehlo.divide %70, %68 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x1xf32>
    %72 = stablehlo.dot_general %42, %67, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x8x2x4xf32>, tensor<4x2x1x8x8xf32>) -> tensor<4x2x4x1x8xf32>
    %73 = stablehlo.transpose %72, dims = [0, 4, 1, 3, 2] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x2x4x1x8xf32>) -> tensor<4x8x2x1x4xf32>
    %74 = stablehlo.reshape %73 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x8x2x1x4xf32>) -> tensor<4x8x2x4xf32>
    %75 = stablehlo.dot_general %74, %arg5, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<4x8x2x4xf32>, tensor<2x4x16xf32>) -> tensor<4x8x16xf32>
    %76 = spmd.all_reduce %75 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %77 = stablehlo.add %8, %76 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %78 = stablehlo.broadcast_in_dim %arg6, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %80 = stablehlo.add %77, %79 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %81 = chlo.square %80 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %82 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %84 = stablehlo.multiply %83, %80 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %85 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.reduce(%81 init: %85) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %88 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %90 = stablehlo.divide %87, %89 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %91 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-06> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %93 = stablehlo.add %90, %92 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %94 = stablehlo.rsqrt %93 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %95 = stablehlo.divide %94, %93 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %96 = stablehlo.constant {partir.sharding = "[]"} dense<-5.000000e-01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %98 = stablehlo.multiply %97, %95 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %99 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %100 = stablehlo.multiply %80, %99 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %101 = stablehlo.broadcast_in_dim %arg4, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %103 = stablehlo.multiply %100, %102 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %104 = stablehlo.dot_general %103, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %105 = stablehlo.broadcast_in_dim %arg1, dims = [2] {partir.sharding = "[{}, {}, {model}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %107 = stablehlo.add %104, %106 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %108 = stablehlo.multiply %107, %107 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %109 = stablehlo.multiply %108, %107 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %110 = stablehlo.multiply %107, %107 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %111 = stablehlo.constant {partir.sharding = "[]"} dense<3.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %113 = stablehlo.multiply %112, %110 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %114 = stablehlo.constant {partir.sharding = "[]"} dense<4.471500e-02> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %116 = stablehlo.multiply %115, %109 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %117 = stablehlo.add %107, %116 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %118 = stablehlo.constant {partir.sharding = "[]"} dense<7.978846e-01> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %120 = stablehlo.multiply %119, %117 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %121 = stablehlo.tanh %120 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %122 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %124 = stablehlo.subtract %123, %121 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %125 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %127 = stablehlo.add %126, %121 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %128 = stablehlo.constant {partir.sharding = "[]"} dense<5.000000e-01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %130 = stablehlo.multiply %129, %127 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %131 = stablehlo.multiply %107, %130 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %132 = stablehlo.dot_general %131, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %133 = spmd.all_reduce %132 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %134 = stablehlo.add %80, %133 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %135 = stablehlo.broadcast_in_dim %arg2, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %137 = stablehlo.add %134, %136 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %138 = chlo.square %137 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %139 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %141 = stablehlo.multiply %140, %137 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %142 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%138 init: %142) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %145 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %147 = stablehlo.divide %144, %146 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %148 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-06> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %150 = stablehlo.add %147, %149 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %151 = stablehlo.rsqrt %150 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %152 = stablehlo.divide %151, %150 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %153 = stablehlo.constant {partir.sharding = "[]"} dense<-5.000000e-01> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %155 = stablehlo.multiply %154, %152 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %156 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %157 = stablehlo.multiply %137, %156 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %158 = stablehlo.broadcast_in_dim %arg12, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %160 = stablehlo.multiply %157, %159 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %161 = stablehlo.dot_general %arg16, %160, contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}, {}, {batch}, {}]"} : (tensor<3x16x2x4xf32>, tensor<4x8x16xf32>) -> tensor<3x2x4x4x8xf32>
    %162 = stablehlo.transpose %161, dims = [0, 3, 4, 1, 2] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x2x4x4x8xf32>) -> tensor<3x4x8x2x4xf32>
    %163 = stablehlo.slice %162 [0:1, 0:4, 0:8, 0:2, 0:4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %164 = stablehlo.reshape %163 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %165 = stablehlo.slice %162 [1:2, 0:4, 0:8, 0:2, 0:4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %166 = stablehlo.reshape %165 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %167 = stablehlo.slice %162 [2:3, 0:4, 0:8, 0:2, 0:4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %168 = stablehlo.reshape %167 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>) -> tensor<4x8x2x4xf32>
    %169 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2, 4] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x1x4xf32>
    %170 = stablehlo.dot_general %166, %169, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x8x2x4xf32>, tensor<4x8x2x1x4xf32>) -> tensor<4x2x8x8x1xf32>
    %171 = stablehlo.transpose %170, dims = [0, 1, 4, 3, 2] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x8x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %172 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %174 = stablehlo.divide %171, %173 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %175 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e+30> : tensor<f32>
    %176 = stablehlo.convert %175 {partir.sharding = "[]"} : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %11, dims = [3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<8x8xi1>) -> tensor<4x2x1x8x8xi1>
    %178 = stablehlo.broadcast_in_dim %176, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %179 = stablehlo.select %177, %174, %178 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xi1>, tensor<4x2x1x8x8xf32>
    %180 = stablehlo.constant {partir.sharding = "[]"} dense<0xFF800000> : tensor<f32>
    %181 = stablehlo.reduce(%179 init: %180) applies stablehlo.maximum across dimensions = [4] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x1x8x8xf32>, tensor<f32>) -> tensor<4x2x1x8xf32>
    %182 = stablehlo.constant {partir.sharding = "[]"} dense<0xFF800000> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8xf32>
    %184 = stablehlo.maximum %183, %181 {partir.sharding = "[{batch}, {model}, {}, {}]"} : tensor<4x2x1x8xf32>
    %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2, 3] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x1xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %187 = stablehlo.subtract %179, %186 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %188 = stablehlo.exponential %187 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %189 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%188 init: %189) applies stablehlo.add across dimensions = [4] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x1x8x8xf32>, tensor<f32>) -> tensor<4x2x1x8xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0, 1, 2, 3] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x1xf32>
    %192 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %193 = stablehlo.divide %188, %192 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %194 = stablehlo.multiply %191, %191 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x1xf32>
    %195 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x1xf32>
    %197 = stablehlo.divide %196, %194 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x1xf32>
    %198 = stablehlo.dot_general %168, %193, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x8x2x4xf32>, tensor<4x2x1x8x8xf32>) -> tensor<4x2x4x1x8xf32>
    %199 = stablehlo.transpose %198, dims = [0, 4, 1, 3, 2] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x2x4x1x8xf32>) -> tensor<4x8x2x1x4xf32>
    %200 = stablehlo.reshape %199 {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x8x2x1x4xf32>) -> tensor<4x8x2x4xf32>
    %201 = stablehlo.dot_general %200, %arg14, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<4x8x2x4xf32>, tensor<2x4x16xf32>) -> tensor<4x8x16xf32>
    %202 = spmd.all_reduce %201 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %203 = stablehlo.add %137, %202 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %204 = stablehlo.broadcast_in_dim %arg15, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %206 = stablehlo.add %203, %205 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %207 = chlo.square %206 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %208 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %210 = stablehlo.multiply %209, %206 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %211 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.reduce(%207 init: %211) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %214 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %216 = stablehlo.divide %213, %215 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %217 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-06> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %219 = stablehlo.add %216, %218 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %220 = stablehlo.rsqrt %219 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %221 = stablehlo.divide %220, %219 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %222 = stablehlo.constant {partir.sharding = "[]"} dense<-5.000000e-01> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %224 = stablehlo.multiply %223, %221 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %225 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %226 = stablehlo.multiply %206, %225 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %227 = stablehlo.broadcast_in_dim %arg13, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %229 = stablehlo.multiply %226, %228 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %230 = stablehlo.dot_general %229, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %231 = stablehlo.broadcast_in_dim %arg10, dims = [2] {partir.sharding = "[{}, {}, {model}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %233 = stablehlo.add %230, %232 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %234 = stablehlo.multiply %233, %233 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %235 = stablehlo.multiply %234, %233 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %236 = stablehlo.multiply %233, %233 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %237 = stablehlo.constant {partir.sharding = "[]"} dense<3.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %239 = stablehlo.multiply %238, %236 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %240 = stablehlo.constant {partir.sharding = "[]"} dense<4.471500e-02> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %242 = stablehlo.multiply %241, %235 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %243 = stablehlo.add %233, %242 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %244 = stablehlo.constant {partir.sharding = "[]"} dense<7.978846e-01> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %246 = stablehlo.multiply %245, %243 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %247 = stablehlo.tanh %246 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %248 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %248, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %250 = stablehlo.subtract %249, %247 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %251 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %251, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %253 = stablehlo.add %252, %247 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %254 = stablehlo.constant {partir.sharding = "[]"} dense<5.000000e-01> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %254, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %256 = stablehlo.multiply %255, %253 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %257 = stablehlo.multiply %233, %256 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %258 = stablehlo.dot_general %257, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %259 = spmd.all_reduce %258 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %260 = stablehlo.add %206, %259 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %261 = stablehlo.broadcast_in_dim %arg11, dims = [2] {partir.sharding = "[{}, {}, {}]"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %262 = stablehlo.broadcast_in_dim %261, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %263 = stablehlo.add %260, %262 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %264 = chlo.square %263 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %265 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %267 = stablehlo.multiply %266, %263 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %268 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %269 = stablehlo.reduce(%264 init: %268) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %271 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %271, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %273 = stablehlo.divide %270, %272 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %274 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-06> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %274, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %276 = stablehlo.add %273, %275 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %277 = stablehlo.rsqrt %276 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %278 = stablehlo.divide %277, %276 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %279 = stablehlo.constant {partir.sharding = "[]"} dense<-5.000000e-01> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %279, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %281 = stablehlo.multiply %280, %278 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %282 = stablehlo.broadcast_in_dim %277, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %283 = stablehlo.multiply %263, %282 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %284 = stablehlo.transpose %arg0, dims = [1, 0] {partir.sharding = "[{}, {}]"} : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %285 = stablehlo.dot_general %283, %284, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %286 = stablehlo.constant {partir.sharding = "[]"} dense<0xFF800000> : tensor<f32>
    %287 = stablehlo.reduce(%285 init: %286) applies stablehlo.maximum across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<4x8xf32>
    %288 = stablehlo.constant {partir.sharding = "[]"} dense<0xFF800000> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %288, dims = [] {partir.sharding = "[{batch}, {}]"} : (tensor<f32>) -> tensor<4x8xf32>
    %290 = stablehlo.maximum %289, %287 {partir.sharding = "[{batch}, {}]"} : tensor<4x8xf32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x64xf32>
    %293 = stablehlo.subtract %285, %292 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x64xf32>
    %294 = stablehlo.exponential %293 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x64xf32>
    %295 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %296 = stablehlo.reduce(%294 init: %295) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<4x8xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %298 = stablehlo.log %297 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x64xf32>
    %300 = stablehlo.subtract %293, %299 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x64xf32>
    %301 = stablehlo.broadcast_in_dim %arg58, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %302 = stablehlo.constant {partir.sharding = "[]"} dense<0> : tensor<i32>
    %303 = stablehlo.broadcast_in_dim %302, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<i32>) -> tensor<4x8x1xi32>
    %304 = stablehlo.compare LT, %301, %303, SIGNED {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %305 = stablehlo.constant {partir.sharding = "[]"} dense<64> : tensor<i32>
    %306 = stablehlo.broadcast_in_dim %305, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<i32>) -> tensor<4x8x1xi32>
    %307 = stablehlo.add %301, %306 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xi32>
    %308 = stablehlo.select %304, %307, %301 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xi1>, tensor<4x8x1xi32>
    %309 = stablehlo.reshape %308 {partir.sharding = "[{batch}, {}, {}, {}]"} : (tensor<4x8x1xi32>) -> tensor<4x8x1x1xi32>
    %310 = stablehlo.constant {partir.sharding = "[{}]"} dense<63> : tensor<1xi32>
    %311 = stablehlo.constant {partir.sharding = "[]"} dense<0> : tensor<i32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [] {partir.sharding = "[{batch}, {}, {}, {}]"} : (tensor<i32>) -> tensor<4x8x1x1xi32>
    %313 = stablehlo.compare GE, %309, %312, SIGNED {partir.sharding = "[{batch}, {}, {}, {}]"} : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %314 = stablehlo.broadcast_in_dim %310, dims = [3] {partir.sharding = "[{}, {}, {}, {}]"} : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0, 1, 2, 3] {partir.sharding = "[{batch}, {}, {}, {}]"} : (tensor<1x1x1x1xi32>) -> tensor<4x8x1x1xi32>
    %316 = stablehlo.compare LE, %309, %315, SIGNED {partir.sharding = "[{batch}, {}, {}, {}]"} : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %317 = stablehlo.and %313, %316 {partir.sharding = "[{batch}, {}, {}, {}]"} : tensor<4x8x1x1xi1>
    %318 = stablehlo.constant {partir.sharding = "[]"} dense<true> : tensor<i1>
    %319 = stablehlo.reduce(%317 init: %318) applies stablehlo.and across dimensions = [3] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1x1xi1>, tensor<i1>) -> tensor<4x8x1xi1>
    %320 = "stablehlo.gather"(%300, %309) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x64xf32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1xf32>
    %321 = stablehlo.constant {partir.sharding = "[]"} dense<0x7FC00000> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %321, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %323 = stablehlo.select %319, %320, %322 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xi1>, tensor<4x8x1xf32>
    %324 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %325 = stablehlo.reduce(%323 init: %324) applies stablehlo.add across dimensions = [0, 1, 2] {partir.sharding = "[] partial{batch:sum}"} : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<f32>
    %326 = stablehlo.constant {partir.sharding = "[]"} dense<6.400000e+01> : tensor<f32>
    %327 = stablehlo.divide %325, %326 {partir.sharding = "[] partial{batch:sum}"} : tensor<f32>
    %328 = stablehlo.negate %327 {partir.sharding = "[] partial{batch:sum}"} : tensor<f32>
    %329 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %330 = stablehlo.negate %329 {partir.sharding = "[]"} : tensor<f32>
    %331 = stablehlo.constant {partir.sharding = "[]"} dense<6.400000e+01> : tensor<f32>
    %332 = stablehlo.divide %330, %331 {partir.sharding = "[]"} : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %332, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %334 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x64xf32>
    %336 = "stablehlo.scatter"(%335, %309, %333) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%337: tensor<f32>, %338: tensor<f32>):
      %339 = stablehlo.add %337, %338 : tensor<f32>
      stablehlo.return %339 : tensor<f32>
    }) {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x64xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x64xf32>
    %340 = stablehlo.negate %336 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x64xf32>
    %341 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.reduce(%340 init: %341) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<4x8xf32>
    %343 = stablehlo.reshape %342 {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %344 = stablehlo.divide %343, %297 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %345 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %346 = stablehlo.reduce(%344 init: %345) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %347 = stablehlo.broadcast_in_dim %346, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x64xf32>
    %348 = stablehlo.multiply %347, %294 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x64xf32>
    %349 = stablehlo.add %336, %348 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x64xf32>
    %350 = stablehlo.dot_general %349, %283, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {}] partial{batch:sum}"} : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %351 = stablehlo.transpose %350, dims = [1, 0] {partir.sharding = "[{}, {}] partial{batch:sum}"} : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %352 = stablehlo.dot_general %349, %284, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %353 = stablehlo.transpose %351, dims = [1, 0] {partir.sharding = "[{}, {}] partial{batch:sum}"} : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %354 = stablehlo.multiply %263, %352 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %355 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.reduce(%354 init: %355) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %357 = stablehlo.reshape %356 {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %358 = stablehlo.broadcast_in_dim %277, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %359 = stablehlo.multiply %352, %358 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %360 = stablehlo.multiply %357, %281 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %361 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %363 = stablehlo.divide %360, %362 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %364 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %365 = stablehlo.reduce(%363 init: %364) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %366 = stablehlo.broadcast_in_dim %365, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %367 = stablehlo.multiply %366, %267 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %368 = stablehlo.add %359, %367 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %369 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %370 = stablehlo.reduce(%368 init: %369) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %371 = stablehlo.reshape %370 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %372 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %373 = stablehlo.reduce(%371 init: %372) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %374 = stablehlo.dot_general %368, %257, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %375 = stablehlo.transpose %374, dims = [1, 0] {partir.sharding = "[{model}, {}] partial{batch:sum}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %376 = stablehlo.dot_general %368, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %377 = stablehlo.multiply %233, %376 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %378 = stablehlo.multiply %376, %256 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %379 = stablehlo.constant {partir.sharding = "[]"} dense<5.000000e-01> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %379, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %381 = stablehlo.multiply %380, %377 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %382 = stablehlo.multiply %381, %250 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %383 = stablehlo.multiply %382, %247 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %384 = stablehlo.add %382, %383 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %385 = stablehlo.constant {partir.sharding = "[]"} dense<7.978846e-01> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %385, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %387 = stablehlo.multiply %386, %384 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %388 = stablehlo.add %378, %387 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %389 = stablehlo.constant {partir.sharding = "[]"} dense<4.471500e-02> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %389, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %391 = stablehlo.multiply %390, %387 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %392 = stablehlo.multiply %391, %239 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %393 = stablehlo.add %388, %392 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %394 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %395 = stablehlo.reduce(%393 init: %394) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{model}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %396 = stablehlo.reshape %395 {partir.sharding = "[{}, {}, {model}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %397 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %398 = stablehlo.reduce(%396 init: %397) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{model}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %399 = stablehlo.dot_general %393, %229, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{model}, {}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %400 = stablehlo.transpose %399, dims = [1, 0] {partir.sharding = "[{}, {model}] partial{batch:sum}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %401 = stablehlo.dot_general %393, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %402 = spmd.all_reduce %401 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %403 = stablehlo.multiply %226, %402 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %404 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %405 = stablehlo.reduce(%403 init: %404) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %406 = stablehlo.reshape %405 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %407 = stablehlo.broadcast_in_dim %227, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %408 = stablehlo.multiply %402, %407 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %409 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %410 = stablehlo.reduce(%406 init: %409) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %411 = stablehlo.multiply %206, %408 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %412 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %413 = stablehlo.reduce(%411 init: %412) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %414 = stablehlo.reshape %413 {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %415 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %416 = stablehlo.multiply %408, %415 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %417 = stablehlo.add %368, %416 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %418 = stablehlo.multiply %414, %224 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %419 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %419, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %421 = stablehlo.divide %418, %420 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %422 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %423 = stablehlo.reduce(%421 init: %422) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %424 = stablehlo.broadcast_in_dim %423, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %425 = stablehlo.multiply %424, %210 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %426 = stablehlo.add %417, %425 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %427 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.reduce(%426 init: %427) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %429 = stablehlo.reshape %428 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %430 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %431 = stablehlo.reduce(%429 init: %430) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %432 = stablehlo.dot_general %426, %200, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}, {}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<4x8x2x4xf32>) -> tensor<16x2x4xf32>
    %433 = stablehlo.transpose %432, dims = [1, 2, 0] {partir.sharding = "[{model}, {}, {}] partial{batch:sum}"} : (tensor<16x2x4xf32>) -> tensor<2x4x16xf32>
    %434 = stablehlo.dot_general %426, %arg14, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x8x16xf32>, tensor<2x4x16xf32>) -> tensor<4x8x2x4xf32>
    %435 = stablehlo.broadcast_in_dim %434, dims = [0, 1, 2, 4] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x1x4xf32>
    %436 = stablehlo.transpose %435, dims = [0, 2, 4, 3, 1] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x8x2x1x4xf32>) -> tensor<4x2x4x1x8xf32>
    %437 = stablehlo.dot_general %436, %168, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x4x1x8xf32>, tensor<4x8x2x4xf32>) -> tensor<4x2x1x8x8xf32>
    %438 = stablehlo.dot_general %436, %193, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x4x1x8xf32>, tensor<4x2x1x8x8xf32>) -> tensor<4x2x4x8xf32>
    %439 = stablehlo.transpose %438, dims = [0, 3, 1, 2] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x2x4x8xf32>) -> tensor<4x8x2x4xf32>
    %440 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %441 = stablehlo.multiply %437, %440 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %442 = stablehlo.multiply %441, %188 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %443 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %444 = stablehlo.reduce(%442 init: %443) applies stablehlo.add across dimensions = [4] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x1x8x8xf32>, tensor<f32>) -> tensor<4x2x1x8xf32>
    %445 = stablehlo.reshape %444 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x1xf32>
    %446 = stablehlo.negate %445 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x1xf32>
    %447 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %448 = stablehlo.divide %437, %447 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %449 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %450 = stablehlo.reduce(%446 init: %449) applies stablehlo.add across dimensions = [2, 4] {partir.sharding = "[{batch}, {model}, {}]"} : (tensor<4x2x1x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %451 = stablehlo.broadcast_in_dim %450, dims = [0, 1, 3] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x8xf32>) -> tensor<4x2x1x8xf32>
    %452 = stablehlo.broadcast_in_dim %451, dims = [0, 1, 2, 3] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x8xf32>
    %453 = stablehlo.add %448, %452 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %454 = stablehlo.multiply %453, %188 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %455 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %456 = stablehlo.broadcast_in_dim %455, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %457 = stablehlo.select %177, %454, %456 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xi1>, tensor<4x2x1x8x8xf32>
    %458 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %458, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %460 = stablehlo.divide %457, %459 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %461 = stablehlo.transpose %460, dims = [0, 1, 4, 3, 2] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x8xf32>) -> tensor<4x2x8x8x1xf32>
    %462 = stablehlo.dot_general %461, %166, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x8x8x1xf32>, tensor<4x8x2x4xf32>) -> tensor<4x2x8x1x4xf32>
    %463 = stablehlo.transpose %462, dims = [0, 2, 1, 3, 4] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x2x8x1x4xf32>) -> tensor<4x8x2x1x4xf32>
    %464 = stablehlo.dot_general %461, %169, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x8x8x1xf32>, tensor<4x8x2x1x4xf32>) -> tensor<4x2x8x4xf32>
    %465 = stablehlo.transpose %464, dims = [0, 2, 1, 3] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x2x8x4xf32>) -> tensor<4x8x2x4xf32>
    %466 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %467 = stablehlo.reduce(%463 init: %466) applies stablehlo.add across dimensions = [3] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x8x2x1x4xf32>, tensor<f32>) -> tensor<4x8x2x4xf32>
    %468 = stablehlo.broadcast_in_dim %439, dims = [1, 2, 3, 4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %469 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %470 = stablehlo.pad %468, %469, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>, tensor<f32>) -> tensor<3x4x8x2x4xf32>
    %471 = stablehlo.broadcast_in_dim %465, dims = [1, 2, 3, 4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %472 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %473 = stablehlo.pad %471, %472, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>, tensor<f32>) -> tensor<3x4x8x2x4xf32>
    %474 = stablehlo.add %470, %473 {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : tensor<3x4x8x2x4xf32>
    %475 = stablehlo.broadcast_in_dim %467, dims = [1, 2, 3, 4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %476 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %477 = stablehlo.pad %475, %476, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>, tensor<f32>) -> tensor<3x4x8x2x4xf32>
    %478 = stablehlo.add %474, %477 {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : tensor<3x4x8x2x4xf32>
    %479 = stablehlo.transpose %478, dims = [0, 3, 4, 1, 2] {partir.sharding = "[{}, {model}, {}, {batch}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<3x2x4x4x8xf32>
    %480 = stablehlo.dot_general %479, %arg16, contracting_dims = [0, 1, 2] x [0, 2, 3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<3x2x4x4x8xf32>, tensor<3x16x2x4xf32>) -> tensor<4x8x16xf32>
    %481 = stablehlo.dot_general %479, %160, contracting_dims = [3, 4] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}, {}, {}] partial{batch:sum}"} : (tensor<3x2x4x4x8xf32>, tensor<4x8x16xf32>) -> tensor<3x2x4x16xf32>
    %482 = stablehlo.transpose %481, dims = [0, 3, 1, 2] {partir.sharding = "[{}, {}, {model}, {}] partial{batch:sum}"} : (tensor<3x2x4x16xf32>) -> tensor<3x16x2x4xf32>
    %483 = spmd.all_reduce %480 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %484 = stablehlo.multiply %157, %483 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %485 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.reduce(%484 init: %485) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %487 = stablehlo.reshape %486 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %488 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %489 = stablehlo.multiply %483, %488 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %490 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %491 = stablehlo.reduce(%487 init: %490) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %492 = stablehlo.multiply %137, %489 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %493 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %494 = stablehlo.reduce(%492 init: %493) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %495 = stablehlo.reshape %494 {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %496 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %497 = stablehlo.multiply %489, %496 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %498 = stablehlo.add %426, %497 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %499 = stablehlo.multiply %495, %155 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %500 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %500, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %502 = stablehlo.divide %499, %501 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %503 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %504 = stablehlo.reduce(%502 init: %503) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %505 = stablehlo.broadcast_in_dim %504, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %506 = stablehlo.multiply %505, %141 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %507 = stablehlo.add %498, %506 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %508 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %509 = stablehlo.reduce(%507 init: %508) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %510 = stablehlo.reshape %509 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %511 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %512 = stablehlo.reduce(%510 init: %511) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %513 = stablehlo.dot_general %507, %131, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %514 = stablehlo.transpose %513, dims = [1, 0] {partir.sharding = "[{model}, {}] partial{batch:sum}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %515 = stablehlo.dot_general %507, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %516 = stablehlo.multiply %107, %515 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %517 = stablehlo.multiply %515, %130 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %518 = stablehlo.constant {partir.sharding = "[]"} dense<5.000000e-01> : tensor<f32>
    %519 = stablehlo.broadcast_in_dim %518, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %520 = stablehlo.multiply %519, %516 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %521 = stablehlo.multiply %520, %124 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %522 = stablehlo.multiply %521, %121 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %523 = stablehlo.add %521, %522 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %524 = stablehlo.constant {partir.sharding = "[]"} dense<7.978846e-01> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %524, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %526 = stablehlo.multiply %525, %523 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %527 = stablehlo.add %517, %526 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %528 = stablehlo.constant {partir.sharding = "[]"} dense<4.471500e-02> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %528, dims = [] {partir.sharding = "[{batch}, {}, {model}]"} : (tensor<f32>) -> tensor<4x8x16xf32>
    %530 = stablehlo.multiply %529, %526 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %531 = stablehlo.multiply %530, %113 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %532 = stablehlo.add %527, %531 {partir.sharding = "[{batch}, {}, {model}]"} : tensor<4x8x16xf32>
    %533 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %534 = stablehlo.reduce(%532 init: %533) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{model}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %535 = stablehlo.reshape %534 {partir.sharding = "[{}, {}, {model}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %536 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %537 = stablehlo.reduce(%535 init: %536) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{model}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %538 = stablehlo.dot_general %532, %103, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{model}, {}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %539 = stablehlo.transpose %538, dims = [1, 0] {partir.sharding = "[{}, {model}] partial{batch:sum}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %540 = stablehlo.dot_general %532, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %541 = spmd.all_reduce %540 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %542 = stablehlo.multiply %100, %541 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %543 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %544 = stablehlo.reduce(%542 init: %543) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %545 = stablehlo.reshape %544 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %546 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %547 = stablehlo.multiply %541, %546 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %548 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %549 = stablehlo.reduce(%545 init: %548) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %550 = stablehlo.multiply %80, %547 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %551 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %552 = stablehlo.reduce(%550 init: %551) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %553 = stablehlo.reshape %552 {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %554 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %555 = stablehlo.multiply %547, %554 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %556 = stablehlo.add %507, %555 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %557 = stablehlo.multiply %553, %98 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %558 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %558, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %560 = stablehlo.divide %557, %559 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %561 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %562 = stablehlo.reduce(%560 init: %561) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %563 = stablehlo.broadcast_in_dim %562, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %564 = stablehlo.multiply %563, %84 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %565 = stablehlo.add %556, %564 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %566 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %567 = stablehlo.reduce(%565 init: %566) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %568 = stablehlo.reshape %567 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %569 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %570 = stablehlo.reduce(%568 init: %569) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %571 = stablehlo.dot_general %565, %74, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}, {}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<4x8x2x4xf32>) -> tensor<16x2x4xf32>
    %572 = stablehlo.transpose %571, dims = [1, 2, 0] {partir.sharding = "[{model}, {}, {}] partial{batch:sum}"} : (tensor<16x2x4xf32>) -> tensor<2x4x16xf32>
    %573 = stablehlo.dot_general %565, %arg5, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x8x16xf32>, tensor<2x4x16xf32>) -> tensor<4x8x2x4xf32>
    %574 = stablehlo.broadcast_in_dim %573, dims = [0, 1, 2, 4] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x1x4xf32>
    %575 = stablehlo.transpose %574, dims = [0, 2, 4, 3, 1] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x8x2x1x4xf32>) -> tensor<4x2x4x1x8xf32>
    %576 = stablehlo.dot_general %575, %42, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x4x1x8xf32>, tensor<4x8x2x4xf32>) -> tensor<4x2x1x8x8xf32>
    %577 = stablehlo.dot_general %575, %67, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x4x1x8xf32>, tensor<4x2x1x8x8xf32>) -> tensor<4x2x4x8xf32>
    %578 = stablehlo.transpose %577, dims = [0, 3, 1, 2] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x2x4x8xf32>) -> tensor<4x8x2x4xf32>
    %579 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %580 = stablehlo.multiply %576, %579 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %581 = stablehlo.multiply %580, %62 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %582 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %583 = stablehlo.reduce(%581 init: %582) applies stablehlo.add across dimensions = [4] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x1x8x8xf32>, tensor<f32>) -> tensor<4x2x1x8xf32>
    %584 = stablehlo.reshape %583 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x1xf32>
    %585 = stablehlo.negate %584 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x1xf32>
    %586 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3, 4] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x1xf32>) -> tensor<4x2x1x8x8xf32>
    %587 = stablehlo.divide %576, %586 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %588 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %589 = stablehlo.reduce(%585 init: %588) applies stablehlo.add across dimensions = [2, 4] {partir.sharding = "[{batch}, {model}, {}]"} : (tensor<4x2x1x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %590 = stablehlo.broadcast_in_dim %589, dims = [0, 1, 3] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x8xf32>) -> tensor<4x2x1x8xf32>
    %591 = stablehlo.broadcast_in_dim %590, dims = [0, 1, 2, 3] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8xf32>) -> tensor<4x2x1x8x8xf32>
    %592 = stablehlo.add %587, %591 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %593 = stablehlo.multiply %592, %62 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %594 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %594, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %596 = stablehlo.select %51, %593, %595 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xi1>, tensor<4x2x1x8x8xf32>
    %597 = stablehlo.constant {partir.sharding = "[]"} dense<2.000000e+00> : tensor<f32>
    %598 = stablehlo.broadcast_in_dim %597, dims = [] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<f32>) -> tensor<4x2x1x8x8xf32>
    %599 = stablehlo.divide %596, %598 {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : tensor<4x2x1x8x8xf32>
    %600 = stablehlo.transpose %599, dims = [0, 1, 4, 3, 2] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x1x8x8xf32>) -> tensor<4x2x8x8x1xf32>
    %601 = stablehlo.dot_general %600, %40, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}, {}]"} : (tensor<4x2x8x8x1xf32>, tensor<4x8x2x4xf32>) -> tensor<4x2x8x1x4xf32>
    %602 = stablehlo.transpose %601, dims = [0, 2, 1, 3, 4] {partir.sharding = "[{batch}, {}, {model}, {}, {}]"} : (tensor<4x2x8x1x4xf32>) -> tensor<4x8x2x1x4xf32>
    %603 = stablehlo.dot_general %600, %43, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {model}, {}, {}]"} : (tensor<4x2x8x8x1xf32>, tensor<4x8x2x1x4xf32>) -> tensor<4x2x8x4xf32>
    %604 = stablehlo.transpose %603, dims = [0, 2, 1, 3] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x2x8x4xf32>) -> tensor<4x8x2x4xf32>
    %605 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %606 = stablehlo.reduce(%602 init: %605) applies stablehlo.add across dimensions = [3] {partir.sharding = "[{batch}, {}, {model}, {}]"} : (tensor<4x8x2x1x4xf32>, tensor<f32>) -> tensor<4x8x2x4xf32>
    %607 = stablehlo.broadcast_in_dim %578, dims = [1, 2, 3, 4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %608 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %609 = stablehlo.pad %607, %608, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>, tensor<f32>) -> tensor<3x4x8x2x4xf32>
    %610 = stablehlo.broadcast_in_dim %604, dims = [1, 2, 3, 4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %611 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %612 = stablehlo.pad %610, %611, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>, tensor<f32>) -> tensor<3x4x8x2x4xf32>
    %613 = stablehlo.add %609, %612 {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : tensor<3x4x8x2x4xf32>
    %614 = stablehlo.broadcast_in_dim %606, dims = [1, 2, 3, 4] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<4x8x2x4xf32>) -> tensor<1x4x8x2x4xf32>
    %615 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %616 = stablehlo.pad %614, %615, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : (tensor<1x4x8x2x4xf32>, tensor<f32>) -> tensor<3x4x8x2x4xf32>
    %617 = stablehlo.add %613, %616 {partir.sharding = "[{}, {batch}, {}, {model}, {}]"} : tensor<3x4x8x2x4xf32>
    %618 = stablehlo.transpose %617, dims = [0, 3, 4, 1, 2] {partir.sharding = "[{}, {model}, {}, {batch}, {}]"} : (tensor<3x4x8x2x4xf32>) -> tensor<3x2x4x4x8xf32>
    %619 = stablehlo.dot_general %618, %arg7, contracting_dims = [0, 1, 2] x [0, 2, 3], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{batch}, {}, {}] partial{model:sum}"} : (tensor<3x2x4x4x8xf32>, tensor<3x16x2x4xf32>) -> tensor<4x8x16xf32>
    %620 = stablehlo.dot_general %618, %34, contracting_dims = [3, 4] x [0, 1], precision = [DEFAULT, DEFAULT] {partir.sharding = "[{}, {model}, {}, {}] partial{batch:sum}"} : (tensor<3x2x4x4x8xf32>, tensor<4x8x16xf32>) -> tensor<3x2x4x16xf32>
    %621 = stablehlo.transpose %620, dims = [0, 3, 1, 2] {partir.sharding = "[{}, {}, {model}, {}] partial{batch:sum}"} : (tensor<3x2x4x16xf32>) -> tensor<3x16x2x4xf32>
    %622 = spmd.all_reduce %619 {axes = ["model"], monoid = "sum", partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %623 = stablehlo.multiply %31, %622 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %624 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %625 = stablehlo.reduce(%623 init: %624) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %626 = stablehlo.reshape %625 {partir.sharding = "[{}, {}, {}] partial{batch:sum}"} : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %627 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %628 = stablehlo.multiply %622, %627 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %629 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %630 = stablehlo.reduce(%626 init: %629) applies stablehlo.add across dimensions = [0, 1] {partir.sharding = "[{}] partial{batch:sum}"} : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %631 = stablehlo.multiply %8, %628 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %632 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %633 = stablehlo.reduce(%631 init: %632) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %634 = stablehlo.reshape %633 {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %635 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %636 = stablehlo.multiply %628, %635 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %637 = stablehlo.add %565, %636 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %638 = stablehlo.multiply %634, %29 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %639 = stablehlo.constant {partir.sharding = "[]"} dense<1.600000e+01> : tensor<f32>
    %640 = stablehlo.broadcast_in_dim %639, dims = [] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<f32>) -> tensor<4x8x1xf32>
    %641 = stablehlo.divide %638, %640 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x1xf32>
    %642 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %643 = stablehlo.reduce(%641 init: %642) applies stablehlo.add across dimensions = [2] {partir.sharding = "[{batch}, {}]"} : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %644 = stablehlo.broadcast_in_dim %643, dims = [0, 1] {partir.sharding = "[{batch}, {}, {}]"} : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %645 = stablehlo.multiply %644, %15 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %646 = stablehlo.add %637, %645 {partir.sharding = "[{batch}, {}, {}]"} : tensor<4x8x16xf32>
    %647 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %648 = stablehlo.broadcast_in_dim %647, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %649 = "stablehlo.scatter"(%648, %7, %646) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%650: tensor<f32>, %651: tensor<f32>):
      %652 = stablehlo.add %650, %651 : tensor<f32>
      stablehlo.return %652 : tensor<f32>
    }) {partir.sharding = "[{}, {}] partial{batch:sum}"} : (tensor<64x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %653 = stablehlo.add %353, %649 {partir.sharding = "[{}, {}] partial{batch:sum}"} : tensor<64x16xf32>
    %654 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %654, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %656 = spmd.all_reduce %653 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %657 = stablehlo.multiply %655, %656 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %658 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %659 = stablehlo.broadcast_in_dim %658, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %660 = stablehlo.multiply %659, %arg20 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %661 = stablehlo.add %657, %660 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %662 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %663 = stablehlo.broadcast_in_dim %662, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %664 = spmd.all_reduce %537 {axes = ["batch"], monoid = "sum", partir.sharding = "[{model}]"} : tensor<16xf32>
    %665 = stablehlo.multiply %663, %664 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %666 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %666, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %668 = stablehlo.multiply %667, %arg21 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %669 = stablehlo.add %665, %668 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %670 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %670, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %672 = spmd.all_reduce %512 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %673 = stablehlo.multiply %671, %672 {partir.sharding = "[{}]"} : tensor<16xf32>
    %674 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %674, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %676 = stablehlo.multiply %675, %arg22 {partir.sharding = "[{}]"} : tensor<16xf32>
    %677 = stablehlo.add %673, %676 {partir.sharding = "[{}]"} : tensor<16xf32>
    %678 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %679 = stablehlo.broadcast_in_dim %678, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %680 = spmd.all_reduce %630 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %681 = stablehlo.multiply %679, %680 {partir.sharding = "[{}]"} : tensor<16xf32>
    %682 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %683 = stablehlo.broadcast_in_dim %682, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %684 = stablehlo.multiply %683, %arg23 {partir.sharding = "[{}]"} : tensor<16xf32>
    %685 = stablehlo.add %681, %684 {partir.sharding = "[{}]"} : tensor<16xf32>
    %686 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %686, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %688 = spmd.all_reduce %549 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %689 = stablehlo.multiply %687, %688 {partir.sharding = "[{}]"} : tensor<16xf32>
    %690 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %691 = stablehlo.broadcast_in_dim %690, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %692 = stablehlo.multiply %691, %arg24 {partir.sharding = "[{}]"} : tensor<16xf32>
    %693 = stablehlo.add %689, %692 {partir.sharding = "[{}]"} : tensor<16xf32>
    %694 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %695 = stablehlo.broadcast_in_dim %694, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %696 = spmd.all_reduce %572 {axes = ["batch"], monoid = "sum", partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %697 = stablehlo.multiply %695, %696 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %698 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %698, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %700 = stablehlo.multiply %699, %arg25 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %701 = stablehlo.add %697, %700 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %702 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %703 = stablehlo.broadcast_in_dim %702, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %704 = spmd.all_reduce %570 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %705 = stablehlo.multiply %703, %704 {partir.sharding = "[{}]"} : tensor<16xf32>
    %706 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %707 = stablehlo.broadcast_in_dim %706, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %708 = stablehlo.multiply %707, %arg26 {partir.sharding = "[{}]"} : tensor<16xf32>
    %709 = stablehlo.add %705, %708 {partir.sharding = "[{}]"} : tensor<16xf32>
    %710 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %711 = stablehlo.broadcast_in_dim %710, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %712 = spmd.all_reduce %621 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %713 = stablehlo.multiply %711, %712 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %714 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %715 = stablehlo.broadcast_in_dim %714, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %716 = stablehlo.multiply %715, %arg27 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %717 = stablehlo.add %713, %716 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %718 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %719 = stablehlo.broadcast_in_dim %718, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %720 = spmd.all_reduce %539 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %721 = stablehlo.multiply %719, %720 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %722 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %723 = stablehlo.broadcast_in_dim %722, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %724 = stablehlo.multiply %723, %arg28 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %725 = stablehlo.add %721, %724 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %726 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %726, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %728 = spmd.all_reduce %514 {axes = ["batch"], monoid = "sum", partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %729 = stablehlo.multiply %727, %728 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %730 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %731 = stablehlo.broadcast_in_dim %730, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %732 = stablehlo.multiply %731, %arg29 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %733 = stablehlo.add %729, %732 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %734 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %735 = stablehlo.broadcast_in_dim %734, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %736 = spmd.all_reduce %398 {axes = ["batch"], monoid = "sum", partir.sharding = "[{model}]"} : tensor<16xf32>
    %737 = stablehlo.multiply %735, %736 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %738 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %739 = stablehlo.broadcast_in_dim %738, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %740 = stablehlo.multiply %739, %arg30 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %741 = stablehlo.add %737, %740 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %742 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %743 = stablehlo.broadcast_in_dim %742, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %744 = spmd.all_reduce %373 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %745 = stablehlo.multiply %743, %744 {partir.sharding = "[{}]"} : tensor<16xf32>
    %746 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %747 = stablehlo.broadcast_in_dim %746, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %748 = stablehlo.multiply %747, %arg31 {partir.sharding = "[{}]"} : tensor<16xf32>
    %749 = stablehlo.add %745, %748 {partir.sharding = "[{}]"} : tensor<16xf32>
    %750 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %751 = stablehlo.broadcast_in_dim %750, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %752 = spmd.all_reduce %491 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %753 = stablehlo.multiply %751, %752 {partir.sharding = "[{}]"} : tensor<16xf32>
    %754 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %755 = stablehlo.broadcast_in_dim %754, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %756 = stablehlo.multiply %755, %arg32 {partir.sharding = "[{}]"} : tensor<16xf32>
    %757 = stablehlo.add %753, %756 {partir.sharding = "[{}]"} : tensor<16xf32>
    %758 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %759 = stablehlo.broadcast_in_dim %758, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %760 = spmd.all_reduce %410 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %761 = stablehlo.multiply %759, %760 {partir.sharding = "[{}]"} : tensor<16xf32>
    %762 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %763 = stablehlo.broadcast_in_dim %762, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %764 = stablehlo.multiply %763, %arg33 {partir.sharding = "[{}]"} : tensor<16xf32>
    %765 = stablehlo.add %761, %764 {partir.sharding = "[{}]"} : tensor<16xf32>
    %766 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %767 = stablehlo.broadcast_in_dim %766, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %768 = spmd.all_reduce %433 {axes = ["batch"], monoid = "sum", partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %769 = stablehlo.multiply %767, %768 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %770 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %771 = stablehlo.broadcast_in_dim %770, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %772 = stablehlo.multiply %771, %arg34 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %773 = stablehlo.add %769, %772 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %774 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %775 = stablehlo.broadcast_in_dim %774, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %776 = spmd.all_reduce %431 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}]"} : tensor<16xf32>
    %777 = stablehlo.multiply %775, %776 {partir.sharding = "[{}]"} : tensor<16xf32>
    %778 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %779 = stablehlo.broadcast_in_dim %778, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %780 = stablehlo.multiply %779, %arg35 {partir.sharding = "[{}]"} : tensor<16xf32>
    %781 = stablehlo.add %777, %780 {partir.sharding = "[{}]"} : tensor<16xf32>
    %782 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %783 = stablehlo.broadcast_in_dim %782, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %784 = spmd.all_reduce %482 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %785 = stablehlo.multiply %783, %784 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %786 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %787 = stablehlo.broadcast_in_dim %786, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %788 = stablehlo.multiply %787, %arg36 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %789 = stablehlo.add %785, %788 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %790 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %791 = stablehlo.broadcast_in_dim %790, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %792 = spmd.all_reduce %400 {axes = ["batch"], monoid = "sum", partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %793 = stablehlo.multiply %791, %792 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %794 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %795 = stablehlo.broadcast_in_dim %794, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %796 = stablehlo.multiply %795, %arg37 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %797 = stablehlo.add %793, %796 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %798 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-01> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %798, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %800 = spmd.all_reduce %375 {axes = ["batch"], monoid = "sum", partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %801 = stablehlo.multiply %799, %800 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %802 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %803 = stablehlo.broadcast_in_dim %802, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %804 = stablehlo.multiply %803, %arg38 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %805 = stablehlo.add %801, %804 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %806 = stablehlo.multiply %656, %656 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %807 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %808 = stablehlo.broadcast_in_dim %807, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %809 = stablehlo.multiply %808, %806 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %810 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %811 = stablehlo.broadcast_in_dim %810, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %812 = stablehlo.multiply %811, %arg39 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %813 = stablehlo.add %809, %812 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %814 = stablehlo.multiply %664, %664 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %815 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %816 = stablehlo.broadcast_in_dim %815, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %817 = stablehlo.multiply %816, %814 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %818 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %819 = stablehlo.broadcast_in_dim %818, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %820 = stablehlo.multiply %819, %arg40 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %821 = stablehlo.add %817, %820 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %822 = stablehlo.multiply %672, %672 {partir.sharding = "[{}]"} : tensor<16xf32>
    %823 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %824 = stablehlo.broadcast_in_dim %823, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %825 = stablehlo.multiply %824, %822 {partir.sharding = "[{}]"} : tensor<16xf32>
    %826 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %827 = stablehlo.broadcast_in_dim %826, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %828 = stablehlo.multiply %827, %arg41 {partir.sharding = "[{}]"} : tensor<16xf32>
    %829 = stablehlo.add %825, %828 {partir.sharding = "[{}]"} : tensor<16xf32>
    %830 = stablehlo.multiply %680, %680 {partir.sharding = "[{}]"} : tensor<16xf32>
    %831 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %832 = stablehlo.broadcast_in_dim %831, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %833 = stablehlo.multiply %832, %830 {partir.sharding = "[{}]"} : tensor<16xf32>
    %834 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %835 = stablehlo.broadcast_in_dim %834, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %836 = stablehlo.multiply %835, %arg42 {partir.sharding = "[{}]"} : tensor<16xf32>
    %837 = stablehlo.add %833, %836 {partir.sharding = "[{}]"} : tensor<16xf32>
    %838 = stablehlo.multiply %688, %688 {partir.sharding = "[{}]"} : tensor<16xf32>
    %839 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %840 = stablehlo.broadcast_in_dim %839, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %841 = stablehlo.multiply %840, %838 {partir.sharding = "[{}]"} : tensor<16xf32>
    %842 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %843 = stablehlo.broadcast_in_dim %842, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %844 = stablehlo.multiply %843, %arg43 {partir.sharding = "[{}]"} : tensor<16xf32>
    %845 = stablehlo.add %841, %844 {partir.sharding = "[{}]"} : tensor<16xf32>
    %846 = stablehlo.multiply %696, %696 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %847 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %848 = stablehlo.broadcast_in_dim %847, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %849 = stablehlo.multiply %848, %846 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %850 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %851 = stablehlo.broadcast_in_dim %850, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %852 = stablehlo.multiply %851, %arg44 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %853 = stablehlo.add %849, %852 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %854 = stablehlo.multiply %704, %704 {partir.sharding = "[{}]"} : tensor<16xf32>
    %855 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %856 = stablehlo.broadcast_in_dim %855, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %857 = stablehlo.multiply %856, %854 {partir.sharding = "[{}]"} : tensor<16xf32>
    %858 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %859 = stablehlo.broadcast_in_dim %858, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %860 = stablehlo.multiply %859, %arg45 {partir.sharding = "[{}]"} : tensor<16xf32>
    %861 = stablehlo.add %857, %860 {partir.sharding = "[{}]"} : tensor<16xf32>
    %862 = stablehlo.multiply %712, %712 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %863 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %864 = stablehlo.broadcast_in_dim %863, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %865 = stablehlo.multiply %864, %862 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %866 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %867 = stablehlo.broadcast_in_dim %866, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %868 = stablehlo.multiply %867, %arg46 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %869 = stablehlo.add %865, %868 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %870 = stablehlo.multiply %720, %720 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %871 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %872 = stablehlo.broadcast_in_dim %871, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %873 = stablehlo.multiply %872, %870 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %874 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %875 = stablehlo.broadcast_in_dim %874, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %876 = stablehlo.multiply %875, %arg47 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %877 = stablehlo.add %873, %876 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %878 = stablehlo.multiply %728, %728 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %879 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %880 = stablehlo.broadcast_in_dim %879, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %881 = stablehlo.multiply %880, %878 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %882 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %883 = stablehlo.broadcast_in_dim %882, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %884 = stablehlo.multiply %883, %arg48 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %885 = stablehlo.add %881, %884 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %886 = stablehlo.multiply %736, %736 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %887 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %888 = stablehlo.broadcast_in_dim %887, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %889 = stablehlo.multiply %888, %886 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %890 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %891 = stablehlo.broadcast_in_dim %890, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %892 = stablehlo.multiply %891, %arg49 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %893 = stablehlo.add %889, %892 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %894 = stablehlo.multiply %744, %744 {partir.sharding = "[{}]"} : tensor<16xf32>
    %895 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %896 = stablehlo.broadcast_in_dim %895, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %897 = stablehlo.multiply %896, %894 {partir.sharding = "[{}]"} : tensor<16xf32>
    %898 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %899 = stablehlo.broadcast_in_dim %898, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %900 = stablehlo.multiply %899, %arg50 {partir.sharding = "[{}]"} : tensor<16xf32>
    %901 = stablehlo.add %897, %900 {partir.sharding = "[{}]"} : tensor<16xf32>
    %902 = stablehlo.multiply %752, %752 {partir.sharding = "[{}]"} : tensor<16xf32>
    %903 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %904 = stablehlo.broadcast_in_dim %903, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %905 = stablehlo.multiply %904, %902 {partir.sharding = "[{}]"} : tensor<16xf32>
    %906 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %907 = stablehlo.broadcast_in_dim %906, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %908 = stablehlo.multiply %907, %arg51 {partir.sharding = "[{}]"} : tensor<16xf32>
    %909 = stablehlo.add %905, %908 {partir.sharding = "[{}]"} : tensor<16xf32>
    %910 = stablehlo.multiply %760, %760 {partir.sharding = "[{}]"} : tensor<16xf32>
    %911 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %912 = stablehlo.broadcast_in_dim %911, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %913 = stablehlo.multiply %912, %910 {partir.sharding = "[{}]"} : tensor<16xf32>
    %914 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %915 = stablehlo.broadcast_in_dim %914, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %916 = stablehlo.multiply %915, %arg52 {partir.sharding = "[{}]"} : tensor<16xf32>
    %917 = stablehlo.add %913, %916 {partir.sharding = "[{}]"} : tensor<16xf32>
    %918 = stablehlo.multiply %768, %768 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %919 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %920 = stablehlo.broadcast_in_dim %919, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %921 = stablehlo.multiply %920, %918 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %922 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %923 = stablehlo.broadcast_in_dim %922, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %924 = stablehlo.multiply %923, %arg53 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %925 = stablehlo.add %921, %924 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %926 = stablehlo.multiply %776, %776 {partir.sharding = "[{}]"} : tensor<16xf32>
    %927 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %928 = stablehlo.broadcast_in_dim %927, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %929 = stablehlo.multiply %928, %926 {partir.sharding = "[{}]"} : tensor<16xf32>
    %930 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %931 = stablehlo.broadcast_in_dim %930, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %932 = stablehlo.multiply %931, %arg54 {partir.sharding = "[{}]"} : tensor<16xf32>
    %933 = stablehlo.add %929, %932 {partir.sharding = "[{}]"} : tensor<16xf32>
    %934 = stablehlo.multiply %784, %784 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %935 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %936 = stablehlo.broadcast_in_dim %935, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %937 = stablehlo.multiply %936, %934 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %938 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %939 = stablehlo.broadcast_in_dim %938, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %940 = stablehlo.multiply %939, %arg55 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %941 = stablehlo.add %937, %940 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %942 = stablehlo.multiply %792, %792 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %943 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %944 = stablehlo.broadcast_in_dim %943, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %945 = stablehlo.multiply %944, %942 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %946 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %947 = stablehlo.broadcast_in_dim %946, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %948 = stablehlo.multiply %947, %arg56 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %949 = stablehlo.add %945, %948 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %950 = stablehlo.multiply %800, %800 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %951 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-03> : tensor<f32>
    %952 = stablehlo.broadcast_in_dim %951, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %953 = stablehlo.multiply %952, %950 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %954 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %955 = stablehlo.broadcast_in_dim %954, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %956 = stablehlo.multiply %955, %arg57 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %957 = stablehlo.add %953, %956 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %958 = stablehlo.constant {partir.sharding = "[]"} dense<2147483647> : tensor<i32>
    %959 = stablehlo.compare LT, %arg19, %958, SIGNED {partir.sharding = "[]"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %960 = stablehlo.constant {partir.sharding = "[]"} dense<1> : tensor<i32>
    %961 = stablehlo.add %arg19, %960 {partir.sharding = "[]"} : tensor<i32>
    %962 = stablehlo.constant {partir.sharding = "[]"} dense<2147483647> : tensor<i32>
    %963 = stablehlo.select %959, %961, %962 {partir.sharding = "[]"} : tensor<i1>, tensor<i32>
    %964 = stablehlo.constant {partir.sharding = "[]"} dense<9.000000e-01> : tensor<f32>
    %965 = stablehlo.convert %963 {partir.sharding = "[]"} : (tensor<i32>) -> tensor<f32>
    %966 = stablehlo.power %964, %965 {partir.sharding = "[]"} : tensor<f32>
    %967 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %968 = stablehlo.subtract %967, %966 {partir.sharding = "[]"} : tensor<f32>
    %969 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %970 = stablehlo.divide %661, %969 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %971 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %972 = stablehlo.divide %669, %971 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %973 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %974 = stablehlo.divide %677, %973 {partir.sharding = "[{}]"} : tensor<16xf32>
    %975 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %976 = stablehlo.divide %685, %975 {partir.sharding = "[{}]"} : tensor<16xf32>
    %977 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %978 = stablehlo.divide %693, %977 {partir.sharding = "[{}]"} : tensor<16xf32>
    %979 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %980 = stablehlo.divide %701, %979 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %981 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %982 = stablehlo.divide %709, %981 {partir.sharding = "[{}]"} : tensor<16xf32>
    %983 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %984 = stablehlo.divide %717, %983 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %985 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %986 = stablehlo.divide %725, %985 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %987 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %988 = stablehlo.divide %733, %987 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %989 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %990 = stablehlo.divide %741, %989 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %991 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %992 = stablehlo.divide %749, %991 {partir.sharding = "[{}]"} : tensor<16xf32>
    %993 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %994 = stablehlo.divide %757, %993 {partir.sharding = "[{}]"} : tensor<16xf32>
    %995 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %996 = stablehlo.divide %765, %995 {partir.sharding = "[{}]"} : tensor<16xf32>
    %997 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %998 = stablehlo.divide %773, %997 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %999 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1000 = stablehlo.divide %781, %999 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1001 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1002 = stablehlo.divide %789, %1001 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1003 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1004 = stablehlo.divide %797, %1003 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1005 = stablehlo.broadcast_in_dim %968, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1006 = stablehlo.divide %805, %1005 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1007 = stablehlo.constant {partir.sharding = "[]"} dense<9.990000e-01> : tensor<f32>
    %1008 = stablehlo.convert %963 {partir.sharding = "[]"} : (tensor<i32>) -> tensor<f32>
    %1009 = stablehlo.power %1007, %1008 {partir.sharding = "[]"} : tensor<f32>
    %1010 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e+00> : tensor<f32>
    %1011 = stablehlo.subtract %1010, %1009 {partir.sharding = "[]"} : tensor<f32>
    %1012 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %1013 = stablehlo.divide %813, %1012 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %1014 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1015 = stablehlo.divide %821, %1014 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1016 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1017 = stablehlo.divide %829, %1016 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1018 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1019 = stablehlo.divide %837, %1018 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1020 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1021 = stablehlo.divide %845, %1020 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1022 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1023 = stablehlo.divide %853, %1022 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1024 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1025 = stablehlo.divide %861, %1024 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1026 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1027 = stablehlo.divide %869, %1026 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1028 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1029 = stablehlo.divide %877, %1028 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1030 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1031 = stablehlo.divide %885, %1030 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1032 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1033 = stablehlo.divide %893, %1032 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1034 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1035 = stablehlo.divide %901, %1034 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1036 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1037 = stablehlo.divide %909, %1036 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1038 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1039 = stablehlo.divide %917, %1038 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1040 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1041 = stablehlo.divide %925, %1040 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1042 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1043 = stablehlo.divide %933, %1042 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1044 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1045 = stablehlo.divide %941, %1044 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1046 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1047 = stablehlo.divide %949, %1046 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1048 = stablehlo.broadcast_in_dim %1011, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1049 = stablehlo.divide %957, %1048 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1050 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1051 = stablehlo.broadcast_in_dim %1050, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %1052 = stablehlo.add %1013, %1051 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %1053 = stablehlo.sqrt %1052 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %1054 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1055 = stablehlo.broadcast_in_dim %1054, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %1056 = stablehlo.add %1053, %1055 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %1057 = stablehlo.divide %970, %1056 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %1058 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1059 = stablehlo.broadcast_in_dim %1058, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1060 = stablehlo.add %1015, %1059 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1061 = stablehlo.sqrt %1060 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1062 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1063 = stablehlo.broadcast_in_dim %1062, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1064 = stablehlo.add %1061, %1063 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1065 = stablehlo.divide %972, %1064 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1066 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1067 = stablehlo.broadcast_in_dim %1066, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1068 = stablehlo.add %1017, %1067 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1069 = stablehlo.sqrt %1068 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1070 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1071 = stablehlo.broadcast_in_dim %1070, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1072 = stablehlo.add %1069, %1071 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1073 = stablehlo.divide %974, %1072 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1074 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1075 = stablehlo.broadcast_in_dim %1074, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1076 = stablehlo.add %1019, %1075 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1077 = stablehlo.sqrt %1076 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1078 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1079 = stablehlo.broadcast_in_dim %1078, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1080 = stablehlo.add %1077, %1079 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1081 = stablehlo.divide %976, %1080 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1082 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1083 = stablehlo.broadcast_in_dim %1082, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1084 = stablehlo.add %1021, %1083 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1085 = stablehlo.sqrt %1084 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1086 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1087 = stablehlo.broadcast_in_dim %1086, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1088 = stablehlo.add %1085, %1087 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1089 = stablehlo.divide %978, %1088 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1090 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1091 = stablehlo.broadcast_in_dim %1090, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1092 = stablehlo.add %1023, %1091 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1093 = stablehlo.sqrt %1092 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1094 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1095 = stablehlo.broadcast_in_dim %1094, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1096 = stablehlo.add %1093, %1095 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1097 = stablehlo.divide %980, %1096 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1098 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1099 = stablehlo.broadcast_in_dim %1098, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1100 = stablehlo.add %1025, %1099 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1101 = stablehlo.sqrt %1100 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1102 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1103 = stablehlo.broadcast_in_dim %1102, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1104 = stablehlo.add %1101, %1103 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1105 = stablehlo.divide %982, %1104 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1106 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1107 = stablehlo.broadcast_in_dim %1106, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1108 = stablehlo.add %1027, %1107 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1109 = stablehlo.sqrt %1108 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1110 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1111 = stablehlo.broadcast_in_dim %1110, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1112 = stablehlo.add %1109, %1111 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1113 = stablehlo.divide %984, %1112 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1114 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1115 = stablehlo.broadcast_in_dim %1114, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1116 = stablehlo.add %1029, %1115 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1117 = stablehlo.sqrt %1116 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1118 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1119 = stablehlo.broadcast_in_dim %1118, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1120 = stablehlo.add %1117, %1119 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1121 = stablehlo.divide %986, %1120 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1122 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1123 = stablehlo.broadcast_in_dim %1122, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1124 = stablehlo.add %1031, %1123 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1125 = stablehlo.sqrt %1124 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1126 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1127 = stablehlo.broadcast_in_dim %1126, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1128 = stablehlo.add %1125, %1127 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1129 = stablehlo.divide %988, %1128 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1130 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1131 = stablehlo.broadcast_in_dim %1130, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1132 = stablehlo.add %1033, %1131 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1133 = stablehlo.sqrt %1132 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1134 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1135 = stablehlo.broadcast_in_dim %1134, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1136 = stablehlo.add %1133, %1135 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1137 = stablehlo.divide %990, %1136 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1138 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1139 = stablehlo.broadcast_in_dim %1138, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1140 = stablehlo.add %1035, %1139 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1141 = stablehlo.sqrt %1140 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1142 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1143 = stablehlo.broadcast_in_dim %1142, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1144 = stablehlo.add %1141, %1143 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1145 = stablehlo.divide %992, %1144 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1146 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1147 = stablehlo.broadcast_in_dim %1146, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1148 = stablehlo.add %1037, %1147 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1149 = stablehlo.sqrt %1148 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1150 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1151 = stablehlo.broadcast_in_dim %1150, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1152 = stablehlo.add %1149, %1151 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1153 = stablehlo.divide %994, %1152 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1154 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1155 = stablehlo.broadcast_in_dim %1154, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1156 = stablehlo.add %1039, %1155 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1157 = stablehlo.sqrt %1156 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1158 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1159 = stablehlo.broadcast_in_dim %1158, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1160 = stablehlo.add %1157, %1159 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1161 = stablehlo.divide %996, %1160 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1162 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1163 = stablehlo.broadcast_in_dim %1162, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1164 = stablehlo.add %1041, %1163 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1165 = stablehlo.sqrt %1164 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1166 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1167 = stablehlo.broadcast_in_dim %1166, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1168 = stablehlo.add %1165, %1167 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1169 = stablehlo.divide %998, %1168 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1170 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1171 = stablehlo.broadcast_in_dim %1170, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1172 = stablehlo.add %1043, %1171 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1173 = stablehlo.sqrt %1172 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1174 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1175 = stablehlo.broadcast_in_dim %1174, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1176 = stablehlo.add %1173, %1175 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1177 = stablehlo.divide %1000, %1176 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1178 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1179 = stablehlo.broadcast_in_dim %1178, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1180 = stablehlo.add %1045, %1179 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1181 = stablehlo.sqrt %1180 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1182 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1183 = stablehlo.broadcast_in_dim %1182, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1184 = stablehlo.add %1181, %1183 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1185 = stablehlo.divide %1002, %1184 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1186 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1187 = stablehlo.broadcast_in_dim %1186, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1188 = stablehlo.add %1047, %1187 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1189 = stablehlo.sqrt %1188 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1190 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1191 = stablehlo.broadcast_in_dim %1190, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1192 = stablehlo.add %1189, %1191 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1193 = stablehlo.divide %1004, %1192 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1194 = stablehlo.constant {partir.sharding = "[]"} dense<0.000000e+00> : tensor<f32>
    %1195 = stablehlo.broadcast_in_dim %1194, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1196 = stablehlo.add %1049, %1195 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1197 = stablehlo.sqrt %1196 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1198 = stablehlo.constant {partir.sharding = "[]"} dense<1.000000e-08> : tensor<f32>
    %1199 = stablehlo.broadcast_in_dim %1198, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1200 = stablehlo.add %1197, %1199 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1201 = stablehlo.divide %1006, %1200 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1202 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1203 = stablehlo.broadcast_in_dim %1202, dims = [] {partir.sharding = "[{}, {}]"} : (tensor<f32>) -> tensor<64x16xf32>
    %1204 = stablehlo.multiply %1203, %1057 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %1205 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1206 = stablehlo.broadcast_in_dim %1205, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1207 = stablehlo.multiply %1206, %1065 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1208 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1209 = stablehlo.broadcast_in_dim %1208, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1210 = stablehlo.multiply %1209, %1073 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1211 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1212 = stablehlo.broadcast_in_dim %1211, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1213 = stablehlo.multiply %1212, %1081 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1214 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1215 = stablehlo.broadcast_in_dim %1214, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1216 = stablehlo.multiply %1215, %1089 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1217 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1218 = stablehlo.broadcast_in_dim %1217, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1219 = stablehlo.multiply %1218, %1097 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1220 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1221 = stablehlo.broadcast_in_dim %1220, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1222 = stablehlo.multiply %1221, %1105 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1223 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1224 = stablehlo.broadcast_in_dim %1223, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1225 = stablehlo.multiply %1224, %1113 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1226 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1227 = stablehlo.broadcast_in_dim %1226, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1228 = stablehlo.multiply %1227, %1121 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1229 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1230 = stablehlo.broadcast_in_dim %1229, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1231 = stablehlo.multiply %1230, %1129 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1232 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1233 = stablehlo.broadcast_in_dim %1232, dims = [] {partir.sharding = "[{model}]"} : (tensor<f32>) -> tensor<16xf32>
    %1234 = stablehlo.multiply %1233, %1137 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1235 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1236 = stablehlo.broadcast_in_dim %1235, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1237 = stablehlo.multiply %1236, %1145 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1238 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1239 = stablehlo.broadcast_in_dim %1238, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1240 = stablehlo.multiply %1239, %1153 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1241 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1242 = stablehlo.broadcast_in_dim %1241, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1243 = stablehlo.multiply %1242, %1161 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1244 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1245 = stablehlo.broadcast_in_dim %1244, dims = [] {partir.sharding = "[{model}, {}, {}]"} : (tensor<f32>) -> tensor<2x4x16xf32>
    %1246 = stablehlo.multiply %1245, %1169 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1247 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1248 = stablehlo.broadcast_in_dim %1247, dims = [] {partir.sharding = "[{}]"} : (tensor<f32>) -> tensor<16xf32>
    %1249 = stablehlo.multiply %1248, %1177 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1250 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1251 = stablehlo.broadcast_in_dim %1250, dims = [] {partir.sharding = "[{}, {}, {model}, {}]"} : (tensor<f32>) -> tensor<3x16x2x4xf32>
    %1252 = stablehlo.multiply %1251, %1185 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1253 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1254 = stablehlo.broadcast_in_dim %1253, dims = [] {partir.sharding = "[{}, {model}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1255 = stablehlo.multiply %1254, %1193 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1256 = stablehlo.constant {partir.sharding = "[]"} dense<-1.000000e-03> : tensor<f32>
    %1257 = stablehlo.broadcast_in_dim %1256, dims = [] {partir.sharding = "[{model}, {}]"} : (tensor<f32>) -> tensor<16x16xf32>
    %1258 = stablehlo.multiply %1257, %1201 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1259 = stablehlo.add %arg0, %1204 {partir.sharding = "[{}, {}]"} : tensor<64x16xf32>
    %1260 = stablehlo.add %arg1, %1207 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1261 = stablehlo.add %arg2, %1210 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1262 = stablehlo.add %arg3, %1213 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1263 = stablehlo.add %arg4, %1216 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1264 = stablehlo.add %arg5, %1219 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1265 = stablehlo.add %arg6, %1222 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1266 = stablehlo.add %arg7, %1225 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1267 = stablehlo.add %arg8, %1228 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1268 = stablehlo.add %arg9, %1231 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1269 = stablehlo.add %arg10, %1234 {partir.sharding = "[{model}]"} : tensor<16xf32>
    %1270 = stablehlo.add %arg11, %1237 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1271 = stablehlo.add %arg12, %1240 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1272 = stablehlo.add %arg13, %1243 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1273 = stablehlo.add %arg14, %1246 {partir.sharding = "[{model}, {}, {}]"} : tensor<2x4x16xf32>
    %1274 = stablehlo.add %arg15, %1249 {partir.sharding = "[{}]"} : tensor<16xf32>
    %1275 = stablehlo.add %arg16, %1252 {partir.sharding = "[{}, {}, {model}, {}]"} : tensor<3x16x2x4xf32>
    %1276 = stablehlo.add %arg17, %1255 {partir.sharding = "[{}, {model}]"} : tensor<16x16xf32>
    %1277 = stablehlo.add %arg18, %1258 {partir.sharding = "[{model}, {}]"} : tensor<16x16xf32>
    %1278 = spmd.all_reduce %328 {axes = ["batch"], monoid = "sum", partir.sharding = "[]"} : tensor<f32>
    return %1259, %1260, %1261, %1262, %1263, %1264, %1265, %1266, %1267, %1268, %1269, %1270, %1271, %1272, %1273, %1274, %1275, %1276, %1277, %963, %661, %669, %677, %685, %693, %701, %709, %717, %725, %733, %741, %749, %757, %765, %773, %781, %789, %797, %805, %813, %821, %829, %837, %845, %853, %861, %869, %877, %885, %893, %901, %909, %917, %925, %933, %941, %949, %957, %1278 : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x4x16xf32>, tensor<16xf32>, tensor<3x16x2x4xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x4x16xf32>, tensor<16xf32>, tensor<3x16x2x4xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x4x16xf32>, tensor<16xf32>, tensor<3x16x2x4xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x4x16xf32>, tensor<16xf32>, tensor<3x16x2x4xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x4x16xf32>, tensor<16xf32>, tensor<3x16x2x4xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x4x16xf32>, tensor<16xf32>, tensor<3x16x2x4xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
  }
}
