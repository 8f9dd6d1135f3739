// `partir search`: finds a schedule, then partitions by it to prove and report the result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "driver/partition.h"
#include "rewrite/json_text.h"
#include "rewrite/sub_axes.h"
#include "search/automatic.h"
#include "search/bound.h"
#include "simulate/report.h"
#include "support/file.h"
#include "support/version.h"
#include "tools/clock.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/inputs.h"
#include "tools/partition_report.h"
#include "tools/search_progress.h"
#include "tools/simulation_json.h"
#include "tools/style.h"

namespace partir {
namespace {

Result<std::vector<Axis>> axes_from(const std::vector<std::string>& names, const Mesh& mesh) {
  std::vector<Axis> out;
  for (const std::string& name : names) {
    const auto axis = mesh.find(name);
    if (!axis) return wrong_usage("axis '" + name + "'", "an axis of the mesh " + mesh.str());
    if (std::find(out.begin(), out.end(), *axis) == out.end()) out.push_back(*axis);
  }
  return out;
}

/// The cost of the plan without one of its steps, such as "55.10 us (+11.4 %)".
std::string without_text(const SearchResult& r, std::size_t step) {
  const PlanCost& c = r.without[step];
  return fmt::format("{} ({:+.1f} %){}", time_text(c.seconds), 100 * (c.seconds / r.cost.seconds - 1),
                     c.fits || !r.cost.fits ? "" : ", does not fit");
}

/// One line for each tactic: the step and the peak after it, and what the complete plan costs without it. The found
/// tactics come last, after those of the program's annotations and of the given schedule.
void print_tactics(std::FILE* out, const Partition& p, const SearchResult& found) {
  const std::size_t given = p.tactics.size() - found.without.size();
  struct Row {
    std::string name, step, peak, without, collectives;
  };
  std::vector<Row> rows = {{"after", "step", "peak", "cost without it", "collectives"}};
  for (std::size_t t = 0; t < p.tactics.size(); ++t) {
    const auto& s = p.tactics[t].simulation;
    rows.push_back({p.tactics[t].name, time_text(s->overlapped), bytes_text(total(s->peak)),
                    t < given ? "" : without_text(found, t - given), p.tactics[t].collectives.str()});
  }
  std::size_t name = 0;
  std::size_t without = 0;
  for (const Row& r : rows) {
    name = std::max(name, r.name.size());
    without = std::max(without, r.without.size());
  }
  for (const Row& r : rows)
    fmt::print(out, "    {:<{}} {:>10} {:>12}  {:<{}}  {}\n", r.name, name, r.step, r.peak, r.without, without,
               r.collectives);
}

Json search_json(const SearchResult& r, double bound, const std::string& schedule, const Partition& p) {
  Json history = Json::array();
  for (const auto& [evaluations, seconds] : r.history) history.push_back({evaluations, seconds});
  Json without = Json::array();
  for (const PlanCost& c : r.without) without.push_back({{"step_seconds", c.seconds}, {"fits", c.fits}});
  Json counts = Json::object();
  for (std::size_t k = 0; k < CollectiveCounts::kinds.size(); ++k)
    counts[std::string(CollectiveCounts::kinds[k])] = p.collectives.counts[k];
  return {{"program", p.name},
          {"mesh", p.mesh.str()},
          {"schedule", Json::parse(schedule)},
          {"step_seconds", r.cost.seconds},
          {"peak_bytes", r.cost.peak_bytes},
          {"needed_bytes", r.cost.needed_bytes},
          {"fits", r.cost.fits},
          {"without", std::move(without)},
          {"lower_bound_seconds", bound},
          {"evaluations", r.evaluations},
          {"seconds", r.seconds},
          {"decisions", r.decisions},
          {"plans", r.plans},
          {"enumerated", r.enumerated},
          {"history", std::move(history)},
          {"collectives", std::move(counts)},
          {"check",
           {{"verdict", name_of(p.judgement.verdict)}, {"scope", p.judgement.scope}, {"reason", p.judgement.reason}}}};
}

}  // namespace

Result<ExitStatus> search_command(const SearchArguments& a, const std::string& json) {
  CommandFiles files;
  files.reads_program(a.program, a.names);
  files.reads(a.schedule);
  files.writes("-o", a.output);
  files.writes("--report", a.report);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  auto program = read_program(a.program, a.names);
  if (!program) return tl::unexpected(program.error());
  Schedule prefix;
  if (a.schedule) {
    auto text = read_file(*a.schedule);
    if (!text) return tl::unexpected(text.error());
    auto schedule = read_schedule(*text, *a.schedule);
    if (!schedule) return tl::unexpected(schedule.error());
    prefix = std::move(*schedule);
  }
  if (!a.mesh && !prefix.mesh) return wrong_usage("no mesh", "--mesh batch=4,model=2, or \"mesh\" in the schedule");
  auto mesh = Mesh::parse(a.mesh ? *a.mesh : *prefix.mesh);
  if (!mesh) return tl::unexpected(mesh.error());
  if (auto ok = split_sub_axes(prefix, *mesh); !ok) return tl::unexpected(ok.error());
  SearchOptions options;
  auto axes = axes_from(a.axes, *mesh);
  if (!axes) return tl::unexpected(axes.error());
  options.axes = std::move(*axes);
  auto device = find_device(a.device);
  if (!device) return tl::unexpected(device.error());
  options.device = std::move(*device);
  SimulationArguments network;
  network.links = a.links;
  network.topology = a.topology;
  auto simulation = simulation_options(std::nullopt, network, options.device);
  if (!simulation) return tl::unexpected(simulation.error());
  options.step = {simulation->network, simulation->software};
  if (a.memory) {
    auto bytes = bytes_from(*a.memory);
    if (!bytes) return tl::unexpected(bytes.error());
    options.memory_bytes = *bytes;
  }
  const auto session = Session::open(*program, *mesh);
  if (!session) return tl::unexpected(session.error());
  auto tactics = resolve(prefix, *mesh, session->names(), session->main());
  if (!tactics) return tl::unexpected(tactics.error());
  options.prefix = std::move(*tactics);
  options.seed = a.seed;
  options.evaluations = a.evaluations;
  if (a.seconds || !a.evaluations) options.seconds = a.seconds.value_or(60);
  options.now = seconds_now;
  options.threads = a.threads != 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  const auto has = [&](const char* part) {
    return std::find(a.without.begin(), a.without.end(), part) == a.without.end();
  };
  options.space = {.names = has("analysis"), .sharing = has("sharing")};
  options.tree = has("tree");
  options.local_improvement = has("local");

  Result<SearchResult> found = tl::unexpected(Diagnostic());
  {
    ProgressLine line;
    found = search(*session, options, [&](const SearchProgress& p) { line(p); });
  }
  if (!found) return tl::unexpected(found.error());
  Schedule schedule = schedule_of(*found, *session, prefix.tactics);
  schedule.mesh = mesh->str();
  const std::string text = schedule_json(schedule);

  // Partition by the schedule as it is written, so that exactly that is proved and costed.
  PartitionInput input;
  static_cast<ProgramInput&>(input) = std::move(*program);
  input.schedule = text;
  input.schedule_file = a.output.value_or("the schedule found");
  input.mesh = mesh->str();
  input.check = !a.no_check;
  input.axes_in_parts = false;  // the plan was costed with complete axes
  input.device = options.device;
  input.simulation = *simulation;
  const auto p = partition(input, Emit::stablehlo, seconds_now);
  if (!p) return tl::unexpected(p.error());
  const bool refuted = p->judgement.verdict == Verdict::refuted;

  std::FILE* people = files.people();
  fmt::print(people,
             "{} on {} of {}: {} decisions, {:.3g} plans; {} evaluations in {:.1f} s ({:.1f} a second), seed {}\n",
             p->name, mesh->str(), options.device.name, found->decisions, found->plans, found->evaluations,
             found->seconds, static_cast<double>(found->evaluations) / std::max(found->seconds, 1e-9), a.seed);
  fmt::print(people, "  {}: {}\n", prefix.tactics.empty() ? "not partitioned" : "the given schedule",
             cost_text(found->before));
  const double bound = lower_bound_seconds(session->state(), options.device, options.step.software);
  fmt::print(people, "  found: {}, {:.2f} of the lower bound {}{}\n", cost_text(found->cost),
             bound > 0 ? found->cost.seconds / bound : 1.0, time_text(bound),
             found->enumerated ? "; all plans of the space were evaluated, and no move from the best is better" : "");
  print_tactics(people, *p, *found);
  fmt::print(people, "  check: {}{}{}\n", name_of(p->judgement.verdict),
             p->judgement.scope.empty() ? "" : " (" + p->judgement.scope + ")",
             p->judgement.reason.empty() ? "" : ": " + p->judgement.reason);
  if (a.output && !refuted) {
    if (auto ok = write_file(*a.output, text); !ok) return tl::unexpected(ok.error());
  }
  if (a.report && !refuted) {
    Json page = page_json(*p, found->seconds, text);
    page["command"] = a.command;
    page["version"] = kVersion;
    const std::string shown = page.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (auto ok = write_file(*a.report, report_page(p->name, shown)); !ok) return tl::unexpected(ok.error());
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, search_json(*found, bound, text, *p).dump(1) + "\n"); !ok)
      return tl::unexpected(ok.error());
  }
  if (a.must_fit && !found->cost.fits) {
    fmt::print(stderr, "--must-fit: the smallest plan found needs {} of {}\n", bytes_text(found->cost.needed_bytes),
               bytes_text(options.memory_bytes.value_or(options.device.memory_bytes)));
    return ExitStatus::refuted;
  }
  return exit_status_of(p->judgement.verdict);
}

}  // namespace partir
