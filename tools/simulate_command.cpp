#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "ir/text/read.h"
#include "simulate/report.h"
#include "support/file.h"
#include "tools/commands.h"
#include "tools/simulation_json.h"

namespace partir {
namespace {

using Json = nlohmann::ordered_json;

tl::unexpected<Diagnostic> usage(std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"usage", found, {}, found, std::move(wanted)});
}

struct Simulated {
  std::string program;
  Layout layout;
  Names names;
  Simulation simulation;
};

Result<Simulated> simulate_file(const std::string& path, const Device& device, const SimulateArguments& a,
                                const SimulationOptions& options) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto in_file = [&](Diagnostic d) {
    if (d.file.empty()) d.file = path;
    return tl::unexpected(std::move(d));
  };
  auto module = read_module(*text, path);
  if (!module) return in_file(module.error());
  auto inlined = inline_calls(std::move(*module));
  if (!inlined) return in_file(inlined.error());
  Simulated out;
  out.program = std::filesystem::path(path).stem().string();
  auto layout = layout_of(*inlined);
  if (!layout) return in_file(layout.error());
  out.layout = std::move(*layout);
  std::optional<std::string> json;
  const std::string beside = std::filesystem::path(path).replace_extension(".json").string();
  std::error_code ec;
  const std::string names_file = a.names ? *a.names : beside;
  if (a.names || std::filesystem::exists(beside, ec)) {
    auto content = read_file(names_file);
    if (!content) return tl::unexpected(content.error());
    // Beside a module there may also be another command's JSON.
    if (a.names || content->find("\"args\"") != std::string::npos) json = std::move(*content);
  }
  auto names = names_of_partitioned(*inlined, json, names_file);
  if (!names) return in_file(names.error());
  out.names = std::move(*names);
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
                       bytes_text(total(s.peak)), 100 * s.model_utilization.value_or(s.hardware_utilization),
                       s.fits() ? "" : "  does not fit");
  }
  return out;
}

}  // namespace

Result<SimulationOptions> simulation_options(const std::optional<std::string>& mesh,
                                             const std::vector<std::string>& links, const std::string& topology) {
  SimulationOptions out;
  if (mesh) {
    auto parsed = Mesh::parse(*mesh);
    if (!parsed) return tl::unexpected(parsed.error());
    out.mesh = std::move(*parsed);
  }
  for (const std::string& text : links) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return usage(text, "--link batch=network,model=nvlink");
    out.network.links.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::size_t start = 0;
  while (!topology.empty() && start <= topology.size()) {
    const std::size_t x = std::min(topology.find('x', start), topology.size());
    std::int64_t length = 0;
    const auto [end, ec] = std::from_chars(topology.data() + start, topology.data() + x, length);
    if (ec != std::errc() || end != topology.data() + x || length < 1 || length > 1 << 20)
      return usage(topology, "--topology 4x4x4");
    out.network.topology.push_back(length);
    start = x + 1;
  }
  if (out.network.topology.size() > 6) return usage(topology, "--topology of at most 6 dimensions");
  return out;
}

Result<int> simulate_command(const SimulateArguments& a, const std::string& json) {
  if (a.calibrate) return calibrate_command(a);
  if (a.programs.empty()) return usage("no program", "partitioned modules, or --calibrate MEASURED.csv");
  if (a.chakra && a.programs.size() != 1) return usage("--chakra with several programs", "--chakra with one");
  for (const auto* path : {&a.trace, &a.report, &a.chakra}) {
    if (!*path) continue;
    if (auto ok = check_writable(**path); !ok) return tl::unexpected(ok.error());
  }
  if (!json.empty()) {
    if (auto ok = check_writable(json); !ok) return tl::unexpected(ok.error());
  }
  if (a.trace && a.programs.size() != 1) return usage("--trace with several programs", "--trace with one");
  const auto device = find_device(a.device);
  if (!device) return tl::unexpected(device.error());
  auto options = simulation_options(a.mesh, a.links, a.topology);
  if (!options) return tl::unexpected(options.error());
  options->model_flops = a.model_flops;
  auto software = find_software(a.software);
  if (!software) return tl::unexpected(software.error());
  options->software = std::move(*software);
  if (a.fused_attention && options->software.attention_on(device->name) == nullptr)
    options->software.attention[device->name] = {};
  options->events = a.trace.has_value() || a.chakra.has_value();
  FILE* people = json == "-" || a.trace == "-" || a.report == "-" ? stderr : stdout;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
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
  // What fits before what does not, then by time.
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
  if (all.size() > 1) fmt::print(people, "{}", comparison(all, order));
  if (a.trace) {
    if (auto ok = write_file(*a.trace, chrome_trace(all[0].simulation)); !ok) return tl::unexpected(ok.error());
  }
  if (a.chakra) {
    if (auto ok = write_file(*a.chakra, chakra_trace(all[0].simulation)); !ok) return tl::unexpected(ok.error());
  }
  if (a.report) {
    if (auto ok = write_file(*a.report, report_page(all.size() == 1 ? all[0].program : "Comparison", page.dump())); !ok)
      return tl::unexpected(ok.error());
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, out.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  const bool fits = std::all_of(all.begin(), all.end(), [](const Simulated& s) { return s.simulation.fits(); });
  return a.must_fit && !fits ? 1 : 0;
}

}  // namespace partir
