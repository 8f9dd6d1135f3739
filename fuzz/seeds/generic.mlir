"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{a = 1 : i32}], function_type = (tensor<4xf32>) -> tensor<4xf32>, res_attrs = [{}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
    %1:2 = "other.op"(%arg0, %0) <{p = 1 : i64}> ({
    ^bb0(%arg1: f32):
      "stablehlo.return"(%arg1) : (f32) -> ()
    }) {d = "x"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, !other.type<3>)
    %2 = "func.call"(%1#0) <{callee = @main2}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    "func.return"(%arg0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
