// Measures the milliseconds that one step of a search takes: an action (a dimension of an argument tiled along an axis)
// applied to a session and undone, and the cost of the resulting state (lowering and simulation, without printing or
// checks).
//
//   build/benchmarks/session [SHARED [PROGRAM …]]
//
// SHARED is a folder with corpus/ (default ../shared); without it, prints "skipped". Actions are applied to the state
// after the first tactic of the program's schedule; they are spread over all arguments.
#include "driver/session.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "benchmarks/measure.h"
#include "support/file.h"

namespace {

using namespace partir;
using benchmarks::processor_seconds;
using benchmarks::quantile;

constexpr std::size_t kActions = 200;
constexpr std::size_t kCosts = 20;

/// Returns up to `limit` actions, spread evenly over all dimensions of arguments and all axes.
std::vector<ResolvedTactic> actions(const Session& session, std::size_t limit) {
  struct Tile {
    Axis axis;
    std::size_t argument;
    Dim dim;
  };
  std::vector<Tile> all;
  const Function& main = session.main();
  for (std::size_t axis = 0; axis < session.mesh().rank(); ++axis) {
    for (std::size_t k = 0; k < main.arguments().size(); ++k) {
      const TensorType& type = main.tensor(main.arguments()[k]);
      for (Dim d = 0; d < type.rank(); ++d) {
        if (type.dims[d] % session.mesh().size(Axis(axis)) == 0) all.push_back({Axis(axis), k, d});
      }
    }
  }
  std::vector<ResolvedTactic> out;
  const std::size_t stride = std::max<std::size_t>(1, all.size() / limit);
  for (std::size_t i = 0; i < all.size() && out.size() < limit; i += stride) {
    ResolvedTactic& tactic = out.emplace_back(ResolvedTactic{all[i].axis, {}, {}, {}});
    tactic.arguments.resize(main.arguments().size());
    tactic.results.resize(main.returned().size());
    tactic.arguments[all[i].argument] = PatternRequest{"", {Request::Kind::dim, all[i].dim}, {}};
  }
  return out;
}

void measure(const std::string& corpus, const std::string& program) {
  const std::string schedule = program.starts_with("llama") ? "llama_bp_mp"
                               : program.starts_with("mlp") ? "mlp_bp_mp"
                                                            : "t_bp_mp_z3";
  ProgramInput in;
  in.file = corpus + program + ".mlir";
  in.text = value_or_throw(read_file(in.file));
  in.names = value_or_throw(read_file(corpus + program + ".json"));
  const double start = processor_seconds();
  Session session = value_or_throw(Session::open(in, value_or_throw(Mesh::parse("batch=4,model=2"))));
  const double opened = processor_seconds() - start;
  const Schedule tactics =
      value_or_throw(read_schedule(value_or_throw(read_file(corpus + "schedules/" + schedule + ".json")), schedule));
  const auto resolved = value_or_throw(resolve(tactics, session.mesh(), session.names(), session.main()));
  session.expect(asked_values(resolved));
  const auto first = session.apply(resolved[0]);
  if (!first) throw std::runtime_error(first.error().text());
  auto model = value_or_throw(StepModel::of(value_or_throw(find_device("a100")), session.mesh(), {}));
  std::vector<double> moves;
  std::vector<double> lowerings;
  std::vector<double> costs;
  std::size_t refused = 0;
  const auto all = actions(session, kActions);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double before = processor_seconds();
    const auto applied = session.apply(all[i]);
    double used = processor_seconds() - before;
    if (!applied) {
      ++refused;
      continue;
    }
    if (i % std::max<std::size_t>(1, all.size() / kCosts) == 0) {
      const double lowering = processor_seconds();
      (void)session.lowered();
      const double costing = processor_seconds();
      value_or_throw(session.cost(*model));
      lowerings.push_back(costing - lowering);
      costs.push_back(processor_seconds() - costing);
    }
    const double undoing = processor_seconds();
    session.undo();
    used += processor_seconds() - undoing;
    moves.push_back(used);
  }
  std::vector<double> states;
  for (std::size_t k = 0; k < costs.size(); ++k) states.push_back(lowerings[k] + costs[k]);
  fmt::print("{:<20}{:>11}{:>9.0f}{:>9}{:>10.2f}{:>10.2f}{:>10.2f}{:>12.1f}{:>12.1f}{:>12.1f}\n", program,
             session.operations(), opened * 1e3, moves.size(), quantile(moves, 0.5) * 1e3, quantile(moves, 0.9) * 1e3,
             quantile(moves, 1) * 1e3, quantile(lowerings, 0.5) * 1e3, quantile(costs, 0.5) * 1e3,
             quantile(states, 0.5) * 1e3);
  if (refused != 0) fmt::print("  {} actions refused\n", refused);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string shared = argc > 1 ? argv[1] : "../shared";
  if (!std::filesystem::exists(shared + "/corpus")) {
    fmt::print("skipped: no corpus in {}\n", shared);
    return 0;
  }
  std::vector<std::string> programs(argv + std::min(argc, 2), argv + argc);
  if (programs.empty()) programs = {"mlp_train", "t32_train", "llama3_405b_train"};
  fmt::print("milliseconds on batch=4,model=2\n\n{:<20}{:>11}{:>9}{:>9}{:>30}{:>36}\n", "", "", "", "", "apply + undo",
             "cost of a state (medians)");
  fmt::print("{:<20}{:>11}{:>9}{:>9}{:>10}{:>10}{:>10}{:>12}{:>12}{:>12}\n", "program", "operations", "open", "actions",
             "median", "90 %", "worst", "lower", "simulate", "together");
  for (const std::string& program : programs) measure(shared + "/corpus/", program);
  return 0;
}
