// Programs that no compiler writes but that the reader accepts. Each must print as text that reads back as the same
// program. Most of them were found by fuzz/reader_fuzzer or belong to the kinds of program that it generates.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "round_trip.h"

namespace partir {
namespace {

using testing::main_of;
using testing::read_text;
using testing::refusal;
using testing::round_trip;

// StableHLO's own reader knows no other form of them.
TEST(OddPrograms, LegacyOperationsPrintInTheGenericForm) {
  for (
      const char* line :
      {R"("stablehlo.einsum"(%arg0, %arg0) {einsum_config = "ab,bc->ac"} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>)",
       R"("stablehlo.unary_einsum"(%arg0) {einsum_config = "ab->ba"} : (tensor<4x4xf32>) -> tensor<4x4xf32>)",
       R"("stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2>} : (tensor<4x4xf32>) -> tensor<2x4x4xf32>)"}) {
    const Module m =
        read_text(fmt::format("func.func @main(%arg0: tensor<4x4xf32>) {{\n  %0 = {}\n  return\n}}\n", line));
    EXPECT_NE(print_module(m).find(line), std::string::npos) << print_module(m);
  }
}

TEST(OddPrograms, PrintInTheGenericFormWhereThePrettyOneCannotSayAll) {
  struct OddProgram {
    const char* arguments;
    std::string line;
  };
  const std::string region = " ({ stablehlo.return })";
  for (
      const OddProgram& row : std::vector<OddProgram>{
          {"", R"("func.call"() : () -> ())"},
          {"", R"("func.call"() <{callee = "f"}> : () -> ())"},
          {"", R"("func.call"() <{callee = @f}>)" + region + " : () -> ()"},
          {"%x: tensor<?xf32>",
           R"(%0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<?xf32>)"},
          {"", R"(%0 = "stablehlo.constant"() <{value = #other.attr}> : () -> tensor<2xf32>)"},
          {"%x: tensor<2xf32>",
           R"(%0 = "stablehlo.add"(%x, %x))" + region + " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"},
          {"%x: tensor<2xf32>",
           R"(%0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction EQ>}>)" +
               region + " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"},
          {"%x: tensor<?xf32>",
           R"(%0 = "stablehlo.compare"(%x) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<?xf32>) -> tensor<?xi1>)"},
          {"%x: tensor<?xf32>",
           R"(%0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64>, strides = array<i64: 1, 1>}> : (tensor<?xf32>) -> tensor<?xf32>)"},
          {"%x: tensor<?xf32>", R"(%0 = "stablehlo.select"(%x) : (tensor<?xf32>) -> tensor<?xf32>)"},
          {"%x: tensor<?xf32>",
           R"(%0:2 = "stablehlo.optimization_barrier"(%x) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>))"},
          {"%x: tensor<?xf32>", R"(%0 = "stablehlo.complex"(%x) : (tensor<?xf32>) -> tensor<?xf32>)"},
          {"%x: tensor<2xf32>",
           R"(%0 = "stablehlo.complex"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>)"},
          {"%x: tensor<?xf32>", R"("chlo.erf"(%x) : (tensor<?xf32>) -> ())"},
          {"%x: tensor<?xf32>",
           R"(%0 = "stablehlo.reduce"(%x, %x) <{dimensions = array<i64: 0>}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>)"},
          {"%x: tensor<?xf32>",
           R"(%0 = "stablehlo.reduce"(%x, %x) <{dimensions = array<i64: 0>}> ({ ^bb0(%a: f32): stablehlo.return %a : f32 }) : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>)"},
          {"%x: tensor<?xf32>",
           R"(%0 = "stablehlo.reduce"(%x) <{dimensions = array<i64: 0>}> : (tensor<?xf32>) -> tensor<f32>)"},
          {"%x: tensor<2xf32>",
           R"(%0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<>, algorithm = "fast"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>)"},
          {"%x: tensor<?xf32>",
           R"(%0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<rhs_batching_dimensions = [0]>}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>)"},
          {"%x: tensor<?xf32>", R"(%0 = "stablehlo.cross-replica-sum"(%x) : (tensor<?xf32>) -> tensor<?xf32>)"},
          {"%x: tensor<?xf32>", R"("other.\22op\22"(%x) {"$a" = 1 : i32, ".b", "" = 2 : i8} : (tensor<?xf32>) -> ())"},
      }) {
    round_trip(main_of(row.arguments, "  " + row.line));
  }
}

TEST(OddPrograms, TerminatorsWithResultsOrRegions) {
  round_trip(R"(func.func @main(%x: tensor<f32>) { %0 = "func.return"() : () -> tensor<f32> })");
  round_trip(R"(func.func @main() { "func.return"() ({ stablehlo.return }) : () -> () })");
  round_trip(
      "func.func @main(%x: f32) -> f32 { %0 = \"partir.yield\"(%x) {a} : (f32) -> f32 }\nfunc.func @f() { "
      "\"partir.yield\"() : () -> () }");
}

TEST(OddPrograms, CasesOfEnumerationsAreWords) {
  EXPECT_EQ(
      refusal(
          main_of("%x: tensor<4xf32>",
                  "  %0 = stablehlo.fft %x, type = R9.5FFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>"))
          .code,
      "parse");
  EXPECT_EQ(refusal(main_of("%x: tensor<f32>",
                            "  %0 = stablehlo.compare EQ, %x, %x, FLOAT.X : (tensor<f32>, tensor<f32>) -> tensor<i1>"))
                .code,
            "parse");
  EXPECT_EQ(
      refusal(
          main_of(
              "%x: tensor<f32>",
              R"(  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = array<i8: 1>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>)"))
          .code,
      "attributes");
}

TEST(OddPrograms, FieldsOutsideTheirStructAreChecked) {
  EXPECT_EQ(
      refusal(
          main_of(
              "%x: tensor<2xf32>",
              R"(  %0 = "stablehlo.gather"(%x, %x) {offset_dims = 5 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>)"))
          .code,
      "attributes");
}

TEST(OddPrograms, OperationsOfTheModuleDoNotSeeValuesOfFunctions) {
  EXPECT_EQ(
      refusal("func.func @main(%x: tensor<f32>, %y: tensor<f32>) { return }\n\"other.op\"(%y) : (tensor<f32>) -> ()")
          .code,
      "parse");
  round_trip(
      "\"other.op\"() ({ \"other.end\"() : () -> ()\n stablehlo.return }) {a} : () -> ()\nfunc.func @main() { return "
      "}");
}

TEST(OddPrograms, CombinersOfReduceAreOperationsOfTwoScalars) {
  for (const char* combiner :
       {"stablehlo.sine", "stablehlo.clamp", "stablehlo.constant", "stablehlo.compare", "stablehlo.return", "func.call",
        "stablehlo.reverse", "stablehlo.while", "loop", "nothing"}) {
    const Diagnostic d = refusal(main_of("%x: tensor<4xf32>, %z: tensor<f32>",
                                         std::string("  %0 = stablehlo.reduce(%x init: %z) applies ") + combiner +
                                             " across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>"));
    EXPECT_EQ(d.place.line, 2U) << combiner << "\n" << d.text();
  }
}

TEST(OddPrograms, SizesNearTheEndOfTheIntegers) {
  const char* const huge = "576460752303423487";  // 2^59 - 1, the largest size
  const std::string type = std::string("tensor<") + huge + "xf32>";
  round_trip(main_of("%x: " + type, "  %0 = stablehlo.slice %x [0:" + std::string(huge) + ":9223372036854775807] : (" +
                                        type + ") -> tensor<1xf32>"));
  std::string operands;
  std::string types;
  for (int i = 0; i < 40; ++i) {
    operands += (i != 0 ? ", " : "") + std::string("%x");
    types += (i != 0 ? ", " : "") + type;
  }
  EXPECT_EQ(refusal(main_of("%x: " + type, "  %0 = stablehlo.concatenate " + operands + ", dim = 0 : (" + types +
                                               ") -> tensor<8xf32>"))
                .code,
            "concatenate (C6)");
  std::string ids;
  for (int i = 0; i < 100; ++i) ids += (i != 0 ? ", " : "") + std::to_string(i);
  EXPECT_EQ(
      refusal(main_of("%x: " + type,
                      R"(  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[)" +
                          ids + R"(]]> : tensor<1x100xi64>}> : ()" + type + ") -> tensor<8xf32>"))
          .code,
      "all_gather (C6)");
  EXPECT_EQ(
      refusal(
          main_of(
              "%x: tensor<0x4xf32>",
              R"(  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, split_count = 9223372036854775807 : i64, split_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = []>}> : (tensor<0x4xf32>) -> tensor<0x4xf32>)"))
          .code,
      "all_to_all (C9)");
}

TEST(OddPrograms, WordsThatEndTooSoon) {
  for (const char* line :
       {"sdy.sharding_constraint %x foo : tensor<f32>", "%0 = stablehlo.convolution(%x, %x) dim_numbers = b",
        "loop \"a\" [", "%0 = stablehlo.dot_general %x, %x, algorithm = 5 : (tensor<f32>, tensor<f32>) -> tensor<f32>",
        "stablehlo.custom_call @", "%0 = stablehlo.constant dense", "%0 = stablehlo.constant dense_resource<a>",
        "%0 = stablehlo.constant dense_resource<a> : ("}) {
    EXPECT_GE(refusal(main_of("%x: tensor<f32>", std::string("  ") + line)).place.line, 2U) << line;
  }
}

}  // namespace
}  // namespace partir
