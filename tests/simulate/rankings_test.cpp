// Rankings of parallelisation strategies that practitioners know; the simulator must rank them the same way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driver/partition.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "simulate/simulate.h"
#include "support/file.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

Simulation on(const std::string& device, const Module& m, const SimulationOptions& options = {}) {
  return value_or_throw(simulate(m, {}, value_or_throw(find_device(device)), options));
}

Module module_of(const std::string& text) {
  return value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
}

/// Returns two hidden layers of 8192 features on 4096 tokens, partitioned as Megatron does.
Module tensor_parallel() {
  std::string text = "func.func @main(%x: tensor<4096x8192xbf16>";
  for (int l = 0; l < 4; ++l) text += fmt::format(", %w{}: tensor<8192x8192xbf16>", l);
  text += ") -> tensor<4096x8192xbf16> {\n";
  std::string last = "%x";
  for (int l = 0; l < 4; ++l) {
    text += fmt::format(
        "%{0} = stablehlo.dot_general {1}, %w{0}, contracting_dims = [1] x [0] : (tensor<4096x8192xbf16>, "
        "tensor<8192x8192xbf16>) -> tensor<4096x8192xbf16>\n",
        l, last);
    last = fmt::format("%{}", l);
  }
  text += "return %3 : tensor<4096x8192xbf16>\n}";
  const PartitionCase p(text, "batch=2,model=8",
                        R"({"name": "MP", "axis": "model", "inputs": {"arg1": 1, "arg2": 0, "arg3": 1, "arg4": 0}},
                           {"name": "BP", "axis": "batch", "inputs": {"arg0": 0}})");
  return stablehlo_module(p.spmd, p.module);
}

TEST(Rankings, TensorParallelismAcrossSlowLinksLoses) {
  const Module m = tensor_parallel();
  for (const char* device : {"a100", "h100"}) {
    SimulationOptions slow;
    slow.network.links = {{"model", "network"}, {"batch", "nvlink"}};
    const Simulation within = on(device, m);
    const Simulation across = on(device, m, slow);
    EXPECT_EQ(within.axis_links[1], "nvlink 8");
    EXPECT_GT(across.overlapped, 2 * within.overlapped) << device;
  }
}

std::string schedule_of(const std::string& zero) {
  return R"({"mesh": "batch=8", "tactics": [{"name": "BP", "axis": "batch", "inputs": {"batch/**": 0}})" + zero + "]}";
}

Simulation trained(const std::string& zero) {
  PartitionInput in;
  in.file = std::string(PARTIR_SOURCE_DIR) + "/examples/transformer_train.mlir";
  in.text = value_or_throw(read_file(in.file));
  in.names = value_or_throw(read_file(std::string(PARTIR_SOURCE_DIR) + "/examples/transformer_train.json"));
  in.names_file = "transformer_train.json";
  in.schedule = schedule_of(zero);
  in.schedule_file = "schedule.json";
  const auto p = value_or_throw(partition(in, Emit::stablehlo, [] { return 0.0; }));
  const Module m = module_of(p.stablehlo);
  return value_or_throw(simulate(m, p.names, value_or_throw(find_device("a100")), {}));
}

TEST(Rankings, Zero3KeepsFewerParametersThanZero2AndSendsMore) {
  const Simulation whole = trained("");
  const Simulation two = trained(
      R"(, {"name": "Z2", "axis": "batch", "inputs": {"params/**": "replicated", "opt_state/**": "first_divisible_dim"}})");
  const Simulation three = trained(
      R"(, {"name": "Z3", "axis": "batch", "inputs": {"params/**": "first_divisible_dim", "opt_state/**": "first_divisible_dim"}})");
  const auto arguments = [](const Simulation& s, MemoryKind k) { return s.arguments[static_cast<std::size_t>(k)]; };
  EXPECT_DOUBLE_EQ(arguments(two, MemoryKind::parameters), arguments(whole, MemoryKind::parameters));
  EXPECT_LT(arguments(three, MemoryKind::parameters), 0.2 * arguments(whole, MemoryKind::parameters));
  EXPECT_LT(arguments(two, MemoryKind::optimizer_state), 0.2 * arguments(whole, MemoryKind::optimizer_state));
  EXPECT_LT(total(two.peak), total(whole.peak));
  EXPECT_LT(total(three.peak), total(two.peak));
  EXPECT_GT(three.axis_bytes.at("batch"), 1.2 * two.axis_bytes.at("batch"));
}

/// Returns a column- and row-parallel layer. The elementwise operations around it work on complete sequences (with an
/// all_reduce) or, if `sequence`, on the device's part of them (with reduce_scatter and all_gather).
std::string layer(bool sequence) {
  const char* const region = R"(({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }))";
  const char* const groups =
      "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : "
      "tensor<1x4xi64>, use_global_device_ids";
  if (!sequence) {
    return fmt::format(
        R"(func.func @main(%x: tensor<4096x1024xf32>, %w: tensor<1024x1024xf32>, %v: tensor<1024x1024xf32>) -> tensor<4096x1024xf32> {{
    %n = stablehlo.tanh %x : tensor<4096x1024xf32>
    %0 = stablehlo.dot_general %n, %w, contracting_dims = [1] x [0] : (tensor<4096x1024xf32>, tensor<1024x1024xf32>) -> tensor<4096x1024xf32>
    %1 = stablehlo.dot_general %0, %v, contracting_dims = [1] x [0] : (tensor<4096x1024xf32>, tensor<1024x1024xf32>) -> tensor<4096x1024xf32>
    %2 = "stablehlo.all_reduce"(%1) <{{{0}}}> {1} : (tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
    %3 = stablehlo.add %n, %2 : tensor<4096x1024xf32>
    return %3 : tensor<4096x1024xf32>
  }})",
        groups, region);
  }
  return fmt::format(
      R"(func.func @main(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>, %v: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {{
    %n = stablehlo.tanh %x : tensor<1024x1024xf32>
    %g = "stablehlo.all_gather"(%n) <{{all_gather_dim = 0 : i64, {0}}}> : (tensor<1024x1024xf32>) -> tensor<4096x1024xf32>
    %0 = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0] : (tensor<4096x1024xf32>, tensor<1024x1024xf32>) -> tensor<4096x1024xf32>
    %1 = stablehlo.dot_general %0, %v, contracting_dims = [1] x [0] : (tensor<4096x1024xf32>, tensor<1024x1024xf32>) -> tensor<4096x1024xf32>
    %2 = "stablehlo.reduce_scatter"(%1) <{{{0}, scatter_dimension = 0 : i64}}> {1} : (tensor<4096x1024xf32>) -> tensor<1024x1024xf32>
    %3 = stablehlo.add %n, %2 : tensor<1024x1024xf32>
    return %3 : tensor<1024x1024xf32>
  }})",
      groups, region);
}

TEST(Rankings, SequenceParallelismSavesMemoryAtEqualBytes) {
  SimulationOptions options;
  options.mesh = value_or_throw(Mesh::parse("model=4"));
  const Simulation whole = on("a100", module_of(layer(false)), options);
  const Simulation parts = on("a100", module_of(layer(true)), options);
  EXPECT_DOUBLE_EQ(parts.axis_bytes.at("model"), whole.axis_bytes.at("model"));
  EXPECT_LT(total(parts.peak), 0.85 * total(whole.peak));
  EXPECT_LT(parts.memory_traffic, whole.memory_traffic);
}

/// Simulates the cookbook's program under one of the schedules that the cookbook shows.
Simulation scheduled(const std::string& schedule) {
  const std::string examples = std::string(PARTIR_SOURCE_DIR) + "/examples/";
  PartitionInput in;
  in.file = examples + "cookbook/transformer.mlir";
  in.text = value_or_throw(read_file(in.file));
  in.names = value_or_throw(read_file(examples + "cookbook/transformer.json"));
  in.names_file = "transformer.json";
  in.schedule = schedule;
  in.schedule_file = "schedule.json";
  in.mesh = "batch=2,model=2";
  const auto p = value_or_throw(partition(in, Emit::stablehlo, [] { return 0.0; }));
  return value_or_throw(simulate(module_of(p.stablehlo), p.names, value_or_throw(find_device("a100")), {}));
}

TEST(Rankings, SequenceParallelismOfAWrittenProgramSavesActivationsAtEqualBytes) {
  const std::string schedule =
      value_or_throw(read_file(std::string(PARTIR_SOURCE_DIR) + "/examples/schedules/sequence_parallel.json"));
  std::string without = schedule;
  const auto at = without.find(",\n  {\"name\": \"SP\"");
  ASSERT_NE(at, std::string::npos);
  without.replace(at, without.rfind("]}") - at, "");
  const Simulation whole = scheduled(without);
  const Simulation parts = scheduled(schedule);
  // Between blocks. Gradients of values that are now sharded along the axis are reduced along it as well.
  const auto sent = [](const Simulation& s, bool all_reduces) {
    double out = 0;
    for (const CollectiveCost& c : s.collectives) {
      if (c.axes == std::vector<std::string>{"model"} && (c.kind == CollectiveKind::all_reduce) == all_reduces)
        out += c.sent * static_cast<double>(c.executed);
    }
    return out;
  };
  EXPECT_EQ(sent(whole, false), 0);
  EXPECT_GT(sent(whole, true), 0);
  EXPECT_DOUBLE_EQ(sent(parts, false), sent(whole, true));
  EXPECT_LT(total(parts.peak), total(whole.peak));
  EXPECT_LT(parts.memory_traffic, whole.memory_traffic);
}

TEST(Rankings, FitsSaysByHowMuchAndNoMoreThanThat) {
  const Simulation s = trained("");
  Device d = value_or_throw(find_device("a100"));
  EXPECT_DOUBLE_EQ(s.margin(), d.memory_bytes - total(s.peak) - s.slack);
  const Module m = tensor_parallel();
  const double needed = d.memory_bytes - on("a100", m).margin();
  const auto fits_in = [&](double bytes) {
    d.memory_bytes = bytes;
    return value_or_throw(simulate(m, {}, d, {})).fits();
  };
  EXPECT_TRUE(fits_in(needed));
  EXPECT_FALSE(fits_in(needed - 1));
}

TEST(Rankings, CollectivesOnOneAdapterTakeTurnsAndOnTwoDimensionsDoNot) {
  const auto reduce = [](const char* name, const char* operand, const char* groups) {
    return fmt::format(R"(
    {0} = "stablehlo.all_reduce"({1}) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{2}, use_global_device_ids}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<67108864xf32>) -> tensor<67108864xf32>)",
                       name, operand, groups);
  };
  const std::string text = fmt::format(
      "func.func @main(%x: tensor<67108864xf32>, %y: tensor<67108864xf32>) -> (tensor<67108864xf32>, "
      "tensor<67108864xf32>) {{{}{}\nreturn %0, %1 : tensor<67108864xf32>, tensor<67108864xf32>\n}}",
      reduce("%0", "%x", "[[0, 2], [1, 3]]> : tensor<2x2xi64>"),
      reduce("%1", "%y", "[[0, 1], [2, 3]]> : tensor<2x2xi64>"));
  SimulationOptions adapters;
  adapters.mesh = value_or_throw(Mesh::parse("a=2,b=2"));
  adapters.network.links = {{"a", "network"}, {"b", "network"}};
  const Simulation one = on("h100", module_of(text), adapters);
  EXPECT_NEAR(one.overlapped, one.sequential, 0.01 * one.sequential);
  SimulationOptions torus;
  torus.mesh = adapters.mesh;
  torus.network.topology = {2, 2, 1};
  const Simulation two = on("tpu_v4", module_of(text), torus);
  EXPECT_NEAR(two.overlapped, 0.5 * two.sequential, 0.05 * two.sequential);
}

}  // namespace
}  // namespace partir
