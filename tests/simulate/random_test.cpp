// Properties that every simulation must have, on random partitioned programs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>

#include "driver/session.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/read.h"
#include "lowering/program.h"
#include "simulate/recompute.h"
#include "simulate/simulate.h"
#include "simulate/step.h"
#include "tests/generated_input.h"
#include "tests/random_settings.h"

namespace partir {
namespace {

double stopped_clock() { return 0; }

/// Draws a random case; must be called inside a RapidCheck property.
GeneratedCase drawn_case() {
  return generate(*rc::gen::container<std::vector<std::uint32_t>>(
      150, rc::gen::resize(1000, rc::gen::inRange<std::uint32_t>(0, 5040))));
}

/// Returns which property a case violates, or nothing. `communicating` counts cases with collectives, `repeated`
/// programs rewritten with recomputation.
std::optional<std::string> violation(const GeneratedCase& c, std::size_t& communicating, std::size_t& repeated) {
  const auto p = partition(testing::input_of(c), Emit::stablehlo, stopped_clock);
  if (!p) return std::nullopt;  // a tactic tiles what is used up already
  const Module module = value_or_throw(read_module(p->stablehlo, "random.mlir"));
  const Function& f = **module.main();
  const Device device = value_or_throw(find_device("a100"));  // its links do not decompose collectives
  const Simulation s = value_or_throw(simulate(module, p->names, device, {}));
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); };
  if (!near(s.sequential, s.compute + s.memory + s.launch + s.communication)) return "parts do not sum to the step";
  if (s.overlapped > s.sequential * (1 + 1e-9)) return "slower with overlap than without";
  if (s.overlapped < (s.compute + s.memory + s.launch) * (1 - 1e-9)) return "kernels overlap each other";
  OperationCosts costs;
  double flops = 0;
  bool loops = false;
  for_each_op(f.body, [&](const Op& op) {
    flops += op.decl->kind == OpDecl::Kind::array ? costs.of(f, op).flops() : 0;
    loops = loops || op.name() == "stablehlo.while";
  });
  if (!loops && s.flops > flops * (1 + 1e-9)) return "more FLOPs than the operations have";
  double arguments = 0;
  for (const ValueId v : f.arguments()) arguments += static_cast<double>(f.type(v).bytes());
  if (!near(total(s.arguments), arguments)) return "arguments of another size";
  double live = 0;
  for (const NamedBuffer& b : s.live) live += b.bytes;
  if (!near(live, total(s.peak))) return fmt::format("{} B live at a peak of {} B", live, total(s.peak));
  if (s.gaps < -1e-6 || s.slack < s.gaps - 1e-6) return "less is allocated than is live";
  for (const Recomputation policy : {Recomputation::selective, Recomputation::full}) {
    const auto recomputed = recompute(f, p->names, policy);
    if (!recomputed) continue;  // the program has no loss
    ++repeated;
    if (!same_expressions(f, recomputed->function)) return "recomputation changes a result";
  }
  double seconds = 0;
  std::int64_t count = 0;
  bool irregular = false;  // a collective over a part of an axis
  for (const CollectiveCost& k : s.collectives) {
    seconds += k.seconds * static_cast<double>(k.executed);
    count += k.count;
    irregular = irregular || k.axes.empty();
  }
  const bool noted = std::any_of(s.notes.begin(), s.notes.end(), [](const std::string& note) {
    return note.find("not along axes of the mesh") != std::string::npos;
  });
  if (irregular != noted) return "a collective that is not along axes, and no note, or the other way round";
  if (!near(seconds, s.communication)) return "collectives do not sum to the communication";
  std::int64_t wanted = 0;
  for (const std::int64_t n : p->collectives.counts) wanted += n;
  // Of several branches only the longest is simulated.
  const bool branches = p->stablehlo.find("stablehlo.case") != std::string::npos ||
                        p->stablehlo.find("stablehlo.if") != std::string::npos;
  if (branches ? count > wanted : count != wanted) return fmt::format("{} collectives simulated of {}", count, wanted);
  communicating += count > 0 ? 1 : 0;
  return std::nullopt;
}

TEST(Simulation, HoldsTogetherOnRandomPartitions) {
  testing::draw_cases(500);
  std::size_t communicating = 0;
  std::size_t repeated = 0;
  const bool ok = rc::check("parts sum, overlap saves, memory adds up", [&] {
    const GeneratedCase c = drawn_case();
    const auto wrong = violation(c, communicating, repeated);
    if (wrong) RC_FAIL(*wrong + "\nmesh " + c.mesh + "\nschedule " + c.schedule + "\n" + c.program);
  });
  EXPECT_TRUE(ok);
  EXPECT_GT(communicating, 50U);
  EXPECT_GT(repeated, 10U);
}

/// Compares the cost that a search computes, on the lowered program, with the cost that a user gets, on the module
/// written from it. Returns how they differ, or nothing.
std::optional<std::string> costs_differ(const GeneratedCase& c, StepModel& model, const Mesh& mesh,
                                        std::size_t& compared) {
  auto session = Session::open({c.program, "random.mlir"}, mesh);
  if (!session) return session.error().text();
  const Schedule schedule = value_or_throw(read_schedule(c.schedule, "random.json"));
  const auto tactics = value_or_throw(resolve(schedule, mesh, session->names(), session->main()));
  session->expect(asked_values(tactics));
  for (const ResolvedTactic& t : tactics) {
    if (!session->apply(t)) return std::nullopt;  // tiles what is used up already
  }
  if (!session->settle()) return std::nullopt;
  // In the module, slices of one element may run as one kernel because they read the same offset, so such programs are
  // not compared.
  const auto is_one_element = [&](const Op& op) {
    return op.name() == "spmd.all_slice" && session->lowered().function.type(op.results[0])->elements() == 1;
  };
  if (find_op(session->lowered().function.body, is_one_element) != nullptr) return std::nullopt;
  const StepCost lowered = value_or_throw(session->cost(model));
  const Module module = session->stablehlo();
  const StepCost written = value_or_throw(model.cost(**module.main()));
  ++compared;
  // The module computes offsets, which are scalars of a few bytes.
  if (std::abs(lowered.seconds - written.seconds) > 1e-6 * written.seconds)
    return fmt::format("{} s lowered, {} s written", lowered.seconds, written.seconds);
  return std::nullopt;
}

TEST(Simulation, OfLoweredProgramsIsThatOfTheModulesWrittenOfThem) {
  testing::draw_cases(500);
  const Device device = value_or_throw(find_device("a100"));
  std::size_t compared = 0;
  const bool ok = rc::check("one cost", [&] {
    const GeneratedCase c = drawn_case();
    const Mesh mesh = value_or_throw(Mesh::parse(c.mesh));
    const auto model = value_or_throw(StepModel::of(device, mesh, {}));
    const auto wrong = costs_differ(c, *model, mesh, compared);
    if (wrong) RC_FAIL(*wrong + "\nmesh " + c.mesh + "\nschedule " + c.schedule + "\n" + c.program);
  });
  EXPECT_TRUE(ok);
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace partir
