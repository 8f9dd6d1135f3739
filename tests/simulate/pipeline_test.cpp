// Pipeline parallelism is recognised by what loops shift from device to device, and its bubble is reported.
#include "simulate/pipeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "simulate/simulate.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

struct ShiftingLoop {
  std::string pairs = "[[0, 1], [1, 2], [2, 3]]";
  std::string type = "tensor<3x2xi64>";
  std::string trips = "11";
  std::string part = "8";  ///< how many elements of the state are sent, from its end
  std::string behind = R"(%in = stablehlo.select %first, %new, %moved : tensor<i1>, tensor<8xf32>
    %next = stablehlo.tanh %in : tensor<8xf32>)";

  [[nodiscard]] Simulation simulated(const std::string& mesh = "stage=4") const {
    const std::string text =
        fmt::format(R"(func.func @main(%x: tensor<8xf32>, %new: tensor<8xf32>, %first: tensor<i1>) -> tensor<8xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<{}> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %state = %x) : tensor<i32>, tensor<8xf32>
  cond {{
    %go = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %part = stablehlo.slice %state [{}:8] : (tensor<8xf32>) -> tensor<{}xf32>
    %moved = "stablehlo.collective_permute"(%part) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<{}> : {}}}> : (tensor<{}xf32>) -> tensor<{}xf32>
    {}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<8xf32>
  }}
  return %r#1 : tensor<8xf32>
}})",
                    trips, 8 - std::stoi(part), part, pairs, type, part, part, behind);
    const Module module = value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
    SimulationOptions options;
    options.mesh = value_or_throw(Mesh::parse(mesh));
    const Names names = value_or_throw(names_of(**module.main(), std::nullopt, ""));
    return value_or_throw(simulate(module, names, value_or_throw(find_device("a100")), options));
  }
};

TEST(Pipelines, HaveABubbleOfAllStagesButOne) {
  const Simulation s = ShiftingLoop{}.simulated();
  ASSERT_EQ(s.pipelines.size(), 1U);
  const Pipeline& p = s.pipelines[0];
  EXPECT_EQ(p.axis, "stage");
  EXPECT_EQ(p.stages, 4);
  EXPECT_EQ(p.iterations, 11);
  EXPECT_EQ(p.microbatches(), 8);
  EXPECT_DOUBLE_EQ(p.bubble(), 3.0 / 11);
  EXPECT_GT(p.seconds, 0);
  EXPECT_LE(p.seconds, s.overlapped);
}

TEST(Pipelines, GoBackLikewise) {
  ShiftingLoop loop;
  loop.pairs = "[[1, 0], [2, 1], [3, 2]]";
  ASSERT_EQ(loop.simulated().pipelines.size(), 1U);
}

TEST(Pipelines, MayHaveSeveralStagesOnADevice) {
  ShiftingLoop loop;
  loop.pairs = "[[0, 1]]";
  loop.type = "tensor<1x2xi64>";
  // Half of the state is sent, and half of it is replaced by what is received.
  loop.part = "4";
  loop.behind = R"(%rest = stablehlo.slice %state [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %next = stablehlo.concatenate %moved, %rest, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>)";
  const Simulation s = loop.simulated("stage=2");
  ASSERT_EQ(s.pipelines.size(), 1U);
  EXPECT_EQ(s.pipelines[0].stages, 4);
}

TEST(Pipelines, AreNoRingsNoWindowsAndNoShortLoops) {
  ShiftingLoop ring;
  ring.pairs = "[[0, 1], [1, 2], [2, 3], [3, 0]]";
  ring.type = "tensor<4x2xi64>";
  EXPECT_TRUE(ring.simulated().pipelines.empty());
  ShiftingLoop two;
  two.pairs = "[[0, 2], [1, 3]]";
  two.type = "tensor<2x2xi64>";
  EXPECT_TRUE(two.simulated().pipelines.empty());
  ShiftingLoop some;
  some.pairs = "[[0, 1], [1, 2]]";
  some.type = "tensor<2x2xi64>";
  EXPECT_TRUE(some.simulated().pipelines.empty());
  ShiftingLoop window;  // the neighbour's rows next to the device's own
  window.behind =
      R"(%wide = stablehlo.concatenate %moved, %state, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %next = stablehlo.slice %wide [4:12] : (tensor<16xf32>) -> tensor<8xf32>)";
  EXPECT_TRUE(window.simulated().pipelines.empty());
  ShiftingLoop short_loop;
  short_loop.trips = "3";
  EXPECT_TRUE(short_loop.simulated().pipelines.empty());
}

TEST(Pipelines, NeedAnAxis) {
  ShiftingLoop loop;
  EXPECT_EQ(loop.simulated("a=2,stage=4").pipelines.size(), 0U);  // connects four of eight devices
  loop.pairs = "[[0, 1], [1, 2], [2, 3], [4, 5], [5, 6], [6, 7]]";
  loop.type = "tensor<6x2xi64>";
  ASSERT_EQ(loop.simulated("a=2,stage=4").pipelines.size(), 1U);
  loop.pairs = "[[0, 2], [2, 4], [4, 6], [1, 3], [3, 5], [5, 7]]";
  ASSERT_EQ(loop.simulated("stage=4,a=2").pipelines.size(), 1U);
  EXPECT_EQ(loop.simulated("a=2,stage=4").pipelines.size(), 0U);
}

}  // namespace
}  // namespace partir
