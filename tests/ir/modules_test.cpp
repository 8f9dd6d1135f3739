// Reading and printing of what surrounds the operations: module headers, functions, generic forms, locations, aliases,
// meshes, sharding constraints and comments.
#include <gtest/gtest.h>

#include <string>

#include "round_trip.h"

namespace partir {
namespace {

using testing::main_of;
using testing::read_text;
using testing::round_trip;

TEST(Modules, HeaderAttributesAndNames) {
  const std::string text =
      R"(module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 0 : i32}) -> (tensor<8x16xf32> {jax.result_info = "result['a']", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    return %arg0 : tensor<8x16xf32>
  }
})";
  const Module module = read_text(text);
  EXPECT_EQ(module.name, "jit__lambda");
  EXPECT_EQ(find(module.attributes, "mhlo.num_replicas")->str(), "1 : i32");
  EXPECT_EQ(find(module.functions[0].argument_attributes[0], "tf.aliasing_output")->str(), "0 : i32");
  EXPECT_EQ(find(module.functions[0].result_attributes[0], "jax.result_info")->as<StringAttr>()->value, "result['a']");
  round_trip(text);
}

TEST(Modules, FunctionsAloneAreAModule) {
  const Module module = read_text(
      "func.func @f() { return }\nfunc.func private @my.g() { return }\nfunc.func public @\"a b\"() { return }");
  ASSERT_EQ(module.functions.size(), 3U);
  EXPECT_TRUE(module.functions[0].is_public);
  EXPECT_FALSE(module.functions[1].is_public);
  EXPECT_EQ(module.functions[1].name, "my.g");
  EXPECT_EQ(module.functions[2].name, "a b");
  round_trip(
      "func.func @f() { return }\nfunc.func private @my.g() { return }\nfunc.func public @\"a b\"() attributes {k = 1 "
      ": i32} { return }");
}

TEST(Modules, MainIsFoundByNameOrAsTheOnlyPublicFunction) {
  EXPECT_EQ((*read_text("func.func @f() { return }\nfunc.func @main() { return }").main())->name, "main");
  EXPECT_EQ((*read_text("func.func @f() { return }\nfunc.func private @g() { return }").main())->name, "f");
  const Module two = read_text("func.func @f() { return }\nfunc.func @g() { return }");
  ASSERT_FALSE(two.main());
  EXPECT_EQ(two.main().error().code, "module");
  const Module none = read_text("func.func private @f() { return }");
  EXPECT_FALSE(none.main());
}

TEST(Modules, GenericFormOfModuleAndFunctions) {
  const std::string text = R"("builtin.module"() <{sym_name = "jit_f"}> ({
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}], function_type = (tensor<8x16xf32>) -> tensor<8x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xf32> loc("x")):
    %0 = "func.call"(%arg0) <{callee = @g}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%0) : (tensor<8x16xf32>) -> ()
  }) {extra = 1 : i32} : () -> ()
  "func.func"() <{function_type = (tensor<8x16xf32>) -> tensor<8x16xf32>, sym_name = "g", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x16xf32>):
    "func.return"(%arg0) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32} : () -> ())";
  const std::string pretty = R"(module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8x16xf32> {jax.result_info = "result"}) attributes {extra = 1 : i32} {
    %0 = call @g(%arg0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
  func.func private @g(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    return %arg0 : tensor<8x16xf32>
  }
})";
  const Module generic = read_text(text);
  std::string difference;
  EXPECT_TRUE(same_program(generic, read_text(pretty), &difference)) << difference;
  EXPECT_EQ(generic.name, "jit_f");
  EXPECT_EQ(generic.functions[0].argument_locations, std::vector<std::string>{"x"});
  round_trip(text);
}

TEST(Modules, LocationsStandEverywhere) {
  const std::string text = R"(#loc1 = loc("x")
#loc = loc(unknown)
module @m {
  func.func public @main(%arg0: tensor<f32> loc("params['w']"), %arg1: tensor<f32> loc(#loc1), %arg2: tensor<f32> loc(#loc9), %arg3: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.0> : tensor<f32> loc(#loc)
    %0 = stablehlo.add %arg0, %cst : tensor<f32> loc("jit(f)/add"("f.py":1:2 to :4))
    %1 = "stablehlo.case"(%2) ({
      stablehlo.return %0 : tensor<f32> loc(callsite("a" at "b"))
    }) : (tensor<i32>) -> tensor<f32> loc(fused<"x">["a", #loc1])
    return %1 : tensor<f32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc9 = loc("late"(#loc1))
)";
  std::string fixed = text;
  fixed.replace(fixed.find("%cst = "), 7, "%2 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)\n    %cst = ");
  const Module module = read_text(fixed);
  ASSERT_EQ(module.functions.size(), 1U);
  EXPECT_EQ(module.functions[0].argument_locations, (std::vector<std::string>{"params['w']", "x", "", ""}));
  round_trip(fixed);
}

TEST(Modules, LocationAliasesMayFollowTheModule) {
  const Module module = read_text(
      "func.func @main(%a: tensor<f32> loc(#loc1)) { return loc(#loc) }\n#loc = loc(unknown)\n#loc1 = loc(\"w\")");
  EXPECT_EQ(module.functions[0].argument_locations, std::vector<std::string>{"w"});
}

TEST(Modules, AttributeAndTypeAliasesAreWrittenOut) {
  const std::string printed = round_trip("#map = affine_map<(d0) -> (d0)>\n!t = tensor<2xf32>\n" +
                                         main_of("%x: !t", "  %0 = stablehlo.negate %x {m = #map} : !t"));
  EXPECT_NE(printed.find("{m = affine_map<(d0) -> (d0)>} : tensor<2xf32>"), std::string::npos) << printed;
}

TEST(Modules, MeshesAreKeptAsWritten) {
  const std::string mesh =
      R"(sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}})";
  const std::string maximal =
      R"(sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]> {stablehlo.mesh = {axes = [], device_ids = dense<0> : tensor<1xi64>}})";
  const std::string text = "module {\n  " + mesh + " loc(unknown)\n  " + maximal + "\n" + main_of("", "") + "}";
  const Module module = read_text(text);
  EXPECT_EQ(module.declarations, (std::vector<std::string>{mesh, maximal}));
  round_trip(text);
}

TEST(Modules, ShardingConstraints) {
  round_trip(main_of("%0: tensor<8x16xf32>, %1: tensor<f32>", R"(
  %2 = sdy.sharding_constraint %0 <@mesh, [{"x", "y"}, {}]> : tensor<8x16xf32>
  %3 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {?}]> : tensor<8x16xf32>
  %4 = sdy.sharding_constraint %1 <@mesh, []> : tensor<f32>
  %5 = stablehlo.add %3, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x16xf32>)"));
}

TEST(Modules, ManualComputations) {
  round_trip(main_of("%arg0: tensor<8x16xf32>", R"(
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"x"} (%arg1: tensor<2x16xf32> loc("a")) {
    %1 = stablehlo.sine %arg1 : tensor<2x16xf32>
    sdy.return %1 : tensor<2x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={} () {
    %1 = stablehlo.constant dense<0.0> : tensor<f32>
    sdy.return %1 : tensor<f32>
  } : () -> tensor<f32>)"));
}

TEST(Modules, WindowsLineEndsAndComments) {
  const std::string text =
      "// a comment\r\nfunc.func @main(%x: tensor<f32>) -> tensor<f32> { // another\r\n"
      "  %0 = stablehlo.negate %x // in the middle\r\n    : tensor<f32>\r\n  return %0 : tensor<f32>\r\n}\r\n// the "
      "end";
  const Module module = read_text(text);
  EXPECT_EQ(module.functions[0].body.ops[1].place.line, 5U);
  round_trip(text);
}

TEST(Modules, OperationsAreCountedWithoutTerminatorsAndOnceACall) {
  const Module module = read_text(R"(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @f(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  return %0 : tensor<f32>
})");
  EXPECT_EQ(module.operations, 3U);
}

TEST(Modules, TerminatorsKeepTheirAttributes) {
  const std::string printed =
      round_trip("func.func @main(%x: tensor<f32>) -> tensor<f32> { return {a = 1 : i32} %x : tensor<f32> }");
  EXPECT_NE(printed.find("return {a = 1 : i32} %arg0 : tensor<f32>"), std::string::npos) << printed;
}

TEST(SameProgram, TellsDifferencesApart) {
  const std::string base =
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.sine %x {a = 1 : i32, b = 2 : i32} : "
      "tensor<2xf32>\n"
      "  %1 = stablehlo.add %0, %x : tensor<2xf32>\n  return %1 : tensor<2xf32>\n}";
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string out = base;
    const auto at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
  };
  const Module a = read_text(base);
  std::string difference;
  EXPECT_TRUE(same_program(a, read_text(with("{a = 1 : i32, b = 2 : i32}", "{b = 2 : i32, a = 1 : i32}")), &difference))
      << difference;
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"sine", "cosine"},
                                                        {"a = 1", "a = 3"},
                                                        {"%0, %x :", "%x, %0 :"},
                                                        {"return %1", "return %0"},
                                                        {"@main", "@other"},
                                                        {"func.func @", "func.func private @"},
                                                        {"-> tensor<2xf32> {\n", "-> (tensor<2xf32> {k}) {\n"},
                                                        {"{\n  %0", "attributes {k} {\n  %0"},
                                                        {"(%x: tensor<2xf32>)", "(%x: tensor<2xf32> {k})"}}) {
    difference.clear();
    EXPECT_FALSE(same_program(a, read_text(with(from, to)), &difference)) << from;
    EXPECT_FALSE(difference.empty()) << from;
  }
  EXPECT_FALSE(same_program(a, read_text(base + "\nfunc.func private @g() { return }")));
}

}  // namespace
}  // namespace partir
