// EXPECT: equal
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
    %c_3 = stablehlo.constant dense<1> : tensor<ui32>
    %c_4 = stablehlo.constant dense<4> : tensor<ui32>
    %10 = stablehlo.partition_id : tensor<ui32>
    %11 = stablehlo.divide %10, %c_3 : tensor<ui32>
    %12 = stablehlo.remainder %11, %c_4 : tensor<ui32>
    %13 = stablehlo.convert %12 : (tensor<ui32>) -> tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.add %13, %c_5 : tensor<i32>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %15 = func.call @remainder(%14, %c_6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %16 = stablehlo.dot_general %2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %17 = stablehlo.multiply %9, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.compare LT, %17, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<8> : tensor<i32>
    %19 = stablehlo.add %17, %c_9 : tensor<i32>
    %20 = stablehlo.select %18, %19, %17 : tensor<i1>, tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.compare LT, %c_10, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %c_13 = stablehlo.constant dense<2> : tensor<i32>
    %22 = stablehlo.add %c_12, %c_13 : tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.select %21, %22, %c_14 : tensor<i1>, tensor<i32>
    %24 = stablehlo.dynamic_update_slice %1, %16, %20, %23 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %25 = stablehlo.dot_general %3, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_15 = stablehlo.constant dense<2> : tensor<i32>
    %26 = stablehlo.multiply %15, %c_15 : tensor<i32>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %27 = stablehlo.add %26, %c_16 : tensor<i32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.compare LT, %27, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_18 = stablehlo.constant dense<8> : tensor<i32>
    %29 = stablehlo.add %27, %c_18 : tensor<i32>
    %30 = stablehlo.select %28, %29, %27 : tensor<i1>, tensor<i32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.compare LT, %c_19, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %c_22 = stablehlo.constant dense<2> : tensor<i32>
    %32 = stablehlo.add %c_21, %c_22 : tensor<i32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %33 = stablehlo.select %31, %32, %c_23 : tensor<i1>, tensor<i32>
    %34 = stablehlo.dynamic_update_slice %24, %25, %30, %33 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %35 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %36 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %c_24 = stablehlo.constant dense<1> : tensor<ui32>
    %c_25 = stablehlo.constant dense<4> : tensor<ui32>
    %37 = stablehlo.partition_id : tensor<ui32>
    %38 = stablehlo.divide %37, %c_24 : tensor<ui32>
    %39 = stablehlo.remainder %38, %c_25 : tensor<ui32>
    %40 = stablehlo.convert %39 : (tensor<ui32>) -> tensor<i32>
    %c_26 = stablehlo.constant dense<1> : tensor<i32>
    %41 = stablehlo.subtract %40, %c_26 : tensor<i32>
    %c_27 = stablehlo.constant dense<4> : tensor<i32>
    %42 = func.call @remainder(%41, %c_27) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_28 = stablehlo.constant dense<1> : tensor<ui32>
    %c_29 = stablehlo.constant dense<4> : tensor<ui32>
    %43 = stablehlo.partition_id : tensor<ui32>
    %44 = stablehlo.divide %43, %c_28 : tensor<ui32>
    %45 = stablehlo.remainder %44, %c_29 : tensor<ui32>
    %46 = stablehlo.convert %45 : (tensor<ui32>) -> tensor<i32>
    %c_30 = stablehlo.constant dense<1> : tensor<i32>
    %47 = stablehlo.add %46, %c_30 : tensor<i32>
    %c_31 = stablehlo.constant dense<4> : tensor<i32>
    %48 = func.call @remainder(%47, %c_31) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %49 = stablehlo.dot_general %35, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_32 = stablehlo.constant dense<2> : tensor<i32>
    %50 = stablehlo.multiply %42, %c_32 : tensor<i32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.compare LT, %50, %c_33, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_34 = stablehlo.constant dense<8> : tensor<i32>
    %52 = stablehlo.add %50, %c_34 : tensor<i32>
    %53 = stablehlo.select %51, %52, %50 : tensor<i1>, tensor<i32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.compare LT, %c_35, %c_36, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %c_38 = stablehlo.constant dense<2> : tensor<i32>
    %55 = stablehlo.add %c_37, %c_38 : tensor<i32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.select %54, %55, %c_39 : tensor<i1>, tensor<i32>
    %57 = stablehlo.dynamic_update_slice %34, %49, %53, %56 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %58 = stablehlo.dot_general %36, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_40 = stablehlo.constant dense<2> : tensor<i32>
    %59 = stablehlo.multiply %48, %c_40 : tensor<i32>
    %c_41 = stablehlo.constant dense<1> : tensor<i32>
    %60 = stablehlo.add %59, %c_41 : tensor<i32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %61 = stablehlo.compare LT, %60, %c_42, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_43 = stablehlo.constant dense<8> : tensor<i32>
    %62 = stablehlo.add %60, %c_43 : tensor<i32>
    %63 = stablehlo.select %61, %62, %60 : tensor<i1>, tensor<i32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %64 = stablehlo.compare LT, %c_44, %c_45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %c_47 = stablehlo.constant dense<2> : tensor<i32>
    %65 = stablehlo.add %c_46, %c_47 : tensor<i32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.select %64, %65, %c_48 : tensor<i1>, tensor<i32>
    %67 = stablehlo.dynamic_update_slice %57, %58, %63, %66 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %68 = "stablehlo.collective_permute"(%35) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %69 = "stablehlo.collective_permute"(%36) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %c_49 = stablehlo.constant dense<1> : tensor<ui32>
    %c_50 = stablehlo.constant dense<4> : tensor<ui32>
    %70 = stablehlo.partition_id : tensor<ui32>
    %71 = stablehlo.divide %70, %c_49 : tensor<ui32>
    %72 = stablehlo.remainder %71, %c_50 : tensor<ui32>
    %73 = stablehlo.convert %72 : (tensor<ui32>) -> tensor<i32>
    %c_51 = stablehlo.constant dense<2> : tensor<i32>
    %74 = stablehlo.subtract %73, %c_51 : tensor<i32>
    %c_52 = stablehlo.constant dense<4> : tensor<i32>
    %75 = func.call @remainder(%74, %c_52) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_53 = stablehlo.constant dense<1> : tensor<ui32>
    %c_54 = stablehlo.constant dense<4> : tensor<ui32>
    %76 = stablehlo.partition_id : tensor<ui32>
    %77 = stablehlo.divide %76, %c_53 : tensor<ui32>
    %78 = stablehlo.remainder %77, %c_54 : tensor<ui32>
    %79 = stablehlo.convert %78 : (tensor<ui32>) -> tensor<i32>
    %c_55 = stablehlo.constant dense<2> : tensor<i32>
    %80 = stablehlo.add %79, %c_55 : tensor<i32>
    %c_56 = stablehlo.constant dense<4> : tensor<i32>
    %81 = func.call @remainder(%80, %c_56) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %82 = stablehlo.dot_general %68, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_57 = stablehlo.constant dense<2> : tensor<i32>
    %83 = stablehlo.multiply %75, %c_57 : tensor<i32>
    %c_58 = stablehlo.constant dense<0> : tensor<i32>
    %84 = stablehlo.compare LT, %83, %c_58, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_59 = stablehlo.constant dense<8> : tensor<i32>
    %85 = stablehlo.add %83, %c_59 : tensor<i32>
    %86 = stablehlo.select %84, %85, %83 : tensor<i1>, tensor<i32>
    %c_60 = stablehlo.constant dense<0> : tensor<i32>
    %c_61 = stablehlo.constant dense<0> : tensor<i32>
    %87 = stablehlo.compare LT, %c_60, %c_61, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_62 = stablehlo.constant dense<0> : tensor<i32>
    %c_63 = stablehlo.constant dense<2> : tensor<i32>
    %88 = stablehlo.add %c_62, %c_63 : tensor<i32>
    %c_64 = stablehlo.constant dense<0> : tensor<i32>
    %89 = stablehlo.select %87, %88, %c_64 : tensor<i1>, tensor<i32>
    %90 = stablehlo.dynamic_update_slice %67, %82, %86, %89 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %91 = stablehlo.dot_general %69, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_65 = stablehlo.constant dense<2> : tensor<i32>
    %92 = stablehlo.multiply %81, %c_65 : tensor<i32>
    %c_66 = stablehlo.constant dense<1> : tensor<i32>
    %93 = stablehlo.add %92, %c_66 : tensor<i32>
    %c_67 = stablehlo.constant dense<0> : tensor<i32>
    %94 = stablehlo.compare LT, %93, %c_67, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_68 = stablehlo.constant dense<8> : tensor<i32>
    %95 = stablehlo.add %93, %c_68 : tensor<i32>
    %96 = stablehlo.select %94, %95, %93 : tensor<i1>, tensor<i32>
    %c_69 = stablehlo.constant dense<0> : tensor<i32>
    %c_70 = stablehlo.constant dense<0> : tensor<i32>
    %97 = stablehlo.compare LT, %c_69, %c_70, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_71 = stablehlo.constant dense<0> : tensor<i32>
    %c_72 = stablehlo.constant dense<2> : tensor<i32>
    %98 = stablehlo.add %c_71, %c_72 : tensor<i32>
    %c_73 = stablehlo.constant dense<0> : tensor<i32>
    %99 = stablehlo.select %97, %98, %c_73 : tensor<i1>, tensor<i32>
    %100 = stablehlo.dynamic_update_slice %90, %91, %96, %99 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %101 = "stablehlo.collective_permute"(%68) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %102 = "stablehlo.collective_permute"(%69) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [1, 0], [2, 1], [3, 2]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %c_74 = stablehlo.constant dense<1> : tensor<ui32>
    %c_75 = stablehlo.constant dense<4> : tensor<ui32>
    %103 = stablehlo.partition_id : tensor<ui32>
    %104 = stablehlo.divide %103, %c_74 : tensor<ui32>
    %105 = stablehlo.remainder %104, %c_75 : tensor<ui32>
    %106 = stablehlo.convert %105 : (tensor<ui32>) -> tensor<i32>
    %c_76 = stablehlo.constant dense<3> : tensor<i32>
    %107 = stablehlo.subtract %106, %c_76 : tensor<i32>
    %c_77 = stablehlo.constant dense<4> : tensor<i32>
    %108 = func.call @remainder(%107, %c_77) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_78 = stablehlo.constant dense<1> : tensor<ui32>
    %c_79 = stablehlo.constant dense<4> : tensor<ui32>
    %109 = stablehlo.partition_id : tensor<ui32>
    %110 = stablehlo.divide %109, %c_78 : tensor<ui32>
    %111 = stablehlo.remainder %110, %c_79 : tensor<ui32>
    %112 = stablehlo.convert %111 : (tensor<ui32>) -> tensor<i32>
    %c_80 = stablehlo.constant dense<3> : tensor<i32>
    %113 = stablehlo.add %112, %c_80 : tensor<i32>
    %c_81 = stablehlo.constant dense<4> : tensor<i32>
    %114 = func.call @remainder(%113, %c_81) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %115 = stablehlo.dot_general %101, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_82 = stablehlo.constant dense<2> : tensor<i32>
    %116 = stablehlo.multiply %108, %c_82 : tensor<i32>
    %c_83 = stablehlo.constant dense<0> : tensor<i32>
    %117 = stablehlo.compare LT, %116, %c_83, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_84 = stablehlo.constant dense<8> : tensor<i32>
    %118 = stablehlo.add %116, %c_84 : tensor<i32>
    %119 = stablehlo.select %117, %118, %116 : tensor<i1>, tensor<i32>
    %c_85 = stablehlo.constant dense<0> : tensor<i32>
    %c_86 = stablehlo.constant dense<0> : tensor<i32>
    %120 = stablehlo.compare LT, %c_85, %c_86, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_87 = stablehlo.constant dense<0> : tensor<i32>
    %c_88 = stablehlo.constant dense<2> : tensor<i32>
    %121 = stablehlo.add %c_87, %c_88 : tensor<i32>
    %c_89 = stablehlo.constant dense<0> : tensor<i32>
    %122 = stablehlo.select %120, %121, %c_89 : tensor<i1>, tensor<i32>
    %123 = stablehlo.dynamic_update_slice %100, %115, %119, %122 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    %124 = stablehlo.dot_general %102, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
    %c_90 = stablehlo.constant dense<2> : tensor<i32>
    %125 = stablehlo.multiply %114, %c_90 : tensor<i32>
    %c_91 = stablehlo.constant dense<1> : tensor<i32>
    %126 = stablehlo.add %125, %c_91 : tensor<i32>
    %c_92 = stablehlo.constant dense<0> : tensor<i32>
    %127 = stablehlo.compare LT, %126, %c_92, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_93 = stablehlo.constant dense<8> : tensor<i32>
    %128 = stablehlo.add %126, %c_93 : tensor<i32>
    %129 = stablehlo.select %127, %128, %126 : tensor<i1>, tensor<i32>
    %c_94 = stablehlo.constant dense<0> : tensor<i32>
    %c_95 = stablehlo.constant dense<0> : tensor<i32>
    %130 = stablehlo.compare LT, %c_94, %c_95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_96 = stablehlo.constant dense<0> : tensor<i32>
    %c_97 = stablehlo.constant dense<2> : tensor<i32>
    %131 = stablehlo.add %c_96, %c_97 : tensor<i32>
    %c_98 = stablehlo.constant dense<0> : tensor<i32>
    %132 = stablehlo.select %130, %131, %c_98 : tensor<i1>, tensor<i32>
    %133 = stablehlo.dynamic_update_slice %123, %124, %129, %132 : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
    return %133 : tensor<8x2xf32>
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
