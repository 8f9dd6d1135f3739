#include "tools/partition_report.h"

#include <fmt/format.h>

#include "driver/parallelism.h"
#include "ir/text/read.h"
#include "rewrite/json_text.h"
#include "simulate/report.h"
#include "tools/shardings.h"
#include "tools/simulation_json.h"

namespace partir {

namespace {

Json counts_json(const CollectiveCounts& counts) {
  Json out = Json::object();
  for (std::size_t k = 0; k < CollectiveCounts::kinds.size(); ++k)
    out[std::string(CollectiveCounts::kinds[k])] = counts.counts[k];
  return out;
}

/// The names of the results that are proved only over the reals.
std::vector<std::string> results_over_reals(const Partition& p) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < p.judgement.over_reals.size() && k < p.names.results.size(); ++k) {
    if (p.judgement.over_reals[k]) out.push_back(p.names.results[k]);
  }
  return out;
}

/// Returns "check: proved (all inputs: 2 local operations by 4 proved entries; over the reals, reassociated)"; if some
/// results are exact, followed by the names of those that are not.
std::string check_text(const Partition& p, const Style& style) {
  const std::string& scope = p.judgement.scope;
  const auto more = std::min(scope.find(';'), scope.size());
  const std::vector<std::string> weak = results_over_reals(p);
  std::string names;
  if (weak.size() < p.judgement.over_reals.size()) {
    for (std::size_t k = 0; k < weak.size() && k < 4; ++k) names += (k == 0 ? ": " : ", ") + weak[k];
    if (weak.size() > 4) names += fmt::format(" and {} more results", weak.size() - 4);
  }
  const std::string verdict(name_of(p.judgement.verdict));
  const bool good = p.judgement.verdict == Verdict::proved || p.judgement.verdict == Verdict::passed;
  const std::string shown = good                                      ? style.good(verdict)
                            : p.judgement.verdict == Verdict::refuted ? style.bad(verdict)
                                                                      : style.doubtful(verdict);
  return fmt::format("check: {} ({}{}{}{}{})\n", shown, scope.substr(0, more), p.judgement.reason.empty() ? "" : ": ",
                     p.judgement.reason, scope.substr(more), names);
}

}  // namespace

Json report_json(const Partition& p, double total) {
  Json out;
  out["program"] = p.name;
  out["mesh"] = Json::array();
  for (const auto& a : p.mesh.axes()) out["mesh"].push_back({a.name, a.size});
  out["devices"] = p.mesh.devices();
  out["operations"] = p.operations;
  out["annotations"] = p.annotations;
  out["tactics"] = Json::array();
  for (const TacticReport& t : p.tactics) {
    Json conflicts = Json::array();
    for (const ConflictText& c : t.conflicts)
      conflicts.push_back({{"operation", c.operation}, {"axis", c.axis}, {"reason", c.reason}});
    out["tactics"].push_back({{"name", t.name},
                              {"axis", t.axis},
                              {"collectives", counts_json(t.collectives)},
                              {"flops_per_device", static_cast<std::int64_t>(t.flops_per_device)},
                              {"conflicts", std::move(conflicts)}});
    if (t.simulation) out["tactics"].back()["simulation"] = simulation_json(*t.simulation);
  }
  out["by_offsets"] = p.by_offsets;
  out["collectives"] = counts_json(p.collectives);
  out["executed"] = counts_json(p.executed.collectives);
  out["uncounted_loops"] = Json::array();
  for (const Place& place : p.executed.uncounted) out["uncounted_loops"].push_back(place.line);
  out["flops_per_device"] = static_cast<std::int64_t>(p.flops_per_device);
  out["flops_sequential"] = static_cast<std::int64_t>(p.flops_sequential);
  out["axis_parts"] = Json::array();
  for (const UsedPart& part : p.parts)
    out["axis_parts"].push_back({{"name", part.name}, {"axis", part.axis}, {"size", part.size}});
  out["lost_parallelism"] = Json::array();
  for (const LostParallelism& l : lost_parallelism(p)) {
    out["lost_parallelism"].push_back({{"axis", l.axis},
                                       {"devices", l.size},
                                       {"speedup", l.speedup},
                                       {"operation", l.operation},
                                       {"reason", l.reason},
                                       {"advice", l.advice}});
  }
  const ModuleLayout layout =
      value_or_throw(module_layout(value_or_throw(read_module(p.stablehlo, "the partitioned module"))));
  out["shardings"] = shardings_json(layout, p.names);
  out["check"] = {{"verdict", name_of(p.judgement.verdict)},
                  {"scope", p.judgement.scope},
                  {"reason", p.judgement.reason},
                  {"over_the_reals", results_over_reals(p)},
                  {"seconds", p.seconds.check}};
  for (const auto& [what, texts] : p.explanations) out["explanations"][what] = texts;
  out["seconds"] = {{"parse", p.seconds.parse},       {"propagate", p.seconds.propagate}, {"lower", p.seconds.lower},
                    {"optimize", p.seconds.optimize}, {"print", p.seconds.print},         {"total", total}};
  if (!p.tactics.empty() && p.tactics.back().simulation) out["seconds"]["simulate"] = p.seconds.simulate;
  return out;
}

Json page_json(const Partition& p, double total, const std::string& schedule) {
  Json out = {{"partition", report_json(p, total)},
              {"schedule", schedule.empty() ? Json::object() : Json::parse(schedule)},
              {"programs", Json::array()}};
  for (const TacticReport& t : p.tactics) {
    if (!t.simulation) continue;
    Json entry = {{"program", p.name}, {"name", t.name}};
    entry.update(simulation_json(*t.simulation));
    entry["timeline"] = timeline_json(*t.simulation, 600);
    out["programs"].push_back(std::move(entry));
    out["device"] = t.simulation->device;
  }
  const Module written = value_or_throw(read_module(p.stablehlo, "the partitioned module"));
  out["arrays"] = arrays_json(value_or_throw(module_layout(written)), p.names);
  for (Json& t : out["partition"]["tactics"]) t.erase("simulation");  // they are in "programs"
  return out;
}

namespace {

constexpr std::size_t kShown = 20;  ///< conflicts, operations or explanations shown in text

}  // namespace

std::string report_text(const Partition& p, const Style& style) {
  std::string out = fmt::format("{} on {} ({} devices), {} operations\n\n", style.bold(p.name), p.mesh.str(),
                                p.mesh.devices(), p.operations);
  const std::size_t said = p.annotations.size();
  if (said != 0) {
    out += fmt::format("{} of the program's own shardings {}\n\n", said,
                       p.annotations_ignored ? style.bold("IGNORED") : std::string("kept"));
  }
  for (const UsedPart& part : p.parts)
    out += fmt::format("{} is the part {} of {}, for sizes that {} does not divide\n", part.name, part.size, part.axis,
                       part.axis);
  if (!p.parts.empty()) out += "\n";
  std::string head = fmt::format("{:<12}", "after");
  for (const auto kind : CollectiveCounts::kinds) head += fmt::format("{:>20}", kind);
  out += style.bold(head) + "\n";
  for (const TacticReport& t : p.tactics) {
    out += fmt::format("{:<12}", t.name);
    for (const auto c : t.collectives.counts) out += fmt::format("{:>20}", c);
    out += "\n";
  }
  if (!(p.executed.collectives == p.collectives))
    out += fmt::format("\nexecuted, by the trip counts of loops: {}\n", p.executed.collectives.str());
  for (const Place& place : p.executed.uncounted)
    out += fmt::format("the loop in line {} runs an unknown number of times and is counted once\n", place.line);
  for (const TacticReport& t : p.tactics) {
    if (t.conflicts.empty()) continue;
    out += fmt::format("\n{} conflict{} after {}:\n", t.conflicts.size(), t.conflicts.size() == 1 ? "" : "s", t.name);
    std::size_t shown = 0;
    for (const ConflictText& c : t.conflicts) {
      if (++shown > kShown) {
        out += fmt::format("  … and {} more (--json has all)\n", t.conflicts.size() - kShown);
        break;
      }
      out += fmt::format("  {}\n    along {}: {}\n", c.operation, c.axis, c.reason);
    }
  }
  if (!p.by_offsets.empty()) {
    const std::size_t n = p.by_offsets.size();
    out += fmt::format("\n{} operation{} of which each device does its part by its offset:\n", n, n == 1 ? "" : "s");
    for (std::size_t k = 0; k < n && k < kShown; ++k) out += "  " + p.by_offsets[k] + "\n";
    if (n > kShown) out += fmt::format("  … and {} more (--json has all)\n", n - kShown);
  }
  for (const auto& [what, texts] : p.explanations) {
    out += fmt::format("\n{}:\n", what);
    for (std::size_t k = 0; k < texts.size() && k < kShown; ++k) out += texts[k];
    if (texts.size() > kShown) out += fmt::format("… and {} more (--json has all)\n", texts.size() - kShown);
  }
  if (p.flops_sequential > 0) {
    out += fmt::format("\nwork: {:.4g} FLOPs on each device, {:.4g} in sequence ({:.1f} %)\n", p.flops_per_device,
                       p.flops_sequential, 100 * p.flops_per_device / p.flops_sequential);
  } else {
    out += "\nwork: no arithmetic\n";
  }
  if (!p.tactics.empty() && p.tactics.back().simulation) {
    out += fmt::format("\n{:<12}{:>11}{:>13}{:>12}{:>12}{:>15}{:>10}{:>12}{:>7}\n", "after", "step", "no overlap",
                       "arithmetic", "memory", "communication", "exposed", "peak mem", "MFU");
    for (const TacticReport& t : p.tactics) {
      const Simulation& s = *t.simulation;
      out += fmt::format("{:<12}{:>11}{:>13}{:>12}{:>12}{:>15}{:>10}{:>12}{:>6.1f}%{}\n", t.name,
                         seconds_text(s.overlapped), seconds_text(s.sequential), seconds_text(s.compute),
                         seconds_text(s.memory), seconds_text(s.communication), seconds_text(s.exposed()),
                         bytes_text(total(s.peak)), 100 * utilization_of(s), s.fits() ? "" : "  does not fit");
    }
    const bool checked = p.judgement.verdict == Verdict::proved || p.judgement.verdict == Verdict::passed;
    out += fmt::format("\nafter {}, {}{}", p.tactics.back().name,
                       checked ? "the program that was checked, " : "a program whose types alone were checked, ",
                       simulation_text(*p.tactics.back().simulation));
  }
  out += check_text(p, style);
  const std::string lost = text_of(lost_parallelism(p));
  return lost.empty() ? out : out + style.bad(lost.substr(0, lost.find('\n'))) + lost.substr(lost.find('\n'));
}

}  // namespace partir
