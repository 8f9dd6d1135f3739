// `partir simulate`: simulates partitioned modules and ranks them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "ir/text/print.h"
#include "rewrite/json_text.h"
#include "simulate/chakra.h"
#include "simulate/report.h"
#include "support/file.h"
#include "support/version.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/inputs.h"
#include "tools/simulation_json.h"
#include "tools/style.h"

namespace partir {
namespace {

struct Simulated {
  std::string program;
  ModuleLayout layout;
  Names names;
  Simulation simulation;
};

/// Writes the module with its main recomputed (`--remat -o`).
Result<void> write_recomputed(Module module, const Names& names, Recomputation policy, const std::string& path) {
  for (Function& f : module.functions) {
    if (&f != *module.main()) continue;
    auto recomputed = recompute(f, names, policy);
    if (!recomputed) return tl::unexpected(recomputed.error());
    f = std::move(recomputed->function);
    break;
  }
  return write_file(path, print_module(module));
}

Result<Simulated> simulate_file(const std::string& path, const Device& device, const SimulateArguments& a,
                                const SimulationOptions& options) {
  const auto in_file = [&](Diagnostic d) {
    if (d.file.empty()) d.file = input_name(path);
    return tl::unexpected(std::move(d));
  };
  auto module = module_in(path);
  if (!module) return in_file(module.error());
  auto inlined = inline_calls(std::move(*module));
  if (!inlined) return in_file(inlined.error());
  Simulated out;
  out.program = std::filesystem::path(input_name(path)).stem().string();
  auto layout = module_layout(*inlined);
  if (!layout) return in_file(layout.error());
  out.layout = std::move(*layout);
  auto beside = names_text(path, a.names);
  if (!beside) return tl::unexpected(beside.error());
  auto names = names_of_partitioned(*inlined, beside->text, beside->file);
  if (!names) return in_file(names.error());
  out.names = std::move(*names);
  if (a.output) {
    if (auto ok = write_recomputed(*inlined, out.names, options.remat, *a.output); !ok) return in_file(ok.error());
  }
  auto simulation = simulate(*inlined, out.names, device, options);
  if (!simulation) return in_file(simulation.error());
  out.simulation = std::move(*simulation);
  out.simulation.notes.insert(
      out.simulation.notes.begin(),
      "this module was not checked in this run: `partir partition --device` simulates what it has checked");
  return out;
}

std::string comparison(const std::vector<Simulated>& all, const std::vector<std::size_t>& order) {
  std::string out =
      fmt::format("\n{:<6}{:<28}{:>11}{:>13}{:>12}{:>12}{:>15}{:>9}{:>12}{:>7}\n", "rank", "program", "step",
                  "no overlap", "arithmetic", "memory", "communication", "exposed", "peak mem", "MFU");
  std::size_t rank = 0;
  for (const std::size_t i : order) {
    const Simulation& s = all[i].simulation;
    out += fmt::format("{:<6}{:<28}{:>11}{:>13}{:>12}{:>12}{:>15}{:>9}{:>12}{:>6.1f}%{}\n", ++rank, all[i].program,
                       seconds_text(s.overlapped), seconds_text(s.sequential), seconds_text(s.compute),
                       seconds_text(s.memory), seconds_text(s.communication), seconds_text(s.exposed()),
                       bytes_text(total(s.peak)), 100 * utilization_of(s), s.fits() ? "" : "  does not fit");
  }
  return out;
}

}  // namespace

Result<SimulationOptions> simulation_options(const std::optional<std::string>& mesh, const SimulationArguments& a,
                                             const Device& device) {
  SimulationOptions out;
  if (mesh) {
    auto parsed = Mesh::parse(*mesh);
    if (!parsed) return tl::unexpected(parsed.error());
    out.mesh = std::move(*parsed);
  }
  for (const std::string& text : a.links) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return wrong_usage("--link " + text, "--link batch=network,model=nvlink");
    out.network.links.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const std::string& what : a.offload)
    (what == "activations" ? out.offload.activations : out.offload.optimizer_state) = true;
  out.remat = *recomputation_named(a.remat);
  const std::string& topology = a.topology;
  out.model_flops = a.model_flops;
  auto software = find_software(a.software);
  if (!software) return tl::unexpected(software.error());
  out.software = std::move(*software);
  if (a.fused_attention && out.software.attention_on(device.name) == nullptr) out.software.attention[device.name] = {};
  out.events = a.trace.has_value() || a.chakra.has_value();
  std::size_t start = 0;
  while (!topology.empty() && start <= topology.size()) {
    const std::size_t x = std::min(topology.find('x', start), topology.size());
    std::int64_t length = 0;
    const auto [end, ec] = std::from_chars(topology.data() + start, topology.data() + x, length);
    if (ec != std::errc() || end != topology.data() + x || length < 1 || length > 1 << 20)
      return wrong_usage("--topology " + topology, "--topology 4x4x4");
    out.network.topology.push_back(length);
    start = x + 1;
  }
  if (out.network.topology.size() > 6)
    return wrong_usage("--topology " + topology, "--topology of at most 6 dimensions");
  return out;
}

Result<ExitStatus> simulate_command(const SimulateArguments& a, const std::string& json) {
  if (a.calibrate) return calibrate_command(a);
  if (a.programs.empty()) return wrong_usage("no program", "partitioned modules, or --calibrate MEASURED.csv");
  if (a.output && a.simulation.remat == "none")
    return wrong_usage("-o without --calibrate or --remat",
                       "--calibrate MEASURED.csv, --remat full, or --json and --report");
  if (a.output && a.programs.size() != 1) return wrong_usage("-o with several programs", "-o with one");
  CommandFiles files;
  for (const std::string& path : a.programs) files.reads_program(path, a.names);
  files.writes("--report", a.simulation.report);
  files.writes("--trace", a.simulation.trace);
  files.writes("--chakra", a.simulation.chakra);
  files.writes("-o", a.output);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  if (a.simulation.trace && a.programs.size() != 1)
    return wrong_usage("--trace with several programs", "--trace with one");
  if (a.simulation.chakra && a.programs.size() != 1)
    return wrong_usage("--chakra with several programs", "--chakra with one");
  const auto device = find_device(a.device);
  if (!device) return tl::unexpected(device.error());
  auto options = simulation_options(a.mesh, a.simulation, *device);
  if (!options) return tl::unexpected(options.error());
  std::FILE* people = files.people();
  const bool terminal = rewrites_lines(stderr);
  std::vector<Simulated> all;
  for (const std::string& program : a.programs) {
    if (terminal) fmt::print(stderr, "simulating {} …\r", program);
    auto one = simulate_file(program, *device, a, *options);
    if (terminal) fmt::print(stderr, "\033[K");
    if (!one) return tl::unexpected(one.error());
    all.push_back(std::move(*one));
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < all.size(); ++i) order.push_back(i);
  // Programs that fit come first, then by time.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const Simulation& s = all[x].simulation;
    const Simulation& t = all[y].simulation;
    return s.fits() != t.fits() ? s.fits() : s.overlapped < t.overlapped;
  });
  Json out = {{"device", device->name}, {"programs", Json::array()}, {"ranking", Json::array()}};
  Json page = out;
  for (const Simulated& one : all) {
    fmt::print(people, "{} {}", one.program, simulation_text(one.simulation));
    Json entry = {{"program", one.program}};
    entry.update(simulation_json(one.simulation));
    out["programs"].push_back(entry);
    entry["name"] = one.program;
    entry["timeline"] = timeline_json(one.simulation, 600);
    entry["arrays"] = arrays_json(one.layout, one.names);
    page["programs"].push_back(std::move(entry));
  }
  for (const std::size_t i : order) out["ranking"].push_back(all[i].program);
  page["ranking"] = out["ranking"];
  page["command"] = a.simulation.command;
  page["version"] = kVersion;
  if (all.size() > 1) fmt::print(people, "{}", comparison(all, order));
  if (a.simulation.trace) {
    if (auto ok = write_file(*a.simulation.trace, chrome_trace(all[0].simulation)); !ok)
      return tl::unexpected(ok.error());
  }
  if (a.simulation.chakra) {
    if (auto ok = write_chakra(all[0].simulation, *a.simulation.chakra); !ok) return tl::unexpected(ok.error());
  }
  if (a.simulation.report) {
    if (auto ok =
            write_file(*a.simulation.report, report_page(all.size() == 1 ? all[0].program : "Comparison", page.dump()));
        !ok)
      return tl::unexpected(ok.error());
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, out.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  if (!a.simulation.must_fit) return ExitStatus::done;
  std::string too_much;
  for (const Simulated& one : all) too_much += does_not_fit(one.program, one.simulation);
  fmt::print(stderr, "{}", too_much);
  return too_much.empty() ? ExitStatus::done : ExitStatus::refuted;
}

}  // namespace partir
