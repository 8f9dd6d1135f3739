// Every syntax in which JAX prints an operation is read, and printing the result gives text that reads back as the same
// program.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "round_trip.h"

namespace partir {
namespace {

using testing::main_of;
using testing::op_at;
using testing::read_text;
using testing::round_trip;

struct Form {
  const char* arguments;
  const char* line;
};

/// Expects each line to round-trip and its type signature to be printed as it was written.
void expect_stable(const std::vector<Form>& forms) {
  for (const Form& form : forms) {
    const std::string printed = round_trip(main_of(form.arguments, form.line));
    const std::string body = std::string(form.line).substr(std::string(form.line).find(" = "));
    const std::string tail = body.substr(body.rfind(" : "));
    EXPECT_NE(printed.find(tail), std::string::npos) << form.line << "\nprints as\n" << printed;
  }
}

TEST(Reader, ElementwisePrettyForms) {
  expect_stable({
      {"%arg0: tensor<3xi32>", "%1 = stablehlo.add %arg0, %arg0 : tensor<3xi32>"},
      {"%arg0: tensor<i32>", "%1 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<ui32>"},
      {"%arg0: tensor<8xi32>", "%1 = stablehlo.convert %arg0 : tensor<8xi32>"},
      {"%arg1: tensor<f32>",
       "%2 = stablehlo.compare EQ, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>"},
      {"%arg1: tensor<f32>",
       "%2 = stablehlo.compare LT, %arg1, %arg1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>"},
      {"%arg1: tensor<4xui32>",
       "%2 = stablehlo.compare LT, %arg1, %arg1, UNSIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>"},
      {"%arg1: tensor<4xf32>",
       "%2 = stablehlo.compare GE, %arg1, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"},
      {"%p: tensor<i1>, %x: tensor<i32>", "%2 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<i32>"},
      {"%p: tensor<4xi1>, %x: tensor<4xf32>", "%2 = stablehlo.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>"},
      {"%c: tensor<i32>", "%0 = stablehlo.clamp %c, %c, %c : tensor<i32>"},
      {"%c: tensor<f32>, %x: tensor<2xf32>",
       "%0 = stablehlo.clamp %c, %x, %c : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>"},
      {"%x: tensor<8x16xf32>", "%31 = stablehlo.is_finite %x : (tensor<8x16xf32>) -> tensor<8x16xi1>"},
      {"%x: tensor<8x16xcomplex<f32>>", "%1 = stablehlo.real %x : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xf32>"},
      {"%x: tensor<8xf32>", "%0 = stablehlo.complex %x, %x : tensor<8xcomplex<f32>>"},
      {"%x: tensor<8xf64>", "%0 = stablehlo.complex %x, %x : tensor<8xcomplex<f64>>"},
      {"%x: tensor<4xui32>", "%21 = stablehlo.bitcast_convert %x : (tensor<4xui32>) -> tensor<4xf32>"},
      {"%x: tensor<8x16xf32>", "%0 = chlo.erf %x : tensor<8x16xf32> -> tensor<8x16xf32>"},
      {"%x: tensor<8xf32>", "%9 = chlo.next_after %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>"},
  });
}

TEST(Reader, ShapePrettyForms) {
  expect_stable({
      {"%2: tensor<3xi32>", "%3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>"},
      {"%2: tensor<f32>", "%3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<3xf32>"},
      {"%0: tensor<1x1xf32>", "%1 = stablehlo.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>"},
      {"%x: tensor<4x5xf32>", "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>"},
      {"", "%8 = stablehlo.iota dim = 0 : tensor<4xui64>"},
      {"%x: tensor<8x16xf32>", "%0 = stablehlo.slice %x [1:7:2, 3:16] : (tensor<8x16xf32>) -> tensor<3x13xf32>"},
      {"%x: tensor<2xui32>", "%4 = stablehlo.slice %x [0:1] : (tensor<2xui32>) -> tensor<1xui32>"},
      {"%x: tensor<f32>", "%4 = stablehlo.slice %x [] : (tensor<f32>) -> tensor<f32>"},
      {"%x: tensor<8x16xf32>, %c: tensor<f32>",
       "%0 = stablehlo.pad %x, %c, low = [1, 0], high = [2, -1], interior = [0, 1] : (tensor<8x16xf32>, tensor<f32>) "
       "-> tensor<11x30xf32>"},
      {"%a: tensor<1xui32>",
       "%6 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>"},
      {"%x: tensor<8x16xf32>", "%0 = stablehlo.reverse %x, dims = [0] : tensor<8x16xf32>"},
      {"%x: tensor<8x16xf32>, %i: tensor<i32>",
       "%3 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> "
       "tensor<2x16xf32>"},
      {"%x: tensor<8x16xf32>, %u: tensor<1x16xf32>, %i: tensor<i32>",
       "%1 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<8x16xf32>"},
      {"%x: tensor<?x16xf32>", "%0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x16xf32>) -> tensor<i32>"},
  });
}

TEST(Reader, ProductsConvolutionsAndTransforms) {
  expect_stable({
      {"%x: tensor<8x16xf32>, %y: tensor<16x32xf32>",
       "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : "
       "(tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>"},
      {"%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>",
       "%0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = "
       "[HIGHEST, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>"},
      {"%x: tensor<8x16xf32>, %y: tensor<16x32xf32>",
       "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = "
       "<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, "
       "rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : "
       "(tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>"},
      {"%x: tensor<2x8x8x3xf32>, %y: tensor<3x3x3x16xf32>",
       "%0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = "
       "[2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} "
       "{batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision "
       "DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<2x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<2x4x4x16xf32>"},
      {"%x: tensor<2x3xf32>, %y: tensor<3x4xf32>",
       "%0 = stablehlo.convolution(%x, %y) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = [], "
       "lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
       "(tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>"},
      {"%x: tensor<8x16xf32>",
       "%0 = stablehlo.fft %x, type = RFFT, length = [16] : (tensor<8x16xf32>) -> tensor<8x9xcomplex<f32>>"},
      {"%x: tensor<2xui64>",
       "%s, %o = stablehlo.rng_bit_generator %x, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, "
       "tensor<4x8xui32>)"},
      {"%x: tensor<4x4xf32>", "%0 = stablehlo.cholesky %x, lower = true : (tensor<4x4xf32>) -> tensor<4x4xf32>"},
      {"%x: tensor<8xf32>, %y: tensor<2xi1>",
       "%1:2 = stablehlo.optimization_barrier %x, %y : tensor<8xf32>, tensor<2xi1>"},
      {"", "%2 = stablehlo.partition_id : tensor<ui32>"},
  });
}

TEST(Reader, ReducePrecisionFormatStandsForTwoNumbers) {
  const std::string text =
      main_of("%x: tensor<4xf32>", "  %0 = stablehlo.reduce_precision %x, format = e8m7 : tensor<4xf32>");
  const Module module = read_text(text);
  EXPECT_EQ(find(op_at(module, 0).attributes, "exponent_bits")->str(), "8 : i32");
  EXPECT_EQ(find(op_at(module, 0).attributes, "mantissa_bits")->str(), "7 : i32");
  round_trip(text);
}

TEST(Reader, CustomCallsAndComposites) {
  round_trip(main_of("%0: tensor<4x4xf32>", R"(
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {backend_config = "", has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}, result_layouts = [], sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<4x4xf32>) -> ()
  %2 = stablehlo.composite "my.op" %0 {composite_attributes = {s = 2.000000e+00 : f64}, decomposition = @my.op} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %values, %indices = chlo.top_k(%0, k = 3) : tensor<4x4xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %3 = stablehlo.negate %values : tensor<4x3xf32>
  %4 = stablehlo.custom_call @noop() : () -> tensor<f32>)"));
}

TEST(Reader, ReduceWithANamedCombiner) {
  const std::string text =
      main_of("%x: tensor<8x16xi1>, %c: tensor<i1>",
              "  %2 = stablehlo.reduce(%x init: %c) applies stablehlo.and across dimensions = [0] : "
              "(tensor<8x16xi1>, tensor<i1>) -> tensor<16xi1>");
  const Module module = read_text(text);
  EXPECT_EQ(instance_of(module.functions[0], op_at(module, 0)).monoid(), Monoid::conj);
  EXPECT_NE(round_trip(text).find("applies stablehlo.and across dimensions = [0]"), std::string::npos);
}

TEST(Reader, ReduceOfADynamicShapeAppliesItsCombinerToScalars) {
  round_trip(main_of("%x: tensor<?x16xf32>, %c: tensor<f32>",
                     "  %2 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : "
                     "(tensor<?x16xf32>, tensor<f32>) -> tensor<16xf32>"));
}

TEST(Reader, ReduceWithABody) {
  round_trip(main_of("%x: tensor<8x16xf32>, %y: tensor<8x16xi32>, %c: tensor<f32>, %d: tensor<i32>", R"(
  %1:2 = stablehlo.reduce(%x init: %c), (%y init: %d) across dimensions = [1] : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%arg1: tensor<f32> loc("a"), %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
    %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.select %2, %arg1, %arg3 : tensor<i1>, tensor<f32>
    %4 = stablehlo.select %2, %arg2, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
  }
  %5 = stablehlo.negate %1#0 : tensor<8xf32>)"));
}

TEST(Reader, WhileAndCase) {
  round_trip(main_of("%x: tensor<8xf32>, %c: tensor<i32>", R"(
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %x) : tensor<i32>, tensor<8xf32>
  cond {
    %9 = stablehlo.compare LT, %iterArg, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  } do {
    %9 = stablehlo.sine %iterArg_0 : tensor<8xf32>
    stablehlo.return %iterArg, %9 : tensor<i32>, tensor<8xf32>
  }
  %1 = "stablehlo.case"(%c) ({
    stablehlo.return %x : tensor<8xf32>
  }, {
    %9 = stablehlo.cosine %0#1 : tensor<8xf32>
    stablehlo.return %9 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>)"));
}

TEST(Reader, SortAndWindows) {
  round_trip(main_of("%x: tensor<1x4x4x1xf32>, %c: tensor<f32>", R"(
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "stablehlo.reduce_window"(%0, %c) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x2x2x1xf32>
  %2 = "stablehlo.select_and_scatter"(%x, %1, %c) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<1x4x4x1xf32>, tensor<1x2x2x1xf32>, tensor<f32>) -> tensor<1x4x4x1xf32>)"));
}

TEST(Reader, GatherAndScatter) {
  round_trip(
      main_of("%x: tensor<100x16xf32>, %i: tensor<2x7x1xi32>, %u: tensor<2x7x16xf32>, %y: tensor<8x16xf32>, %j: "
              "tensor<8x3x1xi32>",
              R"(
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<2x7x1xi32>) -> tensor<2x7x16xf32>
  %1 = "stablehlo.gather"(%y, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x16xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  %2 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<100x16xf32>, tensor<2x7x1xi32>, tensor<2x7x16xf32>) -> tensor<100x16xf32>
  %3 = "stablehlo.scatter"(%y, %j, %1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<8x3x1xi32>, tensor<8x3xf32>) -> tensor<8x16xf32>)"));
}

TEST(Reader, Collectives) {
  round_trip(main_of("%x: tensor<2x8xf32>", R"(
  %1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<8x8xf32>
  %3 = "stablehlo.reduce_scatter"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %4 = "stablehlo.all_to_all"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x8xf32>) -> tensor<1x16xf32>
  %5 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %6 = spmd.all_reduce %x {axes = ["x"], monoid = "sum"} : tensor<2x8xf32>)"));
}

TEST(Reader, GenericFormsPrintAsThePrettyOnes) {
  const std::string printed = round_trip(main_of("%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %z: tensor<f32>", R"(
  %0 = "stablehlo.add"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.compare"(%x, %x) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %4 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  %5 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %6 = "stablehlo.constant"() <{value = dense<1.5> : tensor<2xf32>}> : () -> tensor<2xf32>)"));
  for (const char* line : {"stablehlo.add %arg0, %arg0 : tensor<2x3xf32>",
                           "contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : ",
                           "stablehlo.slice %arg0 [0:2, 1:3] : ", "stablehlo.compare GT, %arg0, %arg0, FLOAT : ",
                           "stablehlo.iota dim = 1 : ", "applies stablehlo.maximum across dimensions = [0]",
                           "stablehlo.constant dense<1.500000e+00> : tensor<2xf32>"}) {
    EXPECT_NE(printed.find(line), std::string::npos) << line << "\n" << printed;
  }
}

TEST(Reader, OlderAttributeDictionariesAreProperties) {
  const Module module = read_text(main_of("%x: tensor<2x3xf32>", R"(
  %0 = "stablehlo.transpose"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = [0, 1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "stablehlo.reverse"(%x) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>)"));
  const auto ints = [&](std::size_t i, const char* name) {
    return find(op_at(module, i).attributes, name)->as<IntsAttr>()->values;
  };
  EXPECT_EQ(ints(0, "permutation"), (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(ints(1, "broadcast_dimensions"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(ints(2, "dimensions"), (std::vector<std::int64_t>{0}));
}

TEST(Reader, UnknownAttributesAreKept) {
  const std::string printed = round_trip(main_of("%x: tensor<2xf32>", R"(
  %0 = stablehlo.add %x, %x {a.b = [1 : i8, "s\22\0A", @f, @f::@"g h", unit, -1.5, true], c, "odd name" = {d = f32}, e = #other.attr<{x = [1, 2]}> : i32} : tensor<2xf32>
  %1 = stablehlo.reshape %0 {m = affine_map<(d0) -> (d0)>, t = (i32, f32) -> f64, u = 18446744073709551615 : ui64, h = 0x7FC00000 : f32} : (tensor<2xf32>) -> tensor<2x1xf32>
  %2 = stablehlo.constant {k = 1 : i64} dense<1.0> : tensor<f32>)"));
  for (const char* kept :
       {"a.b = [1 : i8, \"s\\\"\\0A\", @f, @f::@\"g h\", unit, -1.5, true], c, \"odd name\" = {d = f32}, e = "
        "#other.attr<{x = [1, 2]}> : i32",
        "u = 18446744073709551615 : ui64", "h = 0x7FC00000 : f32", "t = (i32, f32) -> f64", "{k = 1 : i64}"}) {
    EXPECT_NE(printed.find(kept), std::string::npos) << kept << "\n" << printed;
  }
}

TEST(Reader, OtherDialectsAreKeptInTheGenericForm) {
  const std::string printed = round_trip(main_of("%x: tensor<2xf32>", R"(
  %0:2 = "other.op"(%x) <{p = 1 : i64}> ({
  ^bb0(%a: f32, %b: !other.type<[1, "x"]>):
    "other.inner"(%a) : (f32) -> ()
    stablehlo.return
  }, {
    stablehlo.return
  }) {d = "x"} : (tensor<2xf32>) -> (tuple<f32, tensor<2xf32>>, !stablehlo.token))"));
  EXPECT_NE(printed.find("\"other.op\"(%arg0)"), std::string::npos) << printed;
  EXPECT_NE(printed.find("!other.type<[1, \"x\"]>"), std::string::npos) << printed;
}

TEST(Reader, NamesMayBeUsedAgainInOtherRegions) {
  round_trip(main_of("%c: tensor<i32>", R"(
  %1 = "stablehlo.case"(%c) ({
    %0 = stablehlo.negate %c : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }, {
    %0 = stablehlo.abs %c : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %0 = stablehlo.add %1, %1 : tensor<i32>)"));
}

TEST(Reader, WhatIsLeftOfMhloIsReadAsTheOperationThatDoesTheSame) {
  const auto read = [](const std::string& operation, const std::string& types) {
    return read_module(fmt::format("func.func @main(%x: tensor<8xf32>) -> ({}) {{\n  {}\n}}\n", types, operation),
                       "test.mlir");
  };
  const std::string one = "tensor<8xf32>";
  const std::string two = "tensor<2xf32>, tensor<2xi32>";
  const std::pair<std::string, std::string> same[] = {
      {"%0 = mhlo.copy %x : tensor<8xf32>\n return %0 : tensor<8xf32>",
       "%0 = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<8xf32>\n return %0 : tensor<8xf32>"},
      {"%0 = \"mhlo.copy\"(%x) <{cross_program_prefetch_index = 0 : i32}> : (tensor<8xf32>) -> tensor<8xf32>\n"
       " return %0 : tensor<8xf32>",
       "%0 = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<8xf32>\n return %0 : tensor<8xf32>"},
      {"%0 = mhlo.erf %x : tensor<8xf32>\n return %0 : tensor<8xf32>",
       "%0 = chlo.erf %x : tensor<8xf32> -> tensor<8xf32>\n return %0 : tensor<8xf32>"}};
  for (const auto& [mhlo, other] : same)
    EXPECT_EQ(print_module(value_or_throw(read(mhlo, one))), print_module(value_or_throw(read(other, one)))) << mhlo;
  const std::string types = " : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi32>)\n return %0#0, %0#1 : " + two;
  EXPECT_TRUE(read("%0:2 = \"mhlo.topk\"(%x) <{k = 2 : i64, largest = true}>" + types, two).has_value());
  EXPECT_TRUE(read("%0:2 = mhlo.topk(%x, k = 2)" + types, two).has_value());
  const auto smallest = read("%0:2 = \"mhlo.topk\"(%x) <{k = 2 : i64, largest = false}>" + types, two);
  ASSERT_FALSE(smallest.has_value());
  EXPECT_EQ(smallest.error().code, "unsupported");
}

}  // namespace
}  // namespace partir
