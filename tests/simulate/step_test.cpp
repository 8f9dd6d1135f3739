// StepModel, through which a search computes the cost of a state: it agrees with the report and with repeated queries.
#include "simulate/step.h"

#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "lowering/emit.h"
#include "simulate/simulate.h"
#include "tests/partition_case.h"

namespace partir {
namespace {

const char* const kMlp =
    R"(func.func @main(%w1: tensor<64x256xf32>, %w2: tensor<256x64xf32>, %x: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %1 = stablehlo.tanh %0 : tensor<32x256xf32>
    %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
    return %2 : tensor<32x64xf32>
  })";

const char* const kTactics =
    R"({"name": "BP", "axis": "batch", "inputs": {"arg2": 0}}, {"name": "MP", "axis": "model", "inputs": {"arg0": 1}})";

TEST(StepModel, CostsWhatTheReportSays) {
  const PartitionCase p(kMlp, "batch=4,model=2", kTactics);
  const Module m = stablehlo_module(p.spmd, p.module);
  const Device device = value_or_throw(find_device("a100"));
  const Simulation report = value_or_throw(simulate(m, {}, device, {}));
  auto model = value_or_throw(StepModel::of(device, p.spmd.mesh, {}));
  const StepCost cost = value_or_throw(model->cost(**m.main()));
  EXPECT_DOUBLE_EQ(cost.seconds, report.overlapped);
  EXPECT_DOUBLE_EQ(cost.peak_bytes, total(report.peak));
  EXPECT_GT(report.communication, 0);
}

TEST(StepModel, TakesLoweredProgramsAsTheyAre) {
  // Collectives over named axes, before replica groups are written.
  const PartitionCase p(kMlp, "batch=4,model=2", kTactics);
  const Module m = stablehlo_module(p.spmd, p.module);
  auto model = value_or_throw(StepModel::of(value_or_throw(find_device("tpu_v4")), p.spmd.mesh, {}));
  const StepCost lowered = value_or_throw(model->cost(p.spmd.function));
  const StepCost written = value_or_throw(model->cost(**m.main()));
  EXPECT_DOUBLE_EQ(lowered.seconds, written.seconds);
  EXPECT_DOUBLE_EQ(lowered.peak_bytes, written.peak_bytes);
}

TEST(StepModel, AnswersTheSameHoweverOftenItIsAsked) {
  const PartitionCase both(kMlp, "batch=4,model=2", kTactics);
  const PartitionCase one(kMlp, "batch=4,model=2", R"({"name": "BP", "axis": "batch", "inputs": {"arg2": 0}})");
  auto model = value_or_throw(StepModel::of(value_or_throw(find_device("h100")), both.spmd.mesh, {}));
  const StepCost first = value_or_throw(model->cost(both.spmd.function));
  const StepCost other = value_or_throw(model->cost(one.spmd.function));
  const StepCost again = value_or_throw(model->cost(both.spmd.function));
  EXPECT_EQ(first.seconds, again.seconds);
  EXPECT_EQ(first.peak_bytes, again.peak_bytes);
  EXPECT_NE(first.peak_bytes, other.peak_bytes);
}

}  // namespace
}  // namespace partir
