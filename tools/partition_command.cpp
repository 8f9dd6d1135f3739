// `partir partition`: partitions a program by a schedule, checks it, and writes the result and the reports.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "driver/partition.h"
#include "rewrite/json_text.h"
#include "rewrite/sub_axes.h"
#include "search/automatic.h"
#include "simulate/chakra.h"
#include "simulate/report.h"
#include "support/file.h"
#include "support/near.h"
#include "support/version.h"
#include "tools/clock.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/inputs.h"
#include "tools/partition_report.h"
#include "tools/search_progress.h"
#include "tools/shardings.h"
#include "tools/simulation_json.h"
#include "tools/style.h"

namespace partir {
namespace {

/// Returns the first option given that has an effect only with --device; null if there is none.
const char* needs_device(const SimulationArguments& s) {
  return s.trace               ? "--trace"
         : s.chakra            ? "--chakra"
         : s.software != "xla" ? "--software"
         : !s.links.empty()    ? "--link"
         : !s.topology.empty() ? "--topology"
         : s.model_flops       ? "--model-flops"
         : s.fused_attention   ? "--fused-attention"
         : s.remat != "none"   ? "--remat"
         : !s.offload.empty()  ? "--offload"
         : s.must_fit          ? "--must-fit"
                               : nullptr;
}

/// An assertion on the number of collectives of a kind, optionally along one axis.
struct Assertion {
  std::string text;
  std::size_t kind = 0;
  std::string axis;
  std::int64_t count = 0;
};

Result<std::vector<Assertion>> assertions_of(const PartitionArguments& a) {
  std::vector<Assertion> out;
  const std::vector<std::string> kinds(CollectiveCounts::kinds.begin(), CollectiveCounts::kinds.end());
  const auto wrong = [&](const std::string& text, const char* wanted) {
    const std::string kind = text.substr(0, text.find_first_of("=:"));
    const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    return wrong_usage(text, known ? wanted : meant(kind, kinds, wanted));
  };
  const auto kind_of = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), name) - kinds.begin());
  };
  for (const std::string& text : a.expect) {
    const auto equals = text.find('=');
    Assertion assertion{text, kind_of(text.substr(0, equals)), "", 0};
    const char* end = text.data() + text.size();
    const bool number = equals != std::string::npos && equals + 1 < text.size() &&
                        std::from_chars(text.data() + equals + 1, end, assertion.count).ptr == end;
    if (!number || assertion.kind == CollectiveCounts::kinds.size()) return wrong(text, "--expect all_reduce=418");
    out.push_back(std::move(assertion));
  }
  for (const std::string& text : a.forbid) {
    const auto colon = text.find(':');
    Assertion assertion{text, kind_of(text.substr(0, colon)), colon == std::string::npos ? "" : text.substr(colon + 1),
                        0};
    if (assertion.kind == CollectiveCounts::kinds.size())
      return wrong(text, "--forbid all_gather or --forbid all_gather:batch");
    out.push_back(std::move(assertion));
  }
  return out;
}

/// Returns an error if an assertion names an axis that the mesh does not have: such an assertion would always hold.
std::optional<Diagnostic> unknown_axis(const std::vector<Assertion>& assertions, const Partition& p) {
  const Mesh& mesh = p.mesh;
  std::vector<std::string> axes;
  for (const auto& a : mesh.axes()) axes.push_back(a.name);
  for (const Assertion& a : assertions) {
    const auto is_part = [&](const UsedPart& part) { return part.axis == a.axis; };
    if (a.axis.empty() || mesh.find(a.axis) || std::any_of(p.parts.begin(), p.parts.end(), is_part)) continue;
    return Diagnostic{"usage",
                      a.text,
                      {},
                      fmt::format("axis '{}'", a.axis),
                      meant(a.axis, axes, "an axis of the mesh " + mesh.str())};
  }
  return std::nullopt;
}

/// Returns one line for each assertion that does not hold.
std::string violated(const std::vector<Assertion>& assertions, const Partition& p) {
  std::string out;
  for (const Assertion& a : assertions) {
    std::int64_t got = p.collectives.counts[a.kind];
    if (!a.axis.empty()) {
      got = 0;
      const auto count = [&](const std::string& axis) {
        const auto it = p.collectives_by_axis.find({std::string(CollectiveCounts::kinds[a.kind]), axis});
        if (it != p.collectives_by_axis.end()) got += it->second;
      };
      count(a.axis);
      for (const UsedPart& part : p.parts) {  // an axis that is used in parts
        if (part.axis == a.axis) count(part.name);
      }
    }
    if (got != a.count) out += fmt::format("asserted {}: there are {}\n", a.text, got);
  }
  return out;
}

/// Replaces the tactics that request a search by those that the search finds.
Result<void> carry_out_searches(PartitionInput& input) {
  if (input.by_annotations) return {};
  auto schedule = read_schedule(input.schedule, input.schedule_file);
  if (!schedule) return tl::unexpected(schedule.error());
  const auto asks = [](const Tactic& t) { return t.search.has_value(); };
  if (std::none_of(schedule->tactics.begin(), schedule->tactics.end(), asks)) return {};
  auto mesh = mesh_of(input, *schedule);
  if (!mesh) return tl::unexpected(mesh.error());
  if (auto ok = split_sub_axes(*schedule, *mesh); !ok) return tl::unexpected(ok.error());
  const auto session = Session::open(input, *mesh);
  if (!session) return tl::unexpected(session.error());
  ProgressLine line;
  AutomaticOptions options;
  options.now = seconds_now;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  options.network = input.simulation.network;
  options.progress = [&](const SearchProgress& p) { line(p); };
  auto found = searched(*schedule, *session, options);
  if (!found) return tl::unexpected(found.error());
  input.mesh = mesh->str();
  input.schedule = schedule_json(*found);
  input.given_schedule = std::move(*found);
  return {};
}

}  // namespace

tl::unexpected<Diagnostic> wrong_usage(std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"usage", "partir", {}, std::move(found), std::move(wanted)});
}

std::string error_json(const Diagnostic& d) {
  const Json out = {{"error",
                     {{"file", d.file},
                      {"line", d.place.line},
                      {"column", d.place.column},
                      {"found", d.found},
                      {"wanted", d.wanted},
                      {"code", d.code}}}};
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ExitStatus> partition_command(const PartitionArguments& a, const std::string& json) {
  const double start = seconds_now();
  CommandFiles files;
  files.reads_program(a.program, a.names);
  files.reads(a.schedule);
  files.writes("-o", a.output);
  files.writes("--certificate", a.certificate);
  files.writes("--report", a.simulation.report);
  files.writes("--trace", a.simulation.trace);
  files.writes("--chakra", a.simulation.chakra);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  const auto assertions = assertions_of(a);
  if (!assertions) return tl::unexpected(assertions.error());
  auto source = read_program(a.program, a.names);
  if (!source) return tl::unexpected(source.error());
  PartitionInput input;
  static_cast<ProgramInput&>(input) = std::move(*source);
  if (a.schedule) {
    auto schedule = read_file(*a.schedule);
    if (!schedule) return tl::unexpected(schedule.error());
    input.schedule = std::move(*schedule);
    input.schedule_file = input_name(*a.schedule);
  } else if (a.ignore_annotations) {
    return tl::unexpected(Diagnostic{"usage",
                                     "--ignore-annotations",
                                     {},
                                     "--ignore-annotations without --schedule",
                                     "a schedule, or the annotations that are one"});
  }
  input.by_annotations = !a.schedule;
  input.ignore_annotations = a.ignore_annotations;
  input.ignoring = "--ignore-annotations";
  if (a.device) {
    auto device = find_device(*a.device);
    if (!device) return tl::unexpected(device.error());
    input.device = std::move(*device);
    auto options = simulation_options(std::nullopt, a.simulation, *input.device);
    if (!options) return tl::unexpected(options.error());
    input.simulation = std::move(*options);
  } else if (const char* option = needs_device(a.simulation)) {
    return wrong_usage(fmt::format("{} without --device", option), "the device to simulate on");
  }
  input.mesh = a.mesh;
  input.after = a.after;
  input.check = !a.no_check;
  input.explain = a.explain;
  const Emit emit = a.emit == "core"   ? Emit::core
                    : a.emit == "spmd" ? Emit::spmd
                    : a.emit == "sdy"  ? Emit::sdy
                                       : Emit::stablehlo;
  if (auto ok = carry_out_searches(input); !ok) return tl::unexpected(ok.error());
  const bool terminal = rewrites_lines(stderr);
  if (terminal) fmt::print(stderr, "partitioning {} …\r", a.program);
  const auto p = partition(input, emit, seconds_now);
  if (terminal) fmt::print(stderr, "\033[K");
  if (!p) return tl::unexpected(p.error());
  if (auto unknown = unknown_axis(*assertions, *p)) return tl::unexpected(std::move(*unknown));

  // If the partition is refuted or an assertion fails, only the JSON report is written, for inspection.
  const std::string not_held = violated(*assertions, *p);
  const bool refuted = p->judgement.verdict == Verdict::refuted || !not_held.empty();
  if (a.output && !refuted) {
    const std::string& program = emit == Emit::core   ? p->core
                                 : emit == Emit::spmd ? p->spmd
                                 : emit == Emit::sdy  ? p->sdy
                                                      : p->stablehlo;
    if (auto ok = write_file(*a.output, program); !ok) return tl::unexpected(ok.error());
  }
  if (a.certificate && !refuted) {
    if (auto ok = write_file(*a.certificate, to_json(p->certificate)); !ok) return tl::unexpected(ok.error());
  }
  fmt::print(files.people(), "{}", report_text(*p, Style::of(files.people())));
  if (a.shardings) fmt::print(files.people(), "\n{}", shardings_text(*p, Style::of(files.people())));
  if (a.simulation.report && !refuted) {
    Json page = page_json(*p, seconds_now() - start, input.schedule);
    page["command"] = a.simulation.command;
    page["version"] = kVersion;
    const std::string shown = page.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (auto ok = write_file(*a.simulation.report, report_page(p->name, shown)); !ok) return tl::unexpected(ok.error());
  }
  if (a.simulation.trace && !refuted && !p->tactics.empty()) {
    if (auto ok = write_file(*a.simulation.trace, chrome_trace(*p->tactics.back().simulation)); !ok)
      return tl::unexpected(ok.error());
  }
  if (a.simulation.chakra && !refuted && !p->tactics.empty()) {
    if (auto ok = write_chakra(*p->tactics.back().simulation, *a.simulation.chakra); !ok)
      return tl::unexpected(ok.error());
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, report_json(*p, seconds_now() - start).dump(1) + "\n"); !ok)
      return tl::unexpected(ok.error());
  }
  fmt::print(stderr, "{}", not_held);
  bool fits = true;
  if (a.simulation.must_fit && !p->tactics.empty()) {
    const std::string too_much = does_not_fit(p->name, *p->tactics.back().simulation);
    fits = too_much.empty();
    fmt::print(stderr, "{}", too_much);
  }
  return refuted || !fits ? ExitStatus::refuted : exit_status_of(p->judgement.verdict);
}

}  // namespace partir
