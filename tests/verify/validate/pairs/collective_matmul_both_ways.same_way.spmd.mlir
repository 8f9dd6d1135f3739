// EXPECT: different (the second half is placed as the first)
module @spmd attributes {mhlo.frontend_attributes = {partir.mesh = "x=4"}, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg2: tensor<2x4xf32> {mhlo.frontend_attributes = {partir.sharding = "[{x}, {}]"}}, %arg3: tensor<4x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}]"}}) -> (tensor<8x2xf32> {mhlo.frontend_attributes = {partir.sharding = "[{}, {x}]"}}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %2 = stablehlo.slice %arg2 [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.slice %arg2 [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %4 = stablehlo.partition_id : tensor<ui32>
    %5 = stablehlo.divide %4, %c : tensor<ui32>
    %6 = stablehlo.remainder %5, %c_0 : tensor<ui32>
    %7 = stablehlo.convert %6 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.subtract %7, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %9 = func.call @remainder(%8, %c_2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = stablehlo.dot_general %2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %11 = stablehlo.multiply %9, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.compare LT, %11, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<8> : tensor<i32>
    %13 = stablehlo.add %11, %c_5 : tensor<i32>
    %14 = stablehlo.select %12, %13, %11 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.compare LT, %c_6, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %c_9 = stablehlo.constant dense<2> : tensor<i32>
    %16 = stablehlo.add %c_8, %c_9 : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.select %15, %16, %c_10 : tensor<i1>, tensor<i32>
    %18 = stablehlo.dynamic_update_slice %1, %10, %14, %17 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %19 = stablehlo.dot_general %3, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_11 = stablehlo.constant dense<2> : tensor<i32>
    %20 = stablehlo.multiply %9, %c_11 : tensor<i32>
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.add %20, %c_12 : tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.compare LT, %21, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<8> : tensor<i32>
    %23 = stablehlo.add %21, %c_14 : tensor<i32>
    %24 = stablehlo.select %22, %23, %21 : tensor<i1>, tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.compare LT, %c_15, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %c_18 = stablehlo.constant dense<2> : tensor<i32>
    %26 = stablehlo.add %c_17, %c_18 : tensor<i32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.select %25, %26, %c_19 : tensor<i1>, tensor<i32>
    %28 = stablehlo.dynamic_update_slice %18, %19, %24, %27 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %29 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %30 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %c_20 = stablehlo.constant dense<1> : tensor<ui32>
    %c_21 = stablehlo.constant dense<4> : tensor<ui32>
    %31 = stablehlo.partition_id : tensor<ui32>
    %32 = stablehlo.divide %31, %c_20 : tensor<ui32>
    %33 = stablehlo.remainder %32, %c_21 : tensor<ui32>
    %34 = stablehlo.convert %33 : (tensor<ui32>) -> tensor<i32>
    %c_22 = stablehlo.constant dense<1> : tensor<i32>
    %35 = stablehlo.subtract %34, %c_22 : tensor<i32>
    %c_23 = stablehlo.constant dense<4> : tensor<i32>
    %36 = func.call @remainder(%35, %c_23) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %37 = stablehlo.dot_general %29, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_24 = stablehlo.constant dense<2> : tensor<i32>
    %38 = stablehlo.multiply %36, %c_24 : tensor<i32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.compare LT, %38, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_26 = stablehlo.constant dense<8> : tensor<i32>
    %40 = stablehlo.add %38, %c_26 : tensor<i32>
    %41 = stablehlo.select %39, %40, %38 : tensor<i1>, tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %42 = stablehlo.compare LT, %c_27, %c_28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %c_30 = stablehlo.constant dense<2> : tensor<i32>
    %43 = stablehlo.add %c_29, %c_30 : tensor<i32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %44 = stablehlo.select %42, %43, %c_31 : tensor<i1>, tensor<i32>
    %45 = stablehlo.dynamic_update_slice %28, %37, %41, %44 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %46 = stablehlo.dot_general %30, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_32 = stablehlo.constant dense<2> : tensor<i32>
    %47 = stablehlo.multiply %36, %c_32 : tensor<i32>
    %c_33 = stablehlo.constant dense<1> : tensor<i32>
    %48 = stablehlo.add %47, %c_33 : tensor<i32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.compare LT, %48, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_35 = stablehlo.constant dense<8> : tensor<i32>
    %50 = stablehlo.add %48, %c_35 : tensor<i32>
    %51 = stablehlo.select %49, %50, %48 : tensor<i1>, tensor<i32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %52 = stablehlo.compare LT, %c_36, %c_37, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %c_39 = stablehlo.constant dense<2> : tensor<i32>
    %53 = stablehlo.add %c_38, %c_39 : tensor<i32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.select %52, %53, %c_40 : tensor<i1>, tensor<i32>
    %55 = stablehlo.dynamic_update_slice %45, %46, %51, %54 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %56 = "stablehlo.collective_permute"(%29) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %57 = "stablehlo.collective_permute"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %c_41 = stablehlo.constant dense<1> : tensor<ui32>
    %c_42 = stablehlo.constant dense<4> : tensor<ui32>
    %58 = stablehlo.partition_id : tensor<ui32>
    %59 = stablehlo.divide %58, %c_41 : tensor<ui32>
    %60 = stablehlo.remainder %59, %c_42 : tensor<ui32>
    %61 = stablehlo.convert %60 : (tensor<ui32>) -> tensor<i32>
    %c_43 = stablehlo.constant dense<2> : tensor<i32>
    %62 = stablehlo.subtract %61, %c_43 : tensor<i32>
    %c_44 = stablehlo.constant dense<4> : tensor<i32>
    %63 = func.call @remainder(%62, %c_44) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %64 = stablehlo.dot_general %56, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_45 = stablehlo.constant dense<2> : tensor<i32>
    %65 = stablehlo.multiply %63, %c_45 : tensor<i32>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.compare LT, %65, %c_46, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_47 = stablehlo.constant dense<8> : tensor<i32>
    %67 = stablehlo.add %65, %c_47 : tensor<i32>
    %68 = stablehlo.select %66, %67, %65 : tensor<i1>, tensor<i32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %c_49 = stablehlo.constant dense<0> : tensor<i32>
    %69 = stablehlo.compare LT, %c_48, %c_49, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_50 = stablehlo.constant dense<0> : tensor<i32>
    %c_51 = stablehlo.constant dense<2> : tensor<i32>
    %70 = stablehlo.add %c_50, %c_51 : tensor<i32>
    %c_52 = stablehlo.constant dense<0> : tensor<i32>
    %71 = stablehlo.select %69, %70, %c_52 : tensor<i1>, tensor<i32>
    %72 = stablehlo.dynamic_update_slice %55, %64, %68, %71 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %73 = stablehlo.dot_general %57, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_53 = stablehlo.constant dense<2> : tensor<i32>
    %74 = stablehlo.multiply %63, %c_53 : tensor<i32>
    %c_54 = stablehlo.constant dense<1> : tensor<i32>
    %75 = stablehlo.add %74, %c_54 : tensor<i32>
    %c_55 = stablehlo.constant dense<0> : tensor<i32>
    %76 = stablehlo.compare LT, %75, %c_55, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_56 = stablehlo.constant dense<8> : tensor<i32>
    %77 = stablehlo.add %75, %c_56 : tensor<i32>
    %78 = stablehlo.select %76, %77, %75 : tensor<i1>, tensor<i32>
    %c_57 = stablehlo.constant dense<0> : tensor<i32>
    %c_58 = stablehlo.constant dense<0> : tensor<i32>
    %79 = stablehlo.compare LT, %c_57, %c_58, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_59 = stablehlo.constant dense<0> : tensor<i32>
    %c_60 = stablehlo.constant dense<2> : tensor<i32>
    %80 = stablehlo.add %c_59, %c_60 : tensor<i32>
    %c_61 = stablehlo.constant dense<0> : tensor<i32>
    %81 = stablehlo.select %79, %80, %c_61 : tensor<i1>, tensor<i32>
    %82 = stablehlo.dynamic_update_slice %72, %73, %78, %81 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %83 = "stablehlo.collective_permute"(%56) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %84 = "stablehlo.collective_permute"(%57) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %c_62 = stablehlo.constant dense<1> : tensor<ui32>
    %c_63 = stablehlo.constant dense<4> : tensor<ui32>
    %85 = stablehlo.partition_id : tensor<ui32>
    %86 = stablehlo.divide %85, %c_62 : tensor<ui32>
    %87 = stablehlo.remainder %86, %c_63 : tensor<ui32>
    %88 = stablehlo.convert %87 : (tensor<ui32>) -> tensor<i32>
    %c_64 = stablehlo.constant dense<3> : tensor<i32>
    %89 = stablehlo.subtract %88, %c_64 : tensor<i32>
    %c_65 = stablehlo.constant dense<4> : tensor<i32>
    %90 = func.call @remainder(%89, %c_65) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %91 = stablehlo.dot_general %83, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_66 = stablehlo.constant dense<2> : tensor<i32>
    %92 = stablehlo.multiply %90, %c_66 : tensor<i32>
    %c_67 = stablehlo.constant dense<0> : tensor<i32>
    %93 = stablehlo.compare LT, %92, %c_67, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_68 = stablehlo.constant dense<8> : tensor<i32>
    %94 = stablehlo.add %92, %c_68 : tensor<i32>
    %95 = stablehlo.select %93, %94, %92 : tensor<i1>, tensor<i32>
    %c_69 = stablehlo.constant dense<0> : tensor<i32>
    %c_70 = stablehlo.constant dense<0> : tensor<i32>
    %96 = stablehlo.compare LT, %c_69, %c_70, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_71 = stablehlo.constant dense<0> : tensor<i32>
    %c_72 = stablehlo.constant dense<2> : tensor<i32>
    %97 = stablehlo.add %c_71, %c_72 : tensor<i32>
    %c_73 = stablehlo.constant dense<0> : tensor<i32>
    %98 = stablehlo.select %96, %97, %c_73 : tensor<i1>, tensor<i32>
    %99 = stablehlo.dynamic_update_slice %82, %91, %95, %98 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %100 = stablehlo.dot_general %84, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_74 = stablehlo.constant dense<2> : tensor<i32>
    %101 = stablehlo.multiply %90, %c_74 : tensor<i32>
    %c_75 = stablehlo.constant dense<1> : tensor<i32>
    %102 = stablehlo.add %101, %c_75 : tensor<i32>
    %c_76 = stablehlo.constant dense<0> : tensor<i32>
    %103 = stablehlo.compare LT, %102, %c_76, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_77 = stablehlo.constant dense<8> : tensor<i32>
    %104 = stablehlo.add %102, %c_77 : tensor<i32>
    %105 = stablehlo.select %103, %104, %102 : tensor<i1>, tensor<i32>
    %c_78 = stablehlo.constant dense<0> : tensor<i32>
    %c_79 = stablehlo.constant dense<0> : tensor<i32>
    %106 = stablehlo.compare LT, %c_78, %c_79, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_80 = stablehlo.constant dense<0> : tensor<i32>
    %c_81 = stablehlo.constant dense<2> : tensor<i32>
    %107 = stablehlo.add %c_80, %c_81 : tensor<i32>
    %c_82 = stablehlo.constant dense<0> : tensor<i32>
    %108 = stablehlo.select %106, %107, %c_82 : tensor<i1>, tensor<i32>
    %109 = stablehlo.dynamic_update_slice %99, %100, %105, %108 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    return %109 : tensor<8x2xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
