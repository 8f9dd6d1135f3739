// Collectives, device ids and PartIR:Core loops: whole programs with their values beside them, and the laws that lowering
// rests on as properties of random tensors.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "../registry/claim.h"
#include "ir/text/read.h"
#include "semantics/interpreter.h"

namespace partir {
namespace {

using testing::varied_tensor;
using Values = std::vector<std::vector<double>>;  ///< of one argument or result, by device

Module module_of(const std::string& text) {
  auto module = read_module(text, "spmd.mlir");
  if (module) return std::move(*module);
  ADD_FAILURE() << module.error().text() << "\n" << text;
  throw UserError(module.error());
}

Tensor tensor_of(const TensorType& type, const std::vector<double>& values) {
  Tensor out{type, {}};
  for (const double v : values) {
    Scalar s{};
    if (is_float(type.element)) {
      s.f = v;
    } else {
      s.i = static_cast<std::int64_t>(v);
    }
    out.data.push_back(s);
  }
  return out;
}

std::vector<double> values_of(const Tensor& t) {
  std::vector<double> out;
  for (const Scalar& s : t.data) out.push_back(native_domain().to_double(s, t.type.element));
  return out;
}

/// Results of a program of one result, by device; `arguments` by argument, then device.
Result<Values> run(const std::string& text, const Devices& devices, const std::vector<Values>& arguments, std::uint64_t shuffle = 0) {
  const Module module = module_of(text);
  const Function& f = module.functions.front();
  std::vector<std::vector<Tensor>> inputs(static_cast<std::size_t>(devices.count()));
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    for (std::size_t k = 0; k < arguments.size(); ++k) inputs[d].push_back(tensor_of(f.type(f.arguments()[k]), arguments[k].at(d)));
  }
  const auto results = run_spmd(f, inputs, devices, native_domain(), shuffle);
  if (!results) return tl::unexpected(results.error());
  Values out;
  for (const auto& device : *results) out.push_back(values_of(device.at(0)));
  return out;
}

void expect(const std::string& text, const Devices& devices, const std::vector<Values>& arguments, const Values& wanted) {
  for (std::uint64_t shuffle = 0; shuffle < 6; ++shuffle) {
    const auto got = run(text, devices, arguments, shuffle);
    ASSERT_TRUE(got.has_value()) << got.error().text() << "\n" << text;
    EXPECT_EQ(*got, wanted) << text << "shuffle " << shuffle;
  }
}

std::string main_of(const std::string& arguments, const std::string& result, const std::string& lines) {
  return "func.func public @main(" + arguments + ") -> " + result + " {\n" + lines + "  return %out : " + result + "\n}\n";
}

std::string groups_text(const std::vector<std::vector<std::int64_t>>& groups) {
  return fmt::format("replica_groups = dense<{}> : tensor<{}x{}xi64>", groups, groups.size(), groups.at(0).size());
}

const char* const kFlattened = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids";
const char* const kChannel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";

std::string fold_of(const char* fn, const char* element) {
  const std::string t = fmt::format("tensor<{}>", element);
  return fmt::format("({{\n  ^bb0(%a: {0}, %b: {0}):\n    %s = {1} %a, %b : {0}\n    stablehlo.return %s : {0}\n  }})", t, fn);
}
std::string all_reduce(const std::string& groups, const std::string& fold, const std::string& type) {
  return fmt::format("  %out = \"stablehlo.all_reduce\"(%x) <{{{}}}> {} : ({}) -> {}\n", groups, fold, type, type);
}

// --- Each collective, on values by hand ------------------------------------------------------------------------------

TEST(AllReduce, AddsWithinEachGroup) {
  expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                 all_reduce("replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>" + std::string(kFlattened), fold_of("stablehlo.add", "f32"), "tensor<2xf32>")),
         {1, 4}, {{{1, 2}, {10, 20}, {3, 4}, {5, 6}}},
         {{11, 22}, {11, 22}, {8, 10}, {8, 10}});
}

TEST(AllReduce, TakesGroupsOfDifferentSizesPaddedByMinusOne) {
  expect(main_of("%x: tensor<i32>", "tensor<i32>",
                 all_reduce("replica_groups = dense<[[2, 0, 3], [1, -1, -1]]> : tensor<2x3xi64>" + std::string(kFlattened), fold_of("stablehlo.add", "i32"), "tensor<i32>")),
         {1, 4}, {{{1}, {2}, {4}, {8}}},
         {{13}, {2}, {13}, {13}});
}

TEST(AllReduce, FoldsByMaximumByOrAndByAnyBody) {
  const std::string groups = "replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>" + std::string(kFlattened);
  expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>", all_reduce(groups, fold_of("stablehlo.maximum", "f32"), "tensor<2xf32>")), {1, 3},
         {{{1, -2}, {-5, 7}, {0, 0}}}, {{1, 7}, {1, 7}, {1, 7}});
  expect(main_of("%x: tensor<3xi1>", "tensor<3xi1>", all_reduce(groups, fold_of("stablehlo.or", "i1"), "tensor<3xi1>")), {1, 3},
         {{{0, 1, 0}, {0, 0, 0}, {0, 1, 1}}}, {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}});
  const std::string larger = "({\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
                             "    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                             "    %s = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>\n    stablehlo.return %s : tensor<i32>\n  })";
  expect(main_of("%x: tensor<i32>", "tensor<i32>", all_reduce(groups, larger, "tensor<i32>")), {1, 3}, {{{4}, {9}, {-1}}}, {{9}, {9}, {9}});
}

TEST(AllReduce, OfTwoValuesReducesBoth) {
  const Module module = module_of(
      "func.func @main(%x: tensor<f32>, %y: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>) {\n"
      "  %0:2 = \"stablehlo.all_reduce\"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids" + std::string(kChannel) + "}> " +
      fold_of("stablehlo.add", "f32") + " : (tensor<f32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)\n"
      "  return %0#0, %0#1 : tensor<f32>, tensor<2xf32>\n}\n");
  const Function& f = module.functions[0];
  const auto input = [&](double a, double b, double c) { return std::vector<Tensor>{tensor_of(f.type(f.arguments()[0]), {a}), tensor_of(f.type(f.arguments()[1]), {b, c})}; };
  const auto out = run_spmd(f, {input(1, 2, 3), input(10, 20, 30)}, {1, 2}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  for (const auto& device : *out) {
    EXPECT_EQ(values_of(device[0]), (std::vector<double>{11}));
    EXPECT_EQ(values_of(device[1]), (std::vector<double>{22, 33}));
  }
}

TEST(AllGather, JoinsInTheOrderOfTheGroup) {
  expect(main_of("%x: tensor<1x2xf32>", "tensor<2x2xf32>",
                 "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>" + std::string(kFlattened) +
                     "}> : (tensor<1x2xf32>) -> tensor<2x2xf32>\n"),
         {1, 4}, {{{1, 2}, {3, 4}, {5, 6}, {7, 8}}},
         {{3, 4, 1, 2}, {3, 4, 1, 2}, {5, 6, 7, 8}, {5, 6, 7, 8}});
  expect(main_of("%x: tensor<2x1xf32>", "tensor<2x2xf32>",
                 "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>" + std::string(kFlattened) +
                     "}> : (tensor<2x1xf32>) -> tensor<2x2xf32>\n"),
         {1, 2}, {{{1, 2}, {3, 4}}},
         {{1, 3, 2, 4}, {1, 3, 2, 4}});
}

TEST(ReduceScatter, GivesEachDeviceTheChunkOfItsPosition) {
  expect(main_of("%x: tensor<4xf32>", "tensor<2xf32>",
                 "  %out = \"stablehlo.reduce_scatter\"(%x) <{replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64" + std::string(kFlattened) +
                     "}> " + fold_of("stablehlo.add", "f32") + " : (tensor<4xf32>) -> tensor<2xf32>\n"),
         {1, 4}, {{{1, 2, 3, 4}, {5, 6, 7, 8}, {10, 20, 30, 40}, {50, 60, 70, 80}}},
         {{11, 22}, {77, 88}, {33, 44}, {55, 66}});
}

TEST(AllToAll, SendsChunkKToTheDeviceAtPositionK) {
  const std::string line = "  %out = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, "
                           "split_dimension = 1 : i64" + std::string(kChannel) + "}> : (tensor<1x4xf32>) -> tensor<2x2xf32>\n";
  expect(main_of("%x: tensor<1x4xf32>", "tensor<2x2xf32>", line), {1, 2}, {{{1, 2, 3, 4}, {5, 6, 7, 8}}},
         {{1, 2, 5, 6}, {3, 4, 7, 8}});
  const std::string same = "  %out = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, split_count = 2 : i64, "
                           "split_dimension = 0 : i64" + std::string(kChannel) + "}> : (tensor<2xf32>) -> tensor<2xf32>\n";
  expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>", same), {1, 2}, {{{1, 2}, {3, 4}}},
         {{4, 2}, {3, 1}});
}

std::string permute(const std::string& pairs, const std::string& channel) {
  return main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                 "  %out = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = " + pairs + channel + "}> : (tensor<2xf32>) -> tensor<2xf32>\n");
}

TEST(CollectivePermute, SendsToTargetsToItselfAndLeavesZerosWhereNobodySends) {
  expect(permute("dense<[[0, 1], [1, 2], [3, 3]]> : tensor<3x2xi64>", kChannel), {1, 4}, {{{1, 2}, {3, 4}, {5, 6}, {7, 8}}},
         {{0, 0}, {1, 2}, {3, 4}, {7, 8}});
  expect(permute("dense<> : tensor<0x2xi64>", kChannel), {1, 2}, {{{1, 2}, {3, 4}}}, {{0, 0}, {0, 0}});
}

TEST(CollectivePermute, NamesReplicasWithoutAChannelAndPartitionsWithOne) {
  const std::string pairs = "dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>";
  expect(permute(pairs, ""), {2, 1}, {{{1, 2}, {3, 4}}}, {{3, 4}, {1, 2}});
  // Devices are replica * 2 + partition.
  const Values held = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  expect(permute(pairs, ""), {2, 2}, {held}, {{1, 0}, {1, 1}, {0, 0}, {0, 1}});
  expect(permute(pairs, kChannel), {2, 2}, {held}, {{0, 1}, {0, 0}, {1, 1}, {1, 0}});
}

TEST(CollectiveBroadcast, GivesTheFirstOfTheGroup) {
  expect(main_of("%x: tensor<f32>", "tensor<f32>",
                 "  %out = \"stablehlo.collective_broadcast\"(%x) <{replica_groups = dense<[[2, 1], [0, 3]]> : tensor<2x2xi64>" + std::string(kChannel) + "}> : (tensor<f32>) -> tensor<f32>\n"),
         {1, 4}, {{{1}, {2}, {3}, {4}}}, {{1}, {3}, {3}, {1}});
}

TEST(DeviceIds, AreReplicaTimesPartitionsPlusPartition) {
  expect(main_of("", "tensor<ui32>", "  %out = stablehlo.partition_id : tensor<ui32>\n"), {2, 3}, {}, {{0}, {1}, {2}, {0}, {1}, {2}});
  expect(main_of("", "tensor<ui32>", "  %out = stablehlo.replica_id : tensor<ui32>\n"), {2, 3}, {}, {{0}, {0}, {0}, {1}, {1}, {1}});
}

// --- How groups are read (specification, "Grouping of processes"); devices are replica * 2 + partition ----------------

struct Reading {
  const char* name;
  const char* groups;
  const char* attributes;
  Values wanted;
};

TEST(Groups, AreReadByChannelAndGlobalIds) {
  const Values held = {{1}, {2}, {4}, {8}};  // (r, p) = (0, 0), (0, 1), (1, 0), (1, 1)
  const Reading readings[] = {
      {"cross_replica", "dense<[[0, 1]]> : tensor<1x2xi64>", "", {{5}, {10}, {5}, {10}}},
      {"cross_replica of single replicas", "dense<[[0], [1]]> : tensor<2x1xi64>", "", {{1}, {2}, {4}, {8}}},
      {"cross_replica of all", "dense<> : tensor<0x0xi64>", "", {{5}, {10}, {5}, {10}}},
      {"cross_replica_and_partition", "dense<[[0, 1]]> : tensor<1x2xi64>", kChannel, {{15}, {15}, {15}, {15}}},
      {"cross_replica_and_partition of single replicas", "dense<[[0], [1]]> : tensor<2x1xi64>", kChannel, {{3}, {3}, {12}, {12}}},
      {"flattened ids", "dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>", kFlattened, {{9}, {6}, {6}, {9}}},
      {"a channel of handle 0 is none", "dense<[[0, 1]]> : tensor<1x2xi64>", ", channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>", {{5}, {10}, {5}, {10}}}};
  for (const Reading& r : readings) {
    SCOPED_TRACE(r.name);
    expect(main_of("%x: tensor<i32>", "tensor<i32>", all_reduce(std::string("replica_groups = ") + r.groups + r.attributes, fold_of("stablehlo.add", "i32"), "tensor<i32>")),
           {2, 2}, {held}, r.wanted);
  }
}

TEST(Groups, OfAllToAllNamePartitionsWhenThereIsAChannel) {
  const auto text = [](const std::string& channel) {
    return main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                   "  %out = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64" +
                       channel + "}> : (tensor<2xf32>) -> tensor<2xf32>\n");
  };
  const Values held = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  expect(text(kChannel), {2, 2}, {held}, {{1, 3}, {2, 4}, {5, 7}, {6, 8}});
  expect(text(""), {2, 2}, {held}, {{1, 5}, {3, 7}, {2, 6}, {4, 8}});
}

TEST(Groups, OfNothingAreAllReplicasForGathersToo) {
  expect(main_of("%x: tensor<1xf32>", "tensor<2xf32>",
                 "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<1xf32>) -> tensor<2xf32>\n"),
         {2, 1}, {{{1}, {2}}}, {{1, 2}, {1, 2}});
}

TEST(Groups, ThatCrossInOneProgramMeetInAnyOrder) {
  expect(main_of("%x: tensor<i32>", "tensor<i32>",
                 "  %y = \"stablehlo.all_reduce\"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>" + std::string(kFlattened) + "}> " + fold_of("stablehlo.add", "i32") +
                     " : (tensor<i32>) -> tensor<i32>\n"
                     "  %z = \"stablehlo.all_reduce\"(%y) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>" + std::string(kFlattened) + "}> " + fold_of("stablehlo.multiply", "i32") +
                     " : (tensor<i32>) -> tensor<i32>\n"
                     "  %p = stablehlo.partition_id : tensor<ui32>\n  %q = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>\n  %out = stablehlo.add %z, %q : tensor<i32>\n"),
         {1, 4}, {{{1}, {2}, {3}, {4}}}, {{21}, {22}, {23}, {24}});
}

// --- What is refused -------------------------------------------------------------------------------------------------

void expect_refusal(const std::string& text, const Devices& devices, const std::string& code, const std::string& mentions) {
  Values held(static_cast<std::size_t>(devices.count()), {1, 2});
  for (const std::uint64_t shuffle : {0, 3}) {
    const auto got = run(text, devices, {held}, shuffle);
    ASSERT_FALSE(got.has_value()) << text;
    EXPECT_EQ(got.error().code, code) << got.error().text();
    EXPECT_NE(got.error().text().find(mentions), std::string::npos) << got.error().text();
  }
}

std::string reduce_over(const std::string& groups) {
  return main_of("%x: tensor<2xf32>", "tensor<2xf32>", all_reduce("replica_groups = " + groups + kFlattened, fold_of("stablehlo.add", "f32"), "tensor<2xf32>"));
}

TEST(Refusals, OfGroupsThatNameNoDevice) {
  expect_refusal(reduce_over("dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>"), {1, 4}, "collective", "device 4");
  expect_refusal(permute("dense<[[0, 7]]> : tensor<1x2xi64>", kChannel), {1, 4}, "collective", "device 7");
}

TEST(Refusals, OfGroupsThatNameADeviceTwice) {
  expect_refusal(reduce_over("dense<[[0, 0]]> : tensor<1x2xi64>"), {1, 2}, "collective", "device 0 twice");
  expect_refusal(reduce_over("dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>"), {1, 3}, "collective", "device 1 twice");
  expect_refusal(permute("dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>", kChannel), {1, 3}, "collective", "device 1 twice");
  expect_refusal(permute("dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>", kChannel), {1, 3}, "collective", "device 0 twice");
  expect_refusal(permute("dense<[[0, -1]]> : tensor<1x2xi64>", kChannel), {1, 3}, "collective", "1 devices");
}

TEST(Refusals, OfADeviceThatNoGroupNamesSayWhoWaitsWhere) {
  expect_refusal(reduce_over("dense<[[0, 1]]> : tensor<1x2xi64>"), {1, 3}, "deadlock", "device 2 waits at stablehlo.all_reduce in line 2");
}

TEST(Refusals, OfGroupsOfAnotherSizeThanTheTypesSay) {
  expect_refusal(main_of("%x: tensor<2xf32>", "tensor<4xf32>",
                         "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>" + std::string(kFlattened) +
                             "}> : (tensor<2xf32>) -> tensor<4xf32>\n"),
                 {1, 3}, "collective", "tensor<2xf32>");
}

// --- Modules: global inputs and outputs by their layouts ---------------------------------------------------------------

std::string sharded_module(const std::string& argument, const std::string& result, const std::string& lines) {
  return "module attributes {mhlo.frontend_attributes = {partir.mesh = \"a=2,b=2\"}, mhlo.num_partitions = 4 : i32} {\n"
         "func.func public @main(%x: tensor<2x2xf32> {mhlo.frontend_attributes = {partir.sharding = \"" + argument + "\"}}) -> (tensor<2x2xf32> {mhlo.frontend_attributes = "
         "{partir.sharding = \"" + result + "\"}}) {\n" + lines + "  return %out : tensor<2x2xf32>\n}\n}\n";
}

TEST(Modules, ScatterInputsAndGatherOutputsByTheirLayouts) {
  const Module module = module_of(sharded_module("[{b}, {a}]", "[{b}, {a}]", "  %out = stablehlo.add %x, %x : tensor<2x2xf32>\n"));
  const TensorType global{ElementType::f32, {4, 4}, ""};
  std::vector<double> values(16);
  std::iota(values.begin(), values.end(), 0.0);
  const auto out = run_module(module, {tensor_of(global, values)}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  for (double& v : values) v *= 2;
  EXPECT_EQ(values_of((*out)[0]), values);
}

TEST(Modules, PutTheMajorAxisFirst) {
  // Rows tiled by b, then a: device (a, b) holds row 2 * b + a; each adds its device number times 10.
  const Module module = module_of(
      "module attributes {mhlo.frontend_attributes = {partir.mesh = \"a=2,b=2\"}, mhlo.num_partitions = 4 : i32} {\n"
      "func.func public @main(%x: tensor<1xf32> {mhlo.frontend_attributes = {partir.sharding = \"[{b, a}]\"}}) -> (tensor<1xf32> {mhlo.frontend_attributes = {partir.sharding = \"[{b, a}]\"}}) {\n"
      "  %p = stablehlo.partition_id : tensor<ui32>\n  %q = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>\n"
      "  %r = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> tensor<1xf32>\n"
      "  %ten = stablehlo.constant dense<10.0> : tensor<1xf32>\n  %s = stablehlo.multiply %r, %ten : tensor<1xf32>\n  %out = stablehlo.add %x, %s : tensor<1xf32>\n"
      "  return %out : tensor<1xf32>\n}\n}\n");
  const auto out = run_module(module, {tensor_of(TensorType{ElementType::f32, {4}, ""}, {1, 2, 3, 4})}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  EXPECT_EQ(values_of((*out)[0]), (std::vector<double>{1, 22, 13, 34})) << "rows of devices 0, 2, 1, 3";
}

TEST(Modules, OfPartialResultsCombineThem) {
  const Module module = module_of(sharded_module("[{}, {}] partial{a:sum}", "[{}, {}] partial{a:sum}", "  %out = stablehlo.negate %x : tensor<2x2xf32>\n"));
  const auto out = run_module(module, {tensor_of(TensorType{ElementType::f32, {2, 2}, ""}, {1, 2, 3, 4})}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  EXPECT_EQ(values_of((*out)[0]), (std::vector<double>{-1, -2, -3, -4}));
}

TEST(Modules, WhoseDevicesDisagreeOnAReplicatedResultAreRefused) {
  const Module module = module_of(
      "module attributes {mhlo.num_partitions = 2 : i32} {\nfunc.func public @main() -> tensor<ui32> {\n  %out = stablehlo.partition_id : tensor<ui32>\n  return %out : tensor<ui32>\n}\n}\n");
  const auto out = run_module(module, {}, native_domain());
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().code, "replicas");
}

TEST(Modules, WhoseMeshHasAnotherNumberOfDevicesAreRefused) {
  const Module module = module_of(
      "module attributes {mhlo.frontend_attributes = {partir.mesh = \"a=3\"}, mhlo.num_partitions = 2 : i32} {\nfunc.func public @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n}\n");
  EXPECT_FALSE(layout_of(module).has_value());
}

// --- Laws of collectives ---------------------------------------------------------------------------------------------

/// n devices in a random order, and a program's lines that give a device's position in it as %at (i32).
struct Group {
  std::int64_t n;
  std::vector<std::int64_t> order;
  std::string groups;
  std::string position;
};

Group some_group() {
  Group g;
  g.n = *rc::gen::inRange<std::int64_t>(1, 5);
  g.order.resize(static_cast<std::size_t>(g.n));
  std::iota(g.order.begin(), g.order.end(), 0);
  for (std::size_t k = 1; k < g.order.size(); ++k) std::swap(g.order[k], g.order[*rc::gen::inRange<std::size_t>(0, k + 1)]);
  g.groups = groups_text({g.order}) + kFlattened;
  std::vector<std::int64_t> position(g.order.size());
  for (std::size_t k = 0; k < g.order.size(); ++k) position[static_cast<std::size_t>(g.order[k])] = static_cast<std::int64_t>(k);
  g.position = fmt::format("  %p = stablehlo.partition_id : tensor<ui32>\n  %table = stablehlo.constant dense<{}> : tensor<{}xi32>\n"
                           "  %row = stablehlo.dynamic_slice %table, %p, sizes = [1] : (tensor<{}xi32>, tensor<ui32>) -> tensor<1xi32>\n"
                           "  %at = stablehlo.reshape %row : (tensor<1xi32>) -> tensor<i32>\n  %zero = stablehlo.constant dense<0> : tensor<i32>\n", position, g.n, g.n);
  return g;
}

std::string type_text(const std::vector<std::int64_t>& dims) { return fmt::format("tensor<{}xf32>", fmt::join(dims, "x")); }

/// The device's chunk of `from` along `dim` as `to`; dims are of the whole.
std::string chunk_lines(const std::string& from, const std::string& to, const std::vector<std::int64_t>& dims, std::size_t dim, std::int64_t n) {
  std::vector<std::int64_t> part = dims;
  part[dim] /= n;
  std::string starts;
  std::string types;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    starts += d == dim ? ", %start" : ", %zero";
    types += ", tensor<i32>";
  }
  return fmt::format("  %size = stablehlo.constant dense<{}> : tensor<i32>\n  %start = stablehlo.multiply %at, %size : tensor<i32>\n"
                     "  {} = stablehlo.dynamic_slice {}{}, sizes = [{}] : ({}{}) -> {}\n",
                     part[dim], to, from, starts, fmt::join(part, ", "), type_text(dims), types, type_text(part));
}

std::vector<std::int64_t> some_dims(std::int64_t n, std::size_t least_rank = 1) {
  std::vector<std::int64_t> dims;
  const auto rank = *rc::gen::inRange<std::size_t>(least_rank, 4);
  for (std::size_t d = 0; d < rank; ++d) dims.push_back(n * *rc::gen::inRange<std::int64_t>(1, 3));
  return dims;
}

/// A program of two results that must be equal on each device, in the modular domain; operand 0 the same on all devices
/// if `replicated`.
void assert_equal_results(const std::string& text, std::int64_t n, bool replicated) {
  const Module module = module_of(text);
  const Function& f = module.functions[0];
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1 << 30);
  std::vector<std::vector<Tensor>> inputs;
  for (std::int64_t d = 0; d < n; ++d) {
    inputs.push_back({varied_tensor(f.type(f.arguments()[0]), replicated ? seed : seed + static_cast<std::uint64_t>(d), modular_domain())});
  }
  const auto out = run_spmd(f, inputs, {1, n}, modular_domain(), *rc::gen::inRange<std::uint64_t>(0, 4));
  RC_LOG() << text << "seed " << seed << "\n" << (out ? "" : out.error().text());
  RC_ASSERT(out.has_value());
  for (const auto& device : *out) {
    RC_ASSERT(device[0].type == device[1].type);
    RC_ASSERT(difference(device[0], device[1], modular_domain()).elements == 0);
  }
}

std::string two_results(const std::string& argument, const std::string& result, const std::string& lines, const std::string& a, const std::string& b) {
  return fmt::format("func.func @main(%x: {0}) -> ({1}, {1}) {{\n{2}  return {3}, {4} : {1}, {1}\n}}\n", argument, result, lines, a, b);
}

TEST(Laws, AllGatherOfSlicesIsTheIdentity) {
  EXPECT_TRUE(rc::check("all_gather(slice(x)) = x", [] {
    const Group g = some_group();
    const auto dims = some_dims(g.n);
    const auto dim = *rc::gen::inRange<std::size_t>(0, dims.size());
    auto part = dims;
    part[dim] /= g.n;
    const std::string gather = fmt::format("  %y = \"stablehlo.all_gather\"(%c) <{{all_gather_dim = {} : i64, {}}}> : ({}) -> {}\n", dim, g.groups, type_text(part), type_text(dims));
    assert_equal_results(two_results(type_text(dims), type_text(dims), g.position + chunk_lines("%x", "%c", dims, dim, g.n) + gather, "%x", "%y"), g.n, true);
  }));
}

TEST(Laws, ReduceScatterIsAllReduceThenSlice) {
  EXPECT_TRUE(rc::check("reduce_scatter(x) = slice(all_reduce(x))", [] {
    const Group g = some_group();
    const auto dims = some_dims(g.n);
    const auto dim = *rc::gen::inRange<std::size_t>(0, dims.size());
    auto part = dims;
    part[dim] /= g.n;
    const std::string fold = fold_of(*rc::gen::element("stablehlo.add", "stablehlo.maximum", "stablehlo.multiply"), "f32");
    const std::string lines = fmt::format("  %s = \"stablehlo.reduce_scatter\"(%x) <{{{}, scatter_dimension = {} : i64}}> {} : ({}) -> {}\n"
                                          "  %a = \"stablehlo.all_reduce\"(%x) <{{{}}}> {} : ({}) -> {}\n",
                                          g.groups, dim, fold, type_text(dims), type_text(part), g.groups, fold, type_text(dims), type_text(dims));
    assert_equal_results(two_results(type_text(dims), type_text(part), g.position + lines + chunk_lines("%a", "%c", dims, dim, g.n), "%s", "%c"), g.n, false);
  }));
}

TEST(Laws, AllToAllIsGatherThenSlice) {
  EXPECT_TRUE(rc::check("all_to_all(x) = slice(all_gather(x))", [] {
    const Group g = some_group();
    const auto dims = some_dims(g.n, 2);
    // Two dimensions: along one, chunks are interleaved, which no slice of the whole is.
    const auto split = *rc::gen::inRange<std::size_t>(0, dims.size());
    const auto concat = (split + *rc::gen::inRange<std::size_t>(1, dims.size())) % dims.size();
    auto whole = dims;
    whole[concat] *= g.n;
    auto part = whole;
    part[split] /= g.n;
    // all_to_all has no use_global_device_ids: with a channel its groups name partitions, which here are the devices.
    const std::string lines = fmt::format("  %t = \"stablehlo.all_to_all\"(%x) <{{concat_dimension = {} : i64, {}{}, split_count = {} : i64, split_dimension = {} : i64}}> : ({}) -> {}\n"
                                          "  %w = \"stablehlo.all_gather\"(%x) <{{all_gather_dim = {} : i64, {}}}> : ({}) -> {}\n",
                                          concat, groups_text({g.order}), kChannel, g.n, split, type_text(dims), type_text(part), concat, g.groups, type_text(dims), type_text(whole));
    assert_equal_results(two_results(type_text(dims), type_text(part), g.position + lines + chunk_lines("%w", "%c", whole, split, g.n), "%t", "%c"), g.n, false);
  }));
}

TEST(Laws, TwoPermutesCompose) {
  EXPECT_TRUE(rc::check("permute(permute(x, p), q) = permute(x, q after p)", [] {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 6);
    const auto some_map = [&] {  // partial and injective
      std::vector<std::int64_t> to(static_cast<std::size_t>(n));
      std::iota(to.begin(), to.end(), 0);
      for (std::size_t k = 1; k < to.size(); ++k) std::swap(to[k], to[*rc::gen::inRange<std::size_t>(0, k + 1)]);
      for (std::int64_t& t : to) {
        if (*rc::gen::inRange(0, 4) == 0) t = -1;
      }
      return to;
    };
    const auto p = some_map();
    const auto q = some_map();
    std::vector<std::int64_t> both;
    for (const std::int64_t t : p) both.push_back(t < 0 ? -1 : q[static_cast<std::size_t>(t)]);
    const auto line = [&](const char* to, const char* from, const std::vector<std::int64_t>& map) {
      std::vector<std::vector<std::int64_t>> pairs;
      for (std::size_t s = 0; s < map.size(); ++s) {
        if (map[s] >= 0) pairs.push_back({static_cast<std::int64_t>(s), map[s]});
      }
      const std::string dense = pairs.empty() ? "dense<>" : fmt::format("dense<{}>", pairs);
      return fmt::format("  {} = \"stablehlo.collective_permute\"({}) <{{source_target_pairs = {} : tensor<{}x2xi64>{}}}> : (tensor<3xf32>) -> tensor<3xf32>\n", to, from, dense, pairs.size(), kChannel);
    };
    assert_equal_results(two_results("tensor<3xf32>", "tensor<3xf32>", line("%a", "%x", p) + line("%b", "%a", q) + line("%c", "%x", both), "%b", "%c"), n, false);
  }));
}

// --- PartIR:Core: the sequential reading of loops ----------------------------------------------------------------------

/// A Core program of two results that must be equal.
void assert_core_equal(const std::string& arguments, const std::string& result, const std::string& lines, const std::string& a, const std::string& b) {
  const std::string text = fmt::format("func.func @main({0}) -> ({1}, {1}) {{\n{2}  return {3}, {4} : {1}, {1}\n}}\n", arguments, result, lines, a, b);
  const Module module = module_of(text);
  const Function& f = module.functions[0];
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1 << 30);
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < f.arguments().size(); ++k) inputs.push_back(varied_tensor(f.type(f.arguments()[k]), seed + k, modular_domain()));
  const auto out = run_sequential(f, inputs, modular_domain());
  RC_LOG() << text << "seed " << seed << "\n" << (out ? "" : out.error().text());
  RC_ASSERT(out.has_value());
  RC_ASSERT(difference((*out)[0], (*out)[1], modular_domain()).elements == 0);
}

std::string slice_line(const std::string& to, const std::string& from, std::size_t dim, const std::string& index, const std::vector<std::int64_t>& dims, std::int64_t n) {
  auto part = dims;
  part[dim] /= n;
  return fmt::format("  {} = slice {} {}[{}] : {} -> {}\n", to, dim, from, index, type_text(dims), type_text(part));
}

TEST(CoreLoops, OfSlicesGiveTheValueBack) {
  EXPECT_TRUE(rc::check("loop [#tile<d>] { slice d x[r] } = x", [] {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto dims = some_dims(n);
    const auto dim = *rc::gen::inRange<std::size_t>(0, dims.size());
    auto part = dims;
    part[dim] /= n;
    assert_core_equal("%x: " + type_text(dims), type_text(dims),
                      fmt::format("  %y = loop \"a\" [#tile<{}>] (%r: range<{}>) {{\n  {}    yield %s : {}\n  }} : {}\n", dim, n, slice_line("%s", "%x", dim, "%r", dims, n), type_text(part), type_text(dims)),
                      "%x", "%y");
  }));
}

TEST(CoreLoops, OverDifferentAxesCommute) {
  EXPECT_TRUE(rc::check("a loop over a of a loop over b is a loop over b of a loop over a", [] {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 4);
    const auto m = *rc::gen::inRange<std::int64_t>(1, 4);
    const std::vector<std::int64_t> dims = {n * 2, m * *rc::gen::inRange<std::int64_t>(1, 3)};
    const auto nest = [&](const std::string& to, bool a_first) {
      const std::size_t outer = a_first ? 0 : 1;
      const std::size_t inner = 1 - outer;
      const std::int64_t sizes[] = {n, m};
      const char* axes[] = {"a", "b"};
      auto half = dims;
      half[outer] /= sizes[outer];
      auto quarter = half;
      quarter[inner] /= sizes[inner];
      return fmt::format("  {0} = loop \"{1}\" [#tile<{2}>] (%r{0}_: range<{3}>) {{\n  {4}    %u = loop \"{5}\" [#tile<{6}>] (%q: range<{7}>) {{\n    {8}"
                         "      %t = stablehlo.tanh %v : {9}\n      yield %t : {9}\n    }} : {10}\n    yield %u : {10}\n  }} : {11}\n",
                         to, axes[outer], outer, sizes[outer], slice_line("%s", "%x", outer, "%r" + to + "_", dims, sizes[outer]), axes[inner], inner, sizes[inner],
                         slice_line("%v", "%s", inner, "%q", half, sizes[inner]), type_text(quarter), type_text(half), type_text(dims));
    };
    std::string lines = nest("%y", true) + nest("%z", false);
    for (const char* name : {"%r%y_", "%r%z_"}) {  // names of the indices: letters only
      for (std::size_t at = 0; (at = lines.find(name, at)) != std::string::npos;) lines.replace(at, 5, std::string("%r") + name[3]);
    }
    assert_core_equal("%x: " + type_text(dims), type_text(dims), lines, "%y", "%z");
  }));
}

TEST(CoreLoops, OfASumOverTheContractedDimensionGiveTheProduct) {
  EXPECT_TRUE(rc::check("loop [#sum] { slice 1 x[r] * slice 0 y[r] } = x * y", [] {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto k = n * *rc::gen::inRange<std::int64_t>(1, 3);
    const std::string dot = "stablehlo.dot_general {}, {}, contracting_dims = [1] x [0] : (tensor<2x{}xf32>, tensor<{}x3xf32>) -> tensor<2x3xf32>\n";
    assert_core_equal(fmt::format("%x: tensor<2x{0}xf32>, %y: tensor<{0}x3xf32>", k), "tensor<2x3xf32>",
                      "  %a = " + fmt::format(fmt::runtime(dot), "%x", "%y", k, k) +
                          fmt::format("  %b = loop \"a\" [#sum] (%r: range<{}>) {{\n", n) + slice_line("%s", "%x", 1, "%r", {2, k}, n) + slice_line("%t", "%y", 0, "%r", {k, 3}, n) +
                          "    %p = " + fmt::format(fmt::runtime(dot), "%s", "%t", k / n, k / n) + "    yield %p : tensor<2x3xf32>\n  } : tensor<2x3xf32>\n",
                      "%a", "%b");
  }));
}

TEST(CoreLoops, CombineByTheMonoidOfTheirAction) {
  EXPECT_TRUE(rc::check("loop [#m] { reduce m of slice } = reduce m", [] {
    const auto n = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto k = n * *rc::gen::inRange<std::int64_t>(1, 3);
    struct Fold {
      const char* action;
      const char* fn;
      const char* identity;
    };
    const Fold folds[] = {{"#sum", "add", "0.0"}, {"#max", "maximum", "0xFF800000"}, {"#min", "minimum", "0x7F800000"}, {"#prod", "multiply", "1.0"}};
    const Fold fold = folds[*rc::gen::inRange<std::size_t>(0, 4)];
    const auto reduce = [&](const char* to, const char* from, std::int64_t size) {
      return fmt::format("  {} = stablehlo.reduce({} init: %c) applies stablehlo.{} across dimensions = [0] : (tensor<{}x2xf32>, tensor<f32>) -> tensor<2xf32>\n", to, from, fold.fn, size);
    };
    assert_core_equal(fmt::format("%x: tensor<{}x2xf32>", k), "tensor<2xf32>",
                      fmt::format("  %c = stablehlo.constant dense<{}> : tensor<f32>\n", fold.identity) + reduce("%a", "%x", k) +
                          fmt::format("  %b = loop \"a\" [{}] (%r: range<{}>) {{\n", fold.action, n) + slice_line("%s", "%x", 0, "%r", {k, 2}, n) + reduce("%p", "%s", k / n) +
                          "    yield %p : tensor<2xf32>\n  } : tensor<2xf32>\n",
                      "%a", "%b");
  }));
}

TEST(CoreLoops, OfTwoResultsTakeEachByItsAction) {
  const Module module = module_of(
      "func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<2xi32>, tensor<i32>) {\n"
      "  %c = stablehlo.constant dense<7> : tensor<i32>\n"
      "  %0:3 = loop \"a\" [#tile<0>, #sum, #any] (%r: range<2>) {\n    %s = slice 0 %x[%r] : tensor<4xi32> -> tensor<2xi32>\n"
      "    yield %s, %s, %c : tensor<2xi32>, tensor<2xi32>, tensor<i32>\n  } : (tensor<4xi32>, tensor<2xi32>, tensor<i32>)\n"
      "  return %0#0, %0#1, %0#2 : tensor<4xi32>, tensor<2xi32>, tensor<i32>\n}\n");
  const Function& f = module.functions[0];
  const auto out = run_sequential(f, {tensor_of(f.type(f.arguments()[0]), {1, 2, 3, 4})}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  EXPECT_EQ(values_of((*out)[0]), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(values_of((*out)[1]), (std::vector<double>{4, 6}));
  EXPECT_EQ(values_of((*out)[2]), (std::vector<double>{7}));
}

TEST(CoreLoops, WhoseWholeValuesDifferAreRefused) {
  const Module module = module_of(
      "func.func @main(%x: tensor<4xi32>) -> tensor<2xi32> {\n  %0 = loop \"a\" [#any] (%r: range<2>) {\n    %s = slice 0 %x[%r] : tensor<4xi32> -> tensor<2xi32>\n"
      "    yield %s : tensor<2xi32>\n  } : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}\n");
  const Function& f = module.functions[0];
  const auto same = run_sequential(f, {tensor_of(f.type(f.arguments()[0]), {1, 2, 1, 2})}, native_domain());
  ASSERT_TRUE(same.has_value()) << same.error().text();
  const auto differ = run_sequential(f, {tensor_of(f.type(f.arguments()[0]), {1, 2, 3, 4})}, native_domain());
  ASSERT_FALSE(differ.has_value());
  EXPECT_EQ(differ.error().code, "core");
}

}  // namespace
}  // namespace partir
