// The interpreter of many devices: collectives, device ids, groups and layouts, as complete programs with the values
// that each device must hold.
#include <numeric>

#include "tests/semantics/spmd_programs.h"

namespace partir {
namespace {

using namespace testing;
using Values = std::vector<std::vector<double>>;  ///< of one argument or result: a list for each device

/// Runs a program with one result and returns the result by device; `arguments` are by argument, then by device.
Result<Values> run(const Module& module, const Devices& devices, const std::vector<Values>& arguments,
                   std::uint64_t shuffle = 0) {
  const Function& f = module.functions.front();
  std::vector<std::vector<Tensor>> inputs(static_cast<std::size_t>(devices.count()));
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    for (std::size_t k = 0; k < arguments.size(); ++k)
      inputs[d].push_back(tensor_of(f.tensor(f.arguments()[k]), arguments[k].at(d)));
  }
  const auto results = run_spmd(f, inputs, devices, native_domain(), shuffle);
  if (!results) return tl::unexpected(results.error());
  Values out;
  for (const auto& device : *results) out.push_back(values_of(device.at(0)));
  return out;
}

void expect(const std::string& text, const Devices& devices, const std::vector<Values>& arguments,
            const Values& wanted) {
  for (std::uint64_t shuffle = 0; shuffle < 6; ++shuffle) {
    const auto got = run(module_of(text), devices, arguments, shuffle);
    ASSERT_TRUE(got.has_value()) << got.error().text() << "\n" << text;
    EXPECT_EQ(*got, wanted) << text << "shuffle " << shuffle;
  }
}

std::string main_of(const std::string& arguments, const std::string& result, const std::string& lines) {
  return "func.func public @main(" + arguments + ") -> " + result + " {\n" + lines + "  return %out : " + result +
         "\n}\n";
}

std::string all_reduce(const std::string& groups, const std::string& fold, const std::string& type) {
  return fmt::format("  %out = \"stablehlo.all_reduce\"(%x) <{{{}}}> {} : ({}) -> {}\n", groups, fold, type, type);
}

// --- Each collective, on values by hand ------------------------------------------------------------------------------

TEST(AllReduce, AddsWithinEachGroup) {
  expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                 all_reduce("replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>" + std::string(kFlattened),
                            fold_of("stablehlo.add", "f32"), "tensor<2xf32>")),
         {1, 4}, {{{1, 2}, {10, 20}, {3, 4}, {5, 6}}}, {{11, 22}, {11, 22}, {8, 10}, {8, 10}});
}

TEST(AllReduce, WithAChannelButNoGlobalIdsTakesAllPartitionsOfTheReplicas) {
  for (const std::string channel : {", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>",
                                    ", channel_handle = #stablehlo.channel_handle<type=1, handle=1>",
                                    ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
                                    "use_global_device_ids = false"}) {
    expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                   all_reduce("replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>" + channel,
                              fold_of("stablehlo.add", "f32"), "tensor<2xf32>")),
           {2, 2}, {{{1, 2}, {10, 20}, {3, 4}, {5, 6}}}, {{11, 22}, {11, 22}, {8, 10}, {8, 10}});
  }
}

TEST(AllReduce, TakesGroupsOfDifferentSizesPaddedByMinusOne) {
  expect(
      main_of("%x: tensor<i32>", "tensor<i32>",
              all_reduce("replica_groups = dense<[[2, 0, 3], [1, -1, -1]]> : tensor<2x3xi64>" + std::string(kFlattened),
                         fold_of("stablehlo.add", "i32"), "tensor<i32>")),
      {1, 4}, {{{1}, {2}, {4}, {8}}}, {{13}, {2}, {13}, {13}});
}

TEST(AllReduce, FoldsByMaximumByOrAndByAnyBody) {
  const std::string groups = "replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>" + std::string(kFlattened);
  expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                 all_reduce(groups, fold_of("stablehlo.maximum", "f32"), "tensor<2xf32>")),
         {1, 3}, {{{1, -2}, {-5, 7}, {0, 0}}}, {{1, 7}, {1, 7}, {1, 7}});
  expect(main_of("%x: tensor<3xi1>", "tensor<3xi1>", all_reduce(groups, fold_of("stablehlo.or", "i1"), "tensor<3xi1>")),
         {1, 3}, {{{0, 1, 0}, {0, 0, 0}, {0, 1, 1}}}, {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}});
  const std::string larger =
      "({\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
      "    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    %s = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>\n    stablehlo.return %s : tensor<i32>\n  })";
  expect(main_of("%x: tensor<i32>", "tensor<i32>", all_reduce(groups, larger, "tensor<i32>")), {1, 3},
         {{{4}, {9}, {-1}}}, {{9}, {9}, {9}});
}

TEST(AllReduce, OfTwoValuesReducesBoth) {
  const Module module = module_of(
      "func.func @main(%x: tensor<f32>, %y: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>) {\n"
      "  %0:2 = \"stablehlo.all_reduce\"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
      "use_global_device_ids" +
      std::string(kChannel) + "}> " + fold_of("stablehlo.add", "f32") +
      " : (tensor<f32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)\n"
      "  return %0#0, %0#1 : tensor<f32>, tensor<2xf32>\n}\n");
  const Function& f = module.functions[0];
  const auto input = [&](double a, double b, double c) {
    return std::vector<Tensor>{tensor_of(f.tensor(f.arguments()[0]), {a}),
                               tensor_of(f.tensor(f.arguments()[1]), {b, c})};
  };
  const auto out = run_spmd(f, {input(1, 2, 3), input(10, 20, 30)}, {1, 2}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  for (const auto& device : *out) {
    EXPECT_EQ(values_of(device[0]), (std::vector<double>{11}));
    EXPECT_EQ(values_of(device[1]), (std::vector<double>{22, 33}));
  }
}

TEST(AllGather, JoinsInTheOrderOfTheGroup) {
  expect(main_of("%x: tensor<1x2xf32>", "tensor<2x2xf32>",
                 "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0], "
                 "[2, 3]]> : tensor<2x2xi64>" +
                     std::string(kFlattened) + "}> : (tensor<1x2xf32>) -> tensor<2x2xf32>\n"),
         {1, 4}, {{{1, 2}, {3, 4}, {5, 6}, {7, 8}}}, {{3, 4, 1, 2}, {3, 4, 1, 2}, {5, 6, 7, 8}, {5, 6, 7, 8}});
  expect(main_of("%x: tensor<2x1xf32>", "tensor<2x2xf32>",
                 "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : "
                 "tensor<1x2xi64>" +
                     std::string(kFlattened) + "}> : (tensor<2x1xf32>) -> tensor<2x2xf32>\n"),
         {1, 2}, {{{1, 2}, {3, 4}}}, {{1, 3, 2, 4}, {1, 3, 2, 4}});
}

TEST(ReduceScatter, GivesEachDeviceTheChunkOfItsPosition) {
  expect(main_of("%x: tensor<4xf32>", "tensor<2xf32>",
                 "  %out = \"stablehlo.reduce_scatter\"(%x) <{replica_groups = dense<[[0, 2], [3, 1]]> : "
                 "tensor<2x2xi64>, scatter_dimension = 0 : i64" +
                     std::string(kFlattened) + "}> " + fold_of("stablehlo.add", "f32") +
                     " : (tensor<4xf32>) -> tensor<2xf32>\n"),
         {1, 4}, {{{1, 2, 3, 4}, {5, 6, 7, 8}, {10, 20, 30, 40}, {50, 60, 70, 80}}},
         {{11, 22}, {77, 88}, {33, 44}, {55, 66}});
}

TEST(AllToAll, SendsChunkKToTheDeviceAtPositionK) {
  const std::string line =
      "  %out = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : "
      "tensor<1x2xi64>, split_count = 2 : i64, "
      "split_dimension = 1 : i64" +
      std::string(kChannel) + "}> : (tensor<1x4xf32>) -> tensor<2x2xf32>\n";
  expect(main_of("%x: tensor<1x4xf32>", "tensor<2x2xf32>", line), {1, 2}, {{{1, 2, 3, 4}, {5, 6, 7, 8}}},
         {{1, 2, 5, 6}, {3, 4, 7, 8}});
  const std::string same =
      "  %out = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[1, 0]]> : "
      "tensor<1x2xi64>, split_count = 2 : i64, "
      "split_dimension = 0 : i64" +
      std::string(kChannel) + "}> : (tensor<2xf32>) -> tensor<2xf32>\n";
  expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>", same), {1, 2}, {{{1, 2}, {3, 4}}}, {{4, 2}, {3, 1}});
}

std::string permute(const std::string& pairs, const std::string& channel) {
  return main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                 "  %out = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = " + pairs + channel +
                     "}> : (tensor<2xf32>) -> tensor<2xf32>\n");
}

TEST(CollectivePermute, SendsToTargetsToItselfAndLeavesZerosWhereNobodySends) {
  expect(permute("dense<[[0, 1], [1, 2], [3, 3]]> : tensor<3x2xi64>", kChannel), {1, 4},
         {{{1, 2}, {3, 4}, {5, 6}, {7, 8}}}, {{0, 0}, {1, 2}, {3, 4}, {7, 8}});
  expect(permute("dense<> : tensor<0x2xi64>", kChannel), {1, 2}, {{{1, 2}, {3, 4}}}, {{0, 0}, {0, 0}});
}

TEST(CollectivePermute, NamesReplicasWithoutAChannelAndPartitionsWithOne) {
  const std::string pairs = "dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>";
  expect(permute(pairs, ""), {2, 1}, {{{1, 2}, {3, 4}}}, {{3, 4}, {1, 2}});
  // Device ids are replica * 2 + partition.
  const Values held = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  expect(permute(pairs, ""), {2, 2}, {held}, {{1, 0}, {1, 1}, {0, 0}, {0, 1}});
  expect(permute(pairs, kChannel), {2, 2}, {held}, {{0, 1}, {0, 0}, {1, 1}, {1, 0}});
}

TEST(CollectiveBroadcast, GivesTheFirstOfTheGroup) {
  expect(main_of("%x: tensor<f32>", "tensor<f32>",
                 "  %out = \"stablehlo.collective_broadcast\"(%x) <{replica_groups = dense<[[2, 1], [0, 3]]> : "
                 "tensor<2x2xi64>" +
                     std::string(kChannel) + "}> : (tensor<f32>) -> tensor<f32>\n"),
         {1, 4}, {{{1}, {2}, {3}, {4}}}, {{1}, {3}, {3}, {1}});
}

TEST(DeviceIds, AreReplicaTimesPartitionsPlusPartition) {
  expect(main_of("", "tensor<ui32>", "  %out = stablehlo.partition_id : tensor<ui32>\n"), {2, 3}, {},
         {{0}, {1}, {2}, {0}, {1}, {2}});
  expect(main_of("", "tensor<ui32>", "  %out = stablehlo.replica_id : tensor<ui32>\n"), {2, 3}, {},
         {{0}, {0}, {0}, {1}, {1}, {1}});
}

// --- Interpretation of groups (specification, "Grouping of processes"); device ids are replica * 2 + partition ------

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
      {"cross_replica_and_partition of single replicas",
       "dense<[[0], [1]]> : tensor<2x1xi64>",
       kChannel,
       {{3}, {3}, {12}, {12}}},
      {"flattened ids", "dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>", kFlattened, {{9}, {6}, {6}, {9}}},
      {"a channel of handle 0 is none",
       "dense<[[0, 1]]> : tensor<1x2xi64>",
       ", channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>",
       {{5}, {10}, {5}, {10}}}};
  for (const Reading& r : readings) {
    SCOPED_TRACE(r.name);
    expect(main_of("%x: tensor<i32>", "tensor<i32>",
                   all_reduce(std::string("replica_groups = ") + r.groups + r.attributes,
                              fold_of("stablehlo.add", "i32"), "tensor<i32>")),
           {2, 2}, {held}, r.wanted);
  }
}

TEST(Groups, OfAllToAllNamePartitionsWhenThereIsAChannel) {
  const auto text = [](const std::string& channel) {
    return main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                   "  %out = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, "
                   "1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64" +
                       channel + "}> : (tensor<2xf32>) -> tensor<2xf32>\n");
  };
  const Values held = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  expect(text(kChannel), {2, 2}, {held}, {{1, 3}, {2, 4}, {5, 7}, {6, 8}});
  expect(text(""), {2, 2}, {held}, {{1, 5}, {3, 7}, {2, 6}, {4, 8}});
}

TEST(Groups, OfNothingAreAllReplicasForGathersToo) {
  expect(main_of("%x: tensor<1xf32>", "tensor<2xf32>",
                 "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<> : "
                 "tensor<0x0xi64>}> : (tensor<1xf32>) -> tensor<2xf32>\n"),
         {2, 1}, {{{1}, {2}}}, {{1, 2}, {1, 2}});
}

TEST(Groups, ThatCrossInOneProgramMeetInAnyOrder) {
  expect(
      main_of("%x: tensor<i32>", "tensor<i32>",
              "  %y = \"stablehlo.all_reduce\"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>" +
                  std::string(kFlattened) + "}> " + fold_of("stablehlo.add", "i32") +
                  " : (tensor<i32>) -> tensor<i32>\n"
                  "  %z = \"stablehlo.all_reduce\"(%y) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>" +
                  std::string(kFlattened) + "}> " + fold_of("stablehlo.multiply", "i32") +
                  " : (tensor<i32>) -> tensor<i32>\n"
                  "  %p = stablehlo.partition_id : tensor<ui32>\n  %q = stablehlo.convert %p : (tensor<ui32>) -> "
                  "tensor<i32>\n  %out = stablehlo.add %z, %q : tensor<i32>\n"),
      {1, 4}, {{{1}, {2}, {3}, {4}}}, {{21}, {22}, {23}, {24}});
}

// --- What is refused -------------------------------------------------------------------------------------------------

void expect_refusal(const Module& module, const Devices& devices, const std::string& code,
                    const std::string& mentions) {
  Values held(static_cast<std::size_t>(devices.count()), {1, 2});
  for (const std::uint64_t shuffle : {0, 3}) {
    const auto got = run(module, devices, {held}, shuffle);
    ASSERT_FALSE(got.has_value()) << mentions;
    EXPECT_EQ(got.error().code, code) << got.error().text();
    EXPECT_NE(got.error().text().find(mentions), std::string::npos) << got.error().text();
  }
}

void expect_refusal(const std::string& text, const Devices& devices, const std::string& code,
                    const std::string& mentions) {
  expect_refusal(module_of(text), devices, code, mentions);
}

/// Returns the program with other ids in its collective, which the reader would refuse as text.
Module with_ids(const std::string& text, const char* name, const std::vector<std::int64_t>& ids) {
  Module out = module_of(text);
  const TensorType type{ElementType::i64, {static_cast<std::int64_t>(ids.size() / 2), 2}};
  set(out.functions.front().body.ops.front().attributes, name, {DenseAttr{int_literal(type, ids)}});
  return out;
}

std::string reduce_over(const std::string& groups) {
  return main_of(
      "%x: tensor<2xf32>", "tensor<2xf32>",
      all_reduce("replica_groups = " + groups + kFlattened, fold_of("stablehlo.add", "f32"), "tensor<2xf32>"));
}

TEST(Refusals, OfGroupsThatNameNoDevice) {
  expect_refusal(reduce_over("dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>"), {1, 4}, "collective", "device 4");
  expect_refusal(permute("dense<[[0, 7]]> : tensor<1x2xi64>", kChannel), {1, 4}, "collective", "device 7");
}

TEST(Refusals, OfGroupsThatNameADeviceTwice) {
  const std::string reduce = reduce_over("dense<[[0, 1]]> : tensor<1x2xi64>");
  const auto groups = [&](const std::vector<std::int64_t>& ids) { return with_ids(reduce, "replica_groups", ids); };
  expect_refusal(groups({0, 0}), {1, 2}, "collective", "device 0 twice");
  expect_refusal(groups({0, 1, 1, 2}), {1, 3}, "collective", "device 1 twice");
  const std::string sent = permute("dense<[[0, 1]]> : tensor<1x2xi64>", kChannel);
  const auto pairs = [&](const std::vector<std::int64_t>& ids) { return with_ids(sent, "source_target_pairs", ids); };
  expect_refusal(pairs({0, 1, 2, 1}), {1, 3}, "collective", "device 1 twice");
  expect_refusal(pairs({0, 1, 0, 2}), {1, 3}, "collective", "device 0 twice");
  expect_refusal(pairs({0, -1}), {1, 3}, "collective", "1 devices");
}

TEST(Refusals, OfADeviceThatNoGroupNames) {
  expect_refusal(reduce_over("dense<[[0, 1]]> : tensor<1x2xi64>"), {1, 3}, "collective", "device 2 in no group");
}

TEST(Refusals, OfGroupsOfAnotherSizeThanTheTypesSay) {
  expect_refusal(main_of("%x: tensor<2xf32>", "tensor<4xf32>",
                         "  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = "
                         "dense<0> : tensor<1x1xi64>" +
                             std::string(kChannel) + "}> : (tensor<2xf32>) -> tensor<4xf32>\n"),
                 {1, 3}, "collective", "tensor<6xf32>");
}

// --- Wider computations and roots that are data ----------------------------------------------------------------------

TEST(Collectives, ComputeInTheWiderTypeOfTheirComputation) {
  const std::string wide =
      "({\n  ^bb0(%a: tensor<f64>, %b: tensor<f64>):\n    %s = stablehlo.add %a, %b : tensor<f64>\n"
      "    stablehlo.return %s : tensor<f64>\n  })";
  expect(main_of("%x: tensor<1xf32>", "tensor<1xf64>",
                 "  %out = \"stablehlo.all_reduce\"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>" +
                     std::string(kFlattened) + "}> " + wide + " : (tensor<1xf32>) -> tensor<1xf64>\n"),
         {1, 2}, {{{16777216}, {1}}}, {{16777217}, {16777217}});
}

TEST(Collectives, BroadcastFromARootThatIsData) {
  expect(main_of("%x: tensor<2xf32>", "tensor<2xf32>",
                 "  %r = stablehlo.constant dense<1> : tensor<1xi32>\n"
                 "  %out = \"stablehlo.collective_broadcast\"(%x, %r) <{replica_groups = dense<[[0, 1]]> : "
                 "tensor<1x2xi64>, has_dynamic_root}> : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>\n"),
         {2, 1}, {{{1, 2}, {3, 4}}}, {{3, 4}, {3, 4}});
}

// --- Modules: global inputs and outputs by their layouts -------------------------------------------------------------

std::string sharded_module(const std::string& argument, const std::string& result, const std::string& lines) {
  return "module attributes {mhlo.frontend_attributes = {partir.mesh = \"a=2,b=2\"}, mhlo.num_partitions = 4 : i32} {\n"
         "func.func public @main(%x: tensor<2x2xf32> {mhlo.frontend_attributes = {partir.sharding = \"" +
         argument +
         "\"}}) -> (tensor<2x2xf32> {mhlo.frontend_attributes = "
         "{partir.sharding = \"" +
         result + "\"}}) {\n" + lines + "  return %out : tensor<2x2xf32>\n}\n}\n";
}

TEST(Modules, ScatterInputsAndGatherOutputsByTheirLayouts) {
  const Module module =
      module_of(sharded_module("[{b}, {a}]", "[{b}, {a}]", "  %out = stablehlo.add %x, %x : tensor<2x2xf32>\n"));
  const TensorType global{ElementType::f32, {4, 4}};
  std::vector<double> values(16);
  std::iota(values.begin(), values.end(), 0.0);
  const auto out = run_module(module, {tensor_of(global, values)}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  for (double& v : values) v *= 2;
  EXPECT_EQ(values_of((*out)[0]), values);
}

TEST(Modules, PutTheMajorAxisFirst) {
  // Rows are tiled by b, then a: device (a, b) holds row 2 * b + a. Each device adds its id times 10.
  const Module module = module_of(
      "module attributes {mhlo.frontend_attributes = {partir.mesh = \"a=2,b=2\"}, mhlo.num_partitions = 4 : i32} {\n"
      "func.func public @main(%x: tensor<1xf32> {mhlo.frontend_attributes = {partir.sharding = \"[{b, a}]\"}}) -> "
      "(tensor<1xf32> {mhlo.frontend_attributes = {partir.sharding = \"[{b, a}]\"}}) {\n"
      "  %p = stablehlo.partition_id : tensor<ui32>\n  %q = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>\n"
      "  %r = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> tensor<1xf32>\n"
      "  %ten = stablehlo.constant dense<10.0> : tensor<1xf32>\n  %s = stablehlo.multiply %r, %ten : tensor<1xf32>\n  "
      "%out = stablehlo.add %x, %s : tensor<1xf32>\n"
      "  return %out : tensor<1xf32>\n}\n}\n");
  const auto out = run_module(module, {tensor_of(TensorType{ElementType::f32, {4}}, {1, 2, 3, 4})}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  EXPECT_EQ(values_of((*out)[0]), (std::vector<double>{1, 22, 13, 34})) << "rows of devices 0, 2, 1, 3";
}

TEST(Modules, OfPartialResultsCombineThem) {
  const Module module = module_of(sharded_module("[{}, {}] partial{a:sum}", "[{}, {}] partial{a:sum}",
                                                 "  %out = stablehlo.negate %x : tensor<2x2xf32>\n"));
  const auto out = run_module(module, {tensor_of(TensorType{ElementType::f32, {2, 2}}, {1, 2, 3, 4})}, native_domain());
  ASSERT_TRUE(out.has_value()) << out.error().text();
  EXPECT_EQ(values_of((*out)[0]), (std::vector<double>{-1, -2, -3, -4}));
}

TEST(Modules, WhoseDevicesDisagreeOnAReplicatedResultAreRefused) {
  const Module module = module_of(
      "module attributes {mhlo.num_partitions = 2 : i32} {\nfunc.func public @main() -> tensor<ui32> {\n  %out = "
      "stablehlo.partition_id : tensor<ui32>\n  return %out : tensor<ui32>\n}\n}\n");
  const auto out = run_module(module, {}, native_domain());
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().code, "replicas");
}

TEST(Modules, WhoseMeshHasAnotherNumberOfDevicesAreRefused) {
  const Module module = module_of(
      "module attributes {mhlo.frontend_attributes = {partir.mesh = \"a=3\"}, mhlo.num_partitions = 2 : i32} "
      "{\nfunc.func public @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n}\n");
  EXPECT_FALSE(module_layout(module).has_value());
}

}  // namespace
}  // namespace partir
