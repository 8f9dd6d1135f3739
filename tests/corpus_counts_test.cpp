// Collectives and work of the full-size programs in the corpus. The counts are the paper's and are reached by
// propagation alone.
#include <filesystem>

#include "support/file.h"
#include "tests/partitioned.h"

namespace partir {
namespace {

using testing::no_clock;

/// Folders with programs: a corpus next to this repository, and the one that `./run corpus` writes from
/// examples/models.
struct Corpus {
  std::string folder;
  bool is_ours = false;
};
std::vector<Corpus> corpora_with(const std::string& program) {
  std::vector<Corpus> out;
  for (const Corpus& c : {Corpus{std::string(PARTIR_SHARED) + "/corpus/", false}, Corpus{PARTIR_CORPUS "/", true}}) {
    if (std::filesystem::exists(c.folder + program + ".mlir")) out.push_back(c);
  }
  return out;
}

Partition run(const std::string& folder, const std::string& program, const std::string& schedule) {
  PartitionInput in;
  in.file = folder + program + ".mlir";
  in.text = value_or_throw(read_file(in.file));
  in.names_file = folder + program + ".json";
  in.names = value_or_throw(read_file(in.names_file));
  in.schedule_file = std::string(PARTIR_SOURCE_DIR) + "/examples/schedules/" + schedule + ".json";
  in.schedule = value_or_throw(read_file(in.schedule_file));
  in.mesh = "batch=4,model=2";
  return value_or_throw(partition(in, Emit::stablehlo, no_clock));
}

struct Case {
  const char* program;
  const char* schedule;
  std::vector<std::string> after;  ///< collectives after each tactic
  /// The reason of every conflict; empty if there must be none. Z2 requests parameters to stay replicated although
  /// their updates are tiled.
  std::string conflicts;
  std::vector<std::string> ours = {};  ///< where our model of the same kind differs
  bool only_there = false;             ///< the schedule names lines of the other corpus

  [[nodiscard]] const std::vector<std::string>& wanted(const Corpus& c) const {
    return c.is_ours && !ours.empty() ? ours : after;
  }
};

class CorpusCounts : public ::testing::TestWithParam<Case> {};

TEST_P(CorpusCounts, AreThePapers) {
  const Case& c = GetParam();
  if (corpora_with(c.program).empty()) GTEST_SKIP() << "skipped: no corpus (./run corpus writes one)";
  for (const Corpus& corpus : corpora_with(c.program)) {
    if (corpus.is_ours && c.only_there) continue;
    SCOPED_TRACE(corpus.folder);
    const Partition p = run(corpus.folder, c.program, c.schedule);
    const std::vector<std::string>& after = c.wanted(corpus);
    ASSERT_EQ(p.tactics.size(), after.size());
    for (std::size_t t = 0; t < after.size(); ++t) {
      EXPECT_EQ(p.tactics[t].collectives.str(), after[t]) << "after " << p.tactics[t].name;
      for (const ConflictText& conflict : p.tactics[t].conflicts) {
        EXPECT_TRUE(!c.conflicts.empty() && conflict.reason.find(c.conflicts) != std::string::npos)
            << conflict.operation << ": " << conflict.reason;
      }
    }
    EXPECT_NE(p.judgement.verdict, Verdict::refuted) << p.judgement.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, CorpusCounts,
    ::testing::Values(Case{"t32_train", "transformer_bp", {"290 all_reduce"}, ""},
                      Case{"t32_train", "transformer_mp", {"128 all_reduce"}, ""},
                      Case{"t32_train", "transformer_bp_mp", {"290 all_reduce", "418 all_reduce"}, ""},
                      Case{"t32_train",
                           "transformer_bp_mp_z2",
                           {"290 all_reduce", "418 all_reduce", "129 all_gather, 289 all_reduce, 129 reduce_scatter"},
                           "stays replicated by request"},
                      Case{"t32_train",
                           "transformer_bp_mp_z3",
                           {"290 all_reduce", "418 all_reduce", "259 all_gather, 289 all_reduce, 129 reduce_scatter"},
                           ""},
                      Case{"t32_train",
                           "transformer_mp_emb",
                           {"128 all_reduce", "128 all_gather, 131 all_reduce, 128 reduce_scatter"},
                           ""},
                      Case{"t48_train", "transformer_bp_mp", {"434 all_reduce", "626 all_reduce"}, ""},
                      Case{"llama3_8b_train", "llama_bp_mp", {"292 all_reduce", "420 all_reduce"}, ""},
                      Case{"unet_train",
                           "unet_bp_z2",
                           {"283 all_reduce", "281 all_gather, 2 all_reduce, 281 reduce_scatter"},
                           "stays replicated",
                           {"319 all_reduce", "317 all_gather, 2 all_reduce, 317 reduce_scatter"}},
                      Case{"it32_step",
                           "it32_step_bp_mq_mp",
                           {"none", "32 all_reduce, 32 all_to_all", "64 all_reduce, 64 all_to_all"},
                           "stays replicated by request",
                           {},
                           true},
                      Case{"gns_train", "gns_es", {"372 all_reduce"}, "", {"322 all_reduce"}}),
    [](const auto& test) { return std::string(test.param.program) + "_" + test.param.schedule; });

/// Executed collectives: those in loops are multiplied by their trip counts.
class CorpusExecuted : public ::testing::TestWithParam<Case> {};

TEST_P(CorpusExecuted, CountsLoops) {
  const Case& c = GetParam();
  if (corpora_with(c.program).empty()) GTEST_SKIP() << "skipped: no corpus (./run corpus writes one)";
  for (const Corpus& corpus : corpora_with(c.program)) {
    SCOPED_TRACE(corpus.folder);
    const Partition p = run(corpus.folder, c.program, c.schedule);
    EXPECT_EQ(p.executed.collectives.str(), c.wanted(corpus).back());
    EXPECT_TRUE(p.executed.uncounted.empty());
    for (const TacticReport& t : p.tactics) EXPECT_TRUE(t.conflicts.empty()) << t.conflicts[0].operation;
    EXPECT_NE(p.judgement.verdict, Verdict::refuted) << p.judgement.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Loops, CorpusExecuted,
    ::testing::Values(Case{"it32_infer", "decode_bp_mp", {"98304 all_reduce"}, ""},  // 2 x 32 layers x 1536 steps
                      Case{"llama3_8b_scan_train", "llama_scan_bp", {"292 all_reduce"}, ""},
                      // The checkpoint recomputes a layer's forward pass up to the values that it keeps, including an
                      // all_reduce: 5 a layer.
                      Case{"llama3_8b_scan_train", "llama_scan_bp_mp", {"452 all_reduce"}, ""},
                      // 7 matrices a layer are gathered in the forward and in the backward pass, and their gradients
                      // are scattered.
                      Case{"llama3_8b_scan_train",
                           "llama_scan_bp_mp_z3",
                           {"448 all_gather, 228 all_reduce, 224 reduce_scatter"},
                           "",
                           // Our model checkpoints complete layers, so that all of their matrices but the last are
                           // gathered a third time.
                           {"640 all_gather, 228 all_reduce, 224 reduce_scatter"}}),
    [](const auto& test) { return std::string(test.param.program) + "_" + test.param.schedule; });

class CorpusWork : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(CorpusWork, OfABatchTiledProgramIsABatchth) {
  const std::string program = GetParam().first;
  if (corpora_with(program).empty()) GTEST_SKIP() << "skipped: no corpus (./run corpus writes one)";
  for (const Corpus& corpus : corpora_with(program)) {
    SCOPED_TRACE(corpus.folder);
    const Partition p = run(corpus.folder, program, GetParam().second);
    EXPECT_LE(p.flops_per_device, 1.1 / 4 * p.flops_sequential);
    EXPECT_EQ(p.collectives.counts[0], 0) << "an activation is gathered";
  }
}

INSTANTIATE_TEST_SUITE_P(Batch, CorpusWork,
                         ::testing::Values(std::pair("t32_train", "transformer_bp"),
                                           std::pair("t32_train_onehot", "transformer_bp"),
                                           std::pair("mlp_train", "mlp_bp"), std::pair("t48_train", "transformer_bp")),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace partir
