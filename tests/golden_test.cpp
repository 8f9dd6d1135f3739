// Complete outputs of `partir partition` on the paper's running example and on shipped examples, compared with the
// files in tests/golden. PARTIR_UPDATE_GOLDEN=1 rewrites those files.
#include <cstdlib>
#include <filesystem>

#include "support/file.h"
#include "tests/partitioned.h"

namespace partir {
namespace {

using testing::no_clock;

std::string example(const std::string& name) { return std::string(PARTIR_SOURCE_DIR) + "/examples/" + name; }

Partition run(const std::string& program, const std::string& schedule, const std::string& mesh, Emit emit) {
  PartitionInput in;
  in.file = example(program + ".mlir");
  in.text = value_or_throw(read_file(in.file));
  in.names_file = example(program + ".json");
  in.names = value_or_throw(read_file(in.names_file));
  in.schedule_file = example("schedules/" + schedule + ".json");
  in.schedule = value_or_throw(read_file(in.schedule_file));
  in.mesh = mesh;
  return value_or_throw(partition(in, emit, no_clock));
}

void expect_golden(const std::string& name, const std::string& got) {
  const std::string path = std::string(PARTIR_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("PARTIR_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(write_file(path, got).has_value());
    return;
  }
  const auto wanted = read_file(path);
  ASSERT_TRUE(wanted.has_value()) << "no " << path << "; PARTIR_UPDATE_GOLDEN=1 makes it";
  EXPECT_EQ(got, *wanted) << "PARTIR_UPDATE_GOLDEN=1 rewrites " << path;
}

TEST(Golden, MatmulChainAsCore) {
  expect_golden("matmul_chain_z3.core.mlir",
                run("matmul_chain", "matmul_chain_bp_mp_z3", "batch=4,model=2", Emit::core).core);
}
TEST(Golden, MatmulChainAsSpmd) {
  expect_golden("matmul_chain_z3.spmd.mlir",
                run("matmul_chain", "matmul_chain_bp_mp_z3", "batch=4,model=2", Emit::spmd).spmd);
}
TEST(Golden, MatmulChainAsStablehlo) {
  expect_golden("matmul_chain_z3.stablehlo.mlir",
                run("matmul_chain", "matmul_chain_bp_mp_z3", "batch=4,model=2", Emit::stablehlo).stablehlo);
}
TEST(Golden, MatmulChainAsShardy) {
  expect_golden("matmul_chain_z3.sdy.mlir",
                run("matmul_chain", "matmul_chain_bp_mp_z3", "batch=4,model=2", Emit::sdy).sdy);
}
TEST(Golden, TransformerTrainStepAsSpmd) {
  expect_golden("transformer_bp_mp.spmd.mlir",
                run("transformer_train", "transformer_bp_mp", "batch=2,model=2", Emit::spmd).spmd);
}

TEST(Golden, MatmulChainCountsAreThePapers) {
  const Partition p = run("matmul_chain", "matmul_chain_bp_mp_z3", "batch=4,model=2", Emit::stablehlo);
  ASSERT_EQ(p.tactics.size(), 3U);
  EXPECT_EQ(p.tactics[0].collectives.str(), "none");
  EXPECT_EQ(p.tactics[1].collectives.str(), "1 all_reduce");
  EXPECT_EQ(p.tactics[2].collectives.str(), "2 all_gather, 1 all_reduce");
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
}

/// The output of --emit sdy is a schedule as well: its shardings lead back to the partition that it was written from.
TEST(ShardyText, LeadsBackToItsPartition) {
  for (const char* schedule :
       {"transformer_bp_mp", "transformer_bp_mp_z2", "transformer_bp_mp_z3", "transformer_mp_emb"}) {
    const Partition first = run("transformer_train", schedule, "batch=2,model=2", Emit::sdy);
    PartitionInput in;
    in.file = "again.mlir";
    in.text = first.sdy;
    in.by_annotations = true;
    const Partition again = value_or_throw(partition(in, Emit::stablehlo, no_clock));
    EXPECT_EQ(again.mesh, first.mesh);
    EXPECT_EQ(again.collectives, first.collectives)
        << schedule << ": " << first.collectives.str() << ", then " << again.collectives.str();
    EXPECT_EQ(again.arguments, first.arguments) << schedule;
    EXPECT_EQ(again.results, first.results) << schedule;
    EXPECT_EQ(again.judgement.verdict, Verdict::proved) << again.judgement.reason;
  }
}

}  // namespace
}  // namespace partir
