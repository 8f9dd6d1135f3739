// The automatic search for schedules: its result is as good as the best of all schedules, respects the memory limit, is
// reproducible, and gives the same cost when `partir partition` applies it.
#include "search/search.h"

#include "search/automatic.h"
#include "search/bound.h"
#include "search/neighbours.h"
#include "search/tree.h"
#include "tests/partitioned.h"
#include "tests/search/exhaustive.h"
#include "tests/search/small_programs.h"

namespace partir {
namespace {

const char* const kMlp =
    R"(func.func @main(%w1: tensor<512x2048xf32>, %w2: tensor<2048x512xf32>, %x: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
    %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<1024x512xf32>, tensor<512x2048xf32>) -> tensor<1024x2048xf32>
    %1 = stablehlo.tanh %0 : tensor<1024x2048xf32>
    %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<1024x2048xf32>, tensor<2048x512xf32>) -> tensor<1024x512xf32>
    return %2 : tensor<1024x512xf32>
  })";

const char* const kAttention =
    R"(func.func @main(%x: tensor<2x512x256xf32>, %q: tensor<256x256xf32>, %k: tensor<256x256xf32>, %v: tensor<256x256xf32>) -> tensor<2x512x256xf32> {
    %0 = stablehlo.dot_general %x, %q, contracting_dims = [2] x [0] : (tensor<2x512x256xf32>, tensor<256x256xf32>) -> tensor<2x512x256xf32>
    %1 = stablehlo.dot_general %x, %k, contracting_dims = [2] x [0] : (tensor<2x512x256xf32>, tensor<256x256xf32>) -> tensor<2x512x256xf32>
    %2 = stablehlo.dot_general %x, %v, contracting_dims = [2] x [0] : (tensor<2x512x256xf32>, tensor<256x256xf32>) -> tensor<2x512x256xf32>
    %3 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x512x256xf32>, tensor<2x512x256xf32>) -> tensor<2x512x512xf32>
    %4 = stablehlo.tanh %3 : tensor<2x512x512xf32>
    %5 = stablehlo.dot_general %4, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x512x512xf32>, tensor<2x512x256xf32>) -> tensor<2x512x256xf32>
    return %5 : tensor<2x512x256xf32>
  })";

/// A decoding step: blocks of two products through a hidden dimension, one of them gated, then a product with the
/// vocabulary. Its time is bound by reading the parameters.
std::string decoding_step(int layers) {
  std::string arguments = "%x0: tensor<256x4096xbf16>, %e: tensor<4096x32768xbf16>";
  std::string body;
  const auto product = [&](const std::string& out, const std::string& a, const std::string& b, int k, int n) {
    body += fmt::format(
        "%{} = stablehlo.dot_general %{}, %{}, contracting_dims = [1] x [0] : (tensor<256x{}xbf16>, "
        "tensor<{}x{}xbf16>) "
        "-> tensor<256x{}xbf16>\n",
        out, a, b, k, k, n, n);
  };
  for (int l = 0; l < layers; ++l) {
    arguments += fmt::format(
        ", %q{0}: tensor<4096x4096xbf16>, %o{0}: tensor<4096x4096xbf16>, %w{0}: tensor<4096x16384xbf16>, "
        "%v{0}: tensor<16384x4096xbf16>, %c{0}: tensor<256x4096xbf16>",
        l);
    const std::string n = std::to_string(l);
    product("a" + n, "x" + n, "q" + n, 4096, 4096);
    body += fmt::format("%b{0} = stablehlo.multiply %a{0}, %c{0} : tensor<256x4096xbf16>\n", l);
    product("d" + n, "b" + n, "o" + n, 4096, 4096);
    product("h" + n, "d" + n, "w" + n, 4096, 16384);
    body += fmt::format("%t{0} = stablehlo.tanh %h{0} : tensor<256x16384xbf16>\n", l);
    product("x" + std::to_string(l + 1), "t" + n, "v" + n, 16384, 4096);
  }
  product("r", "x" + std::to_string(layers), "e", 4096, 32768);
  return "func.func @main(" + arguments + ") -> tensor<256x32768xbf16> {\n" + body +
         "return %r : tensor<256x32768xbf16>\n}\n";
}

/// Named values, which are identities, beside a barrier.
const char* const kNamed = R"(
func.func @main(%x: tensor<8192x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<8192x1024xf32> {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8192x1024xf32>, tensor<1024x1024xf32>) -> tensor<8192x1024xf32>
  %t = stablehlo.tanh %a : tensor<8192x1024xf32>
  %h = func.call @partir_named_h(%t) : (tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
  %u = stablehlo.add %h, %x : tensor<8192x1024xf32>
  %b:2 = stablehlo.optimization_barrier %h, %u : tensor<8192x1024xf32>, tensor<8192x1024xf32>
  %n = func.call @partir_named_s(%b#0) : (tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
  %c = stablehlo.dot_general %n, %w, contracting_dims = [1] x [0] : (tensor<8192x1024xf32>, tensor<1024x1024xf32>) -> tensor<8192x1024xf32>
  %r = stablehlo.add %c, %b#1 : tensor<8192x1024xf32>
  %q = stablehlo.multiply %r, %n : tensor<8192x1024xf32>
  return %q : tensor<8192x1024xf32>
}
func.func private @partir_named_h(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  return %x : tensor<8192x1024xf32>
}
func.func private @partir_named_s(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  return %x : tensor<8192x1024xf32>
}
)";

struct Found {
  Session session;
  SearchResult result;
  Schedule schedule;

  Found(const char* program, const char* mesh, SearchOptions options)
      : session(value_or_throw(Session::open({program, "test.mlir"}, value_or_throw(Mesh::parse(mesh))))),
        result(value_or_throw(search(session, options))),
        schedule(schedule_of(result, session, {})) {}

  /// Partitions with the schedule that was found, as `partir partition` does with the written file.
  [[nodiscard]] Partition partitioned(const char* program, const char* mesh, const Device& device) const {
    PartitionInput in;
    in.text = program;
    in.file = "test.mlir";
    in.schedule = schedule_json(schedule);
    in.mesh = mesh;
    in.device = device;
    return value_or_throw(partition(in, Emit::stablehlo, testing::no_clock));
  }
};

SearchOptions options_on(const char* device, std::size_t evaluations) {
  SearchOptions out;
  out.device = value_or_throw(find_device(device));
  out.evaluations = evaluations;
  return out;
}

TEST(Search, WritesAScheduleThatPartitionProvesAtTheSameCost) {
  for (const char* program : {kMlp, kAttention, kNamed}) {
    const Found f(program, "a=4,b=2", options_on("a100", 2000));
    const Partition p = f.partitioned(program, "a=4,b=2", value_or_throw(find_device("a100")));
    EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
    ASSERT_FALSE(p.tactics.empty()) << "a program that a mesh makes faster";
    EXPECT_DOUBLE_EQ(p.tactics.back().simulation->overlapped, f.result.cost.seconds) << schedule_json(f.schedule);
    EXPECT_DOUBLE_EQ(total(p.tactics.back().simulation->peak), f.result.cost.peak_bytes);
    ASSERT_EQ(f.result.without.size(), f.result.steps.size());
    for (std::size_t k = 0; k < f.result.without.size(); ++k)
      EXPECT_TRUE(better(f.result.cost, f.result.without[k])) << "step " << k << " buys nothing";
  }
}

TEST(Search, FindsTheBestOfAllCanonicalPlans) {
  const Found f(kMlp, "a=4,b=2", options_on("tpu_v4", 20000));
  EXPECT_TRUE(f.result.enumerated);
  // The tree search alone finds it again, with a tenth of the evaluations that all plans need.
  SearchOptions few = options_on("tpu_v4", 400);
  const Found g(kMlp, "a=4,b=2", few);
  EXPECT_LE(f.result.cost.seconds, g.result.cost.seconds);
  EXPECT_LE(g.result.cost.seconds, 1.02 * f.result.cost.seconds);
}

TEST(Search, GivesTheSameScheduleForTheSameSeedAndEvaluations) {
  SearchOptions options = options_on("a100", 150);
  options.seed = 7;
  const Found one(kAttention, "a=4,b=2", options);
  options.threads = 3;
  const Found other(kAttention, "a=4,b=2", options);
  EXPECT_EQ(schedule_json(one.schedule), schedule_json(other.schedule)) << "whatever the number of threads";
  EXPECT_EQ(one.result.evaluations, other.result.evaluations);
  EXPECT_EQ(one.result.history, other.result.history);
}

TEST(Search, WithoutTheAnalysisTilesSingleArguments) {
  SearchOptions options = options_on("a100", 150);
  options.space.names = false;
  const Found f(kMlp, "a=4,b=2", options);
  EXPECT_TRUE(f.result.space->by_argument());
  ASSERT_FALSE(f.result.plan.empty());
  for (const PlanStep& s : f.result.plan) {
    EXPECT_TRUE(s.kind == PlanStep::Kind::tile || s.kind == PlanStep::Kind::keep);
    EXPECT_EQ(f.result.space->families()[s.what].arguments.size(), 1U);
  }
  const Partition p = f.partitioned(kMlp, "a=4,b=2", value_or_throw(find_device("a100")));
  EXPECT_DOUBLE_EQ(p.tactics.back().simulation->overlapped, f.result.cost.seconds) << schedule_json(f.schedule);
}

TEST(Search, WithoutSharingDecidesEachGroup) {
  const Session session =
      value_or_throw(Session::open({kAttention, "test.mlir"}, value_or_throw(Mesh::parse("a=4,b=2"))));
  const SearchSpace space(session, {Axis(0), Axis(1)}, {.sharing = false});
  for (const DimensionClass& c : space.classes().classes()) EXPECT_EQ(c.groups.size(), 1U);
  for (const ResolutionClass& c : space.classes().resolutions()) EXPECT_EQ(c.sets.size(), 1U);
}

TEST(Search, WithNeitherTreeNorLocalImprovementDrawsPlans) {
  SearchOptions options = options_on("a100", 120);
  options.tree = options.local_improvement = false;
  const Found one(kAttention, "a=4,b=2", options);
  const Found again(kAttention, "a=4,b=2", options);
  EXPECT_EQ(one.result.evaluations, 120U);
  EXPECT_EQ(schedule_json(one.schedule), schedule_json(again.schedule));
}

TEST(Search, KeepsToTheMemoryThatThereIs) {
  SearchOptions options = options_on("a100", 1500);
  options.memory_bytes = 6e6;  // less than 8.4 MB of weights and 2 to 8 MB of activations
  const Found f(kMlp, "a=4,b=2", options);
  EXPECT_FALSE(f.result.before.fits);
  EXPECT_TRUE(f.result.cost.fits);
  EXPECT_LE(f.result.cost.needed_bytes, 6e6);
  options.memory_bytes = 1e5;
  const Found none(kMlp, "a=4,b=2", options);
  EXPECT_FALSE(none.result.cost.fits);
  EXPECT_LT(none.result.cost.needed_bytes, f.result.cost.needed_bytes) << "the smallest, where nothing fits";
}

TEST(Search, UsesTheAxesThatItIsGivenBehindThePrefix) {
  const Mesh mesh = value_or_throw(Mesh::parse("a=4,b=2"));
  const Session session = value_or_throw(Session::open({kMlp, "test.mlir"}, mesh));
  const Schedule bp = value_or_throw(
      read_schedule(R"({"tactics": [{"name": "BP", "axis": "a", "inputs": {"arg2": 0}}]})", "test.json"));
  SearchOptions options = options_on("a100", 500);
  options.prefix = value_or_throw(resolve(bp, mesh, session.names(), session.main()));
  options.axes = {Axis(1)};
  const SearchResult found = value_or_throw(search(session, options));
  EXPECT_LT(found.cost.seconds, found.before.seconds);
  for (const RealizedStep& s : found.steps) EXPECT_EQ(s.step.axis, Axis(1));
  const Schedule whole = schedule_of(found, session, bp.tactics);
  EXPECT_EQ(whole.tactics[0].name, "BP");
  EXPECT_TRUE(resolve(whole, mesh, session.names(), session.main()).has_value());
}

TEST(Search, LeavesAloneWhatNoAxisDivides) {
  const Found f(R"(func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %0 = stablehlo.tanh %x : tensor<3x3xf32>
    return %0 : tensor<3x3xf32>
  })",
                "a=2", options_on("a100", 50));
  EXPECT_TRUE(f.result.steps.empty());
  EXPECT_EQ(schedule_json(f.schedule), "{\n \"tactics\": []\n}\n");
}

/// Two products of sizes that no axis divides.
const char* const kUneven =
    R"(func.func @main(%x: tensor<3x4099xf32>, %w: tensor<4099x5001xf32>, %v: tensor<5001x4099xf32>) -> tensor<3x4099xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x4099xf32>, tensor<4099x5001xf32>) -> tensor<3x5001xf32>
    %1 = stablehlo.tanh %0 : tensor<3x5001xf32>
    %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<3x5001xf32>, tensor<5001x4099xf32>) -> tensor<3x4099xf32>
    return %2 : tensor<3x4099xf32>
  })";

TEST(Search, PadsWhatNoAxisDivides) {
  const Device device = value_or_throw(find_device("a100"));
  for (const char* mesh : {"a=4", "a=4,b=2"}) {
    const Found f(kUneven, mesh, options_on("a100", 300));
    ASSERT_TRUE(
        std::any_of(f.schedule.tactics.begin(), f.schedule.tactics.end(), [](const Tactic& t) { return t.uneven; }));
    const Partition p = f.partitioned(kUneven, mesh, device);
    EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
    EXPECT_DOUBLE_EQ(p.tactics.back().simulation->overlapped, f.result.cost.seconds) << schedule_json(f.schedule);
    EXPECT_DOUBLE_EQ(total(p.tactics.back().simulation->peak), f.result.cost.peak_bytes);
    EXPECT_LT(f.result.cost.seconds, f.result.before.seconds / 2);
    EXPECT_LE(lower_bound_seconds(f.session.state(), device, Software{}), f.result.cost.seconds);
  }
}

TEST(Search, ReachesTheBestOfAllSchedulesOverArguments) {
  const Device device = value_or_throw(find_device("a100"));
  for (const SmallProgram& p : small_programs(true)) {
    const Session session = value_or_throw(Session::open({p.text, "test.mlir"}, value_or_throw(Mesh::parse(p.mesh))));
    const ExhaustiveBest best = ExhaustiveSearch(session, device).run();
    const SearchResult found = value_or_throw(search(session, options_on("a100", 6000)));
    EXPECT_LE(found.cost.seconds, best.cost.seconds * (1 + 1e-9))
        << p.name << " of " << best.schedules << " schedules\n"
        << p.text << schedule_json(schedule_of(found, session, {}));
    EXPECT_GE(best.cost.seconds, lower_bound_seconds(session.state(), device, {})) << p.name;
  }
}

TEST(Search, LeavesTheBestPlanOfOneDecisionWhereItLeadsNowhere) {
  // Decided alone, each class of dimensions is best tiled along the larger axis or along both. Decided together, the
  // batch is best on one axis and the rest on the other, which no single change leads to. The schedule by hand tiles
  // the batch along one axis and, as Megatron does, the weights and the vocabulary along the other.
  const std::string program = decoding_step(2);
  for (const char* device : {"tpu_v5p", "h100"}) {
    PartitionInput by_hand;
    by_hand.text = program;
    by_hand.file = "test.mlir";
    by_hand.mesh = "batch=16,model=8";
    by_hand.device = value_or_throw(find_device(device));
    by_hand.schedule = R"({"tactics": [)" + testing::tile("batch", R"("arg0": 0, "arg6": 0, "arg11": 0)") + ", " +
                       testing::tile("model", R"("arg2": 1, "arg3": 0, "arg4": 1, "arg5": 0, "arg7": 1, "arg8": 0, )"
                                              R"("arg9": 1, "arg10": 0, "arg1": 1)") +
                       "]}";
    const Partition expert = value_or_throw(partition(by_hand, Emit::stablehlo, testing::no_clock));
    const Found f(program.c_str(), "batch=16,model=8", options_on(device, 300));
    EXPECT_LE(f.result.cost.seconds, expert.tactics.back().simulation->overlapped * (1 + 1e-9))
        << device << "\n"
        << schedule_json(f.schedule);
  }
}

TEST(Search, FindsTilesThatOneTacticMustAskForTogether) {
  // The best plan tiles the input's rows and the columns of the values' weights along one axis. If one tactic requests
  // both, the product of the two takes neither and its operands are gathered; with two tactics in sequence, the first
  // one propagates through it.
  SmallProgramWriter w;
  const std::string text = w.returning({small_block(w, w.argument({1, 1024, 256}), 256, false)});
  const Device device = value_or_throw(find_device("a100"));
  const Session session = value_or_throw(Session::open({text, "test.mlir"}, value_or_throw(Mesh::parse("a=2,b=2"))));
  const ExhaustiveBest best = ExhaustiveSearch(session, device).run();
  const Found f(text.c_str(), "a=2,b=2", options_on("a100", 6000));
  EXPECT_LE(f.result.cost.seconds, best.cost.seconds * (1 + 1e-9)) << best.tactics << "\n" << schedule_json(f.schedule);
  EXPECT_TRUE(std::any_of(f.result.steps.begin(), f.result.steps.end(), [](const RealizedStep& s) {
    return !s.step.with.empty();
  })) << schedule_json(f.schedule);
  const Partition p = f.partitioned(text.c_str(), "a=2,b=2", device);
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
  EXPECT_DOUBLE_EQ(p.tactics.back().simulation->overlapped, f.result.cost.seconds) << schedule_json(f.schedule);
}

TEST(AutomaticTactics, AreReplacedByWhatIsFound) {
  const Session session = value_or_throw(Session::open({kMlp, "test.mlir"}, value_or_throw(Mesh::parse("a=4,b=2"))));
  const Schedule asked = value_or_throw(read_schedule(R"({"tactics": [
    {"name": "BP", "axis": "a", "inputs": {"arg2": 0}},
    {"name": "Auto", "axes": ["b"], "search": {"device": "a100", "memory": "80GB", "evaluations": 200, "seed": 1}}]})",
                                                      "test.json"));
  EXPECT_FALSE(resolve(asked, session.mesh(), session.names(), session.main()).has_value()) << "not searched for yet";
  const Schedule found = value_or_throw(searched(asked, session, {}));
  ASSERT_GE(found.tactics.size(), 2U);
  EXPECT_EQ(found.tactics[0].name, "BP");
  EXPECT_EQ(found.tactics[1].name.substr(0, 6), "Auto: ");
  EXPECT_EQ(found.tactics[1].axis, "b");
  EXPECT_TRUE(resolve(found, session.mesh(), session.names(), session.main()).has_value());
}

TEST(AutomaticTactics, SayWhatIsWrongWithThem) {
  const auto error = [](const std::string& tactic) {
    const auto schedule = read_schedule("{\"tactics\": [" + tactic + "]}", "test.json");
    return schedule ? std::string() : schedule.error().text();
  };
  EXPECT_NE(error(R"({"name": "Auto", "search": {"device": "a100"}})").find("axes"), std::string::npos);
  EXPECT_NE(error(R"({"name": "Auto", "axes": ["b"], "search": {}})").find("device"), std::string::npos);
  EXPECT_NE(error(R"({"name": "Auto", "axes": ["b"], "search": {"device": "a100", "second": 3}})").find("second"),
            std::string::npos);
  EXPECT_NE(error(R"({"name": "Auto", "axes": ["b"], "axis": "b", "search": {"device": "a100"}})").find("axis"),
            std::string::npos);
  EXPECT_EQ(*bytes_from("16GiB"), 16.0 * 1024 * 1024 * 1024);
  EXPECT_FALSE(bytes_from("lots").has_value());
  EXPECT_FALSE(bytes_from("-1GB").has_value());
}

TEST(DecisionTree, FindsTheOneGoodPlanAmongMany) {
  // Six decisions with four options each. Each right option is worth something, and all of them together are worth
  // most.
  std::vector<Decision> decisions;
  for (std::uint32_t k = 0; k < 6; ++k) {
    Decision d{Plan()};
    for (std::uint32_t option = 1; option < 4; ++option) {
      PlanStep step;
      step.what = k;
      step.dim = option;
      d.push_back({step});
    }
    decisions.push_back(std::move(d));
  }
  DecisionTree tree(decisions, {}, 1);
  EXPECT_EQ(tree.plans(), 4096);
  double best = -1;
  for (int k = 0; k < 600; ++k) {
    const DecisionTree::Path path = tree.select();
    double reward = 0;
    for (std::size_t i = 0; i < path.options.size(); ++i) reward += path.options[i] == (i * 7 + 1) % 4 ? 0.3 : 0;
    tree.tell(path, reward);
    best = std::max(best, reward);
  }
  EXPECT_NEAR(best, 1.8, 1e-9) << "in 600 of 4096 plans";
}

}  // namespace
}  // namespace partir
