// The main property test, on random programs, meshes and schedules. The source, the sequential reading of its Core
// program and the SPMD reading of what it lowers to must agree exactly after every tactic. A failure is shrunk and
// printed with a command that replays it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>

#include "ir/control_flow.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "lowering/lower.h"
#include "rewrite/conflict.h"
#include "rewrite/materialize.h"
#include "rewrite/offsets.h"
#include "rewrite/propagate.h"
#include "semantics/interpreter.h"
#include "tests/generated_input.h"
#include "tests/random_settings.h"
#include "verify/certificate/check.h"

namespace partir {
namespace {

/// What the cases of a run exercised, to notice if the generator stops producing something.
struct Exercised {
  std::size_t cases = 0;
  std::size_t with_loops = 0;
  std::size_t with_collectives = 0;
  std::size_t with_collectives_in_regions = 0;
  std::size_t with_pending_sums = 0;  ///< carried by loops
  std::size_t with_conflicts = 0;
  std::size_t by_offsets = 0;
  std::size_t partitions = 0;
  std::size_t unknown = 0;  ///< partitions whose certificate has an unproved step
  std::string first_unknown;
};

/// Returns how a run's results differ from the expected ones, or nothing.
std::optional<std::string> disagreement(const std::string& what, const Result<std::vector<Tensor>>& got,
                                        const std::vector<Tensor>& wanted) {
  if (!got) return fmt::format("{}: {}", what, got.error().text());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if ((*got)[k].type != wanted[k].type || difference((*got)[k], wanted[k], modular_domain()).elements != 0)
      return fmt::format("{}: result {} differs", what, k);
  }
  return std::nullopt;
}

/// Partitions the case as the command does, with operations decomposed by offsets, and returns what is wrong with it.
std::optional<std::string> violation_by_offsets(const GeneratedCase& c, const Module& source,
                                                const std::vector<Tensor>& inputs, const std::vector<Tensor>& wanted,
                                                Exercised& exercised) {
  const auto p = partition(testing::input_of(c), Emit::stablehlo, [] { return 0.0; });
  // The smaller local sizes may not be divisible, which is reported as the user's error.
  if (!p)
    return p.error().found.find("local size") != std::string::npos ? std::nullopt : std::optional(p.error().text());
  const auto written = read_module(p->stablehlo, "spmd.mlir");
  if (!written) return "the program by offsets does not read: " + written.error().text() + "\n" + p->stablehlo;
  const auto report = check_certificate(source, *written, p->certificate, {nullptr, true});
  if (report.verdict == Verdict::refuted)
    return fmt::format("by offsets, {}: {}\n{}", report.step, report.reason, p->stablehlo);
  ++exercised.partitions;
  if (report.verdict == Verdict::unknown && exercised.unknown++ == 0)
    exercised.first_unknown = report.step + ": " + report.reason;
  if (auto bad = disagreement("by offsets", run_module(*written, inputs, modular_domain(), 3), wanted))
    return *bad + "\n" + p->stablehlo;
  return std::nullopt;
}

/// Returns what is wrong with a case, or nothing.
std::optional<std::string> violation_unguarded(const GeneratedCase& c, Exercised& exercised) {
  auto module = read_module(c.program, "random.mlir");
  if (!module) return "the generated program does not read: " + module.error().text();
  auto inlined = inline_calls(std::move(*module));
  const Function& main = **inlined->main();
  const Mesh mesh = value_or_throw(Mesh::parse(c.mesh));
  const auto schedule = read_schedule(c.schedule, "random.json");
  if (!schedule) return schedule.error().text();
  const auto names = names_of(main, std::nullopt, "");
  const auto tactics = resolve(*schedule, mesh, *names, main);
  if (!tactics) return tactics.error().text();

  const Domain& domain = modular_domain();
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < main.arguments().size(); ++i)
    inputs.push_back(random_tensor(main.tensor(main.arguments()[i]), 7, i, domain));
  const auto wanted = run_sequential(main, inputs, domain);
  if (!wanted) return wanted.error().text();

  const Function source = without_dead_code(main);
  State state(source, mesh);
  bool loops = false;
  bool collectives = false;
  bool in_regions = false;
  bool carries_sums = false;
  bool in_conflict = false;
  for (std::size_t t = 0; t < tactics->size(); ++t) {
    const auto conflicts = apply_tactic(state, (*tactics)[t], *names, "random.json");
    if (!conflicts) {
      // Propagation may have used up a dimension that a later request names, which is reported as the user's error.
      if (conflicts.error().found.find("local size") != std::string::npos) return std::nullopt;
      return conflicts.error().text();
    }
    const Function core = materialize(state);
    const auto agree = [&](const char* what, const Result<std::vector<Tensor>>& got) -> std::optional<std::string> {
      return disagreement(fmt::format("after tactic {}, {}", t, what), got, *wanted);
    };
    // The Core program prints, reads back and runs.
    Module written;
    written.functions.push_back(core);
    const std::string core_text = print_module(written);
    const auto core_again = read_module(core_text, "core.mlir");
    if (!core_again) return "the Core program does not read: " + core_again.error().text() + "\n" + core_text;
    if (auto bad = agree("the sequential reading of Core", run_sequential(core_again->functions[0], inputs, domain)))
      return *bad + "\n" + core_text;
    const SpmdProgram spmd = lower(state);
    loops = loops || core_text.find("= loop ") != std::string::npos;
    collectives = collectives || !(count_collectives(spmd.function) == CollectiveCounts{});
    for (const Op& op : spmd.function.body.ops) {
      if (!runs_regions(op)) continue;
      for (const Block& b : op.regions)
        for_each_op(b,
                    [&](const Op& inner) { in_regions = in_regions || inner.decl->kind == OpDecl::Kind::collective; });
    }
    for_each_op(spmd.function.body, [&](const Op& op) {
      if (!runs_regions(op)) return;
      for (const ValueId v : op.results) carries_sums = carries_sums || !spmd.layouts[v.index()]->pending.empty();
    });
    in_conflict = in_conflict || !conflicts->empty();
    for (const Conflict& conflict : *conflicts) {
      if (text_of(conflict, state).reason.empty()) return "a conflict without a reason";
    }
    const Module emitted = stablehlo_module(spmd, *inlined);
    const std::string local_text = print_module(emitted);
    const auto local = read_module(local_text, "spmd.mlir");
    if (!local) return "the device-local program does not read: " + local.error().text() + "\n" + local_text;
    const std::string certificate = to_json(certificate_of(spmd, emitted, state, main));
    const auto report =
        check_certificate(*inlined, *local, value_or_throw(read_certificate(certificate, "c.json")), {nullptr, true});
    if (report.verdict == Verdict::refuted)
      return fmt::format("after tactic {}, {}: {}\n{}{}", t, report.step, report.reason, core_text, local_text);
    ++exercised.partitions;
    if (report.verdict == Verdict::unknown && exercised.unknown++ == 0)
      exercised.first_unknown = report.step + ": " + report.reason;
    for (const std::uint64_t shuffle : {0, 5}) {
      if (auto bad = agree("the SPMD reading", run_module(*local, inputs, domain, shuffle)))
        return *bad + "\n" + core_text + local_text;
    }
  }
  const LazyInfinities infinities(state.function());
  if (!to_write_by_offsets(state, RewrittenInfinities(infinities, state.function())).empty()) {
    ++exercised.by_offsets;
    if (auto bad = violation_by_offsets(c, *inlined, inputs, *wanted, exercised)) return bad;
  }
  ++exercised.cases;
  exercised.with_loops += loops ? 1 : 0;
  exercised.with_collectives += collectives ? 1 : 0;
  exercised.with_collectives_in_regions += in_regions ? 1 : 0;
  exercised.with_pending_sums += carries_sums ? 1 : 0;
  exercised.with_conflicts += in_conflict ? 1 : 0;
  return std::nullopt;
}

std::optional<std::string> violation(const GeneratedCase& c, Exercised& exercised) {
  try {
    return violation_unguarded(c, exercised);
  } catch (const std::exception& error) {
    return error.what();
  }
}
/// Partitions the case with dimensions that the axes need not divide, and checks that no padding reaches a result.
std::optional<std::string> violation_on_padded_values(const GeneratedCase& c, Exercised& exercised) {
  auto inlined = inline_calls(value_or_throw(read_module(c.program, "random.mlir")));
  const Function& main = **inlined->main();
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < main.arguments().size(); ++i)
    inputs.push_back(random_tensor(main.tensor(main.arguments()[i]), 7, i, modular_domain()));
  const auto wanted = run_sequential(main, inputs, modular_domain());
  if (!wanted) return wanted.error().text();
  const auto p = partition(testing::input_of(c), Emit::stablehlo, [] { return 0.0; });
  if (!p) return p.error().text();
  const auto written = read_module(p->stablehlo, "spmd.mlir");
  if (!written) return "the device-local program does not read: " + written.error().text() + "\n" + p->stablehlo;
  const auto certificate = read_certificate(to_json(p->certificate), "c.json");
  const auto report = check_certificate(*inlined, *written, value_or_throw(certificate), {nullptr, true});
  if (report.verdict == Verdict::refuted) return fmt::format("{}: {}\n{}", report.step, report.reason, p->stablehlo);
  ++exercised.partitions;
  if (report.verdict == Verdict::unknown && exercised.unknown++ == 0)
    exercised.first_unknown = report.step + ": " + report.reason;
  if (!p->certificate.padding.uneven.empty()) ++exercised.cases;
  if (!(p->collectives == CollectiveCounts{})) ++exercised.with_collectives;
  if (auto bad = disagreement("the SPMD reading", run_module(*written, inputs, modular_domain(), 3), *wanted))
    return *bad + "\n" + p->stablehlo;
  return std::nullopt;
}

/// Limits how long a failure is shrunk before the smallest one found is reported. Under sanitizers a case takes a
/// second.
class ShrinkingTime {
 public:
  /// Returns whether cases must count as correct from now on, so that shrinking ends.
  [[nodiscard]] bool is_over() const { return first_failure_ && Clock::now() - *first_failure_ > kLimit; }
  void note(bool failed) {
    if (failed && !first_failure_) first_failure_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLimit{60};
  std::optional<Clock::time_point> first_failure_;
};

/// With fewer cases, the shares of what they exercise say nothing: 2 of 100 is chance.
constexpr std::size_t kManyCases = 1000;

TEST(Partition, CoreAndSpmdReadingsAgreeWithTheSourceOnRandomPrograms) {
  // PARTIR_CHOICES="3 1 4 …" replays one case.
  if (const char* replay = std::getenv("PARTIR_CHOICES")) {
    std::istringstream numbers(replay);
    std::vector<std::uint32_t> choices;
    for (std::uint32_t n = 0; numbers >> n;) choices.push_back(n);
    const GeneratedCase c = generate(choices);
    Exercised ignored;
    const auto bad = violation(c, ignored);
    EXPECT_FALSE(bad.has_value()) << c.program << c.mesh << "\n" << c.schedule << "\n" << *bad;
    return;
  }
  // The number of cases is RapidCheck's own setting, 1,200 by default. RapidCheck prints the seed.
  testing::draw_cases(1200);
  Exercised exercised;
  ShrinkingTime shrinking;
  const bool held = rc::check("three readings agree", [&] {
    const auto choices = *rc::gen::container<std::vector<std::uint32_t>>(
        150, rc::gen::resize(1000, rc::gen::inRange<std::uint32_t>(0, 5040)));
    if (shrinking.is_over()) return;
    const GeneratedCase c = generate(choices);
    const auto bad = violation(c, exercised);
    shrinking.note(bad.has_value());
    if (bad) {
      std::vector<std::uint32_t> used = choices;
      while (!used.empty() && used.back() == 0) used.pop_back();
      RC_LOG() << c.program << "mesh " << c.mesh << "\nschedule " << c.schedule << "\n"
               << *bad
               << fmt::format("\nreplay: PARTIR_CHOICES=\"{}\" build/tests/property_test\n", fmt::join(used, " "));
    }
    RC_ASSERT(!bad.has_value());
  });
  ASSERT_TRUE(held);
  fmt::print(
      "{} cases: {} with loops, {} with collectives ({} in control flow, {} of sums that loops carry), {} with "
      "conflicts\n",
      exercised.cases, exercised.with_loops, exercised.with_collectives, exercised.with_collectives_in_regions,
      exercised.with_pending_sums, exercised.with_conflicts);
  fmt::print("{} cases with operations by offsets\n", exercised.by_offsets);
  fmt::print("{} partitions, {} not proved {}\n", exercised.partitions, exercised.unknown, exercised.first_unknown);
  EXPECT_LT(exercised.unknown * 100, exercised.partitions);
  if (exercised.cases < kManyCases) return;
  EXPECT_GT(exercised.with_loops * 2, exercised.cases);
  EXPECT_GT(exercised.with_collectives * 6, exercised.cases);
  EXPECT_GT(exercised.with_collectives_in_regions * 50, exercised.cases);
  EXPECT_GT(exercised.with_pending_sums * 200, exercised.cases);
  EXPECT_GT(exercised.with_conflicts * 20, exercised.cases);
  EXPECT_GT(exercised.by_offsets * 100, exercised.cases);
}

TEST(Partition, DimensionsThatDoNotDivideOnRandomPrograms) {
  testing::draw_cases(1200);
  Exercised exercised;
  const auto checked = [&](const GeneratedCase& c) -> std::optional<std::string> {
    try {
      return violation_on_padded_values(c, exercised);
    } catch (const std::exception& error) {
      return error.what();
    }
  };
  ShrinkingTime shrinking;
  const bool held = rc::check("devices agree with the source, whatever the padding holds", [&] {
    const auto choices = *rc::gen::container<std::vector<std::uint32_t>>(
        150, rc::gen::resize(1000, rc::gen::inRange<std::uint32_t>(0, 5040)));
    if (shrinking.is_over()) return;
    const GeneratedCase c = generate(choices, true);
    const auto bad = checked(c);
    shrinking.note(bad.has_value());
    if (bad) RC_LOG() << c.program << "mesh " << c.mesh << "\nschedule " << c.schedule << "\n" << *bad;
    RC_ASSERT(!bad.has_value());
  });
  ASSERT_TRUE(held);
  fmt::print("{} partitions, {} with padding, {} with collectives, {} not proved {}\n", exercised.partitions,
             exercised.cases, exercised.with_collectives, exercised.unknown, exercised.first_unknown);
  EXPECT_LT(exercised.unknown * 50, exercised.partitions);
  if (exercised.partitions < kManyCases) return;
  EXPECT_GT(exercised.cases * 3, exercised.partitions);
  EXPECT_GT(exercised.with_collectives * 6, exercised.partitions);
}

}  // namespace
}  // namespace partir
