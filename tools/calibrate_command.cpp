// `partir simulate --calibrate MEASURED.csv --device BASE -o DEVICE.json`: makes a device file from measurements.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "ir/text/read.h"
#include "simulate/calibrate.h"
#include "simulate/simulate.h"
#include "support/file.h"
#include "tools/command_files.h"
#include "tools/commands.h"

namespace partir {
namespace {

/// Simulates each measured step on a device and returns the seconds.
Result<std::vector<double>> step_seconds(const std::vector<Measurement>& steps, const std::string& file,
                                         const Device& device) {
  std::vector<double> out;
  for (const Measurement& m : steps) {
    const auto path = std::filesystem::path(file).parent_path() / m.module;
    const auto text = read_file(path.string());
    if (!text) return tl::unexpected(text.error());
    auto module = read_module(*text, path.string());
    if (!module) return tl::unexpected(module.error());
    auto inlined = inline_calls(std::move(*module));
    if (!inlined) return tl::unexpected(inlined.error());
    const auto simulation = simulate(*inlined, {}, device, {});
    if (!simulation) return tl::unexpected(simulation.error());
    out.push_back(simulation->overlapped);
  }
  return out;
}

}  // namespace

Result<ExitStatus> calibrate_command(const SimulateArguments& a) {
  if (!a.programs.empty()) {
    return wrong_usage("--calibrate with programs, as " + a.programs[0], "steps as rows of kind step");
  }
  const std::string output = a.output.value_or("-");
  CommandFiles files;
  files.reads(a.calibrate);
  files.writes("-o", output);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  const auto base = find_device(a.device);
  if (!base) return tl::unexpected(base.error());
  const auto text = read_file(*a.calibrate);
  if (!text) return tl::unexpected(text.error());
  const auto measured = read_measurements(*text, *a.calibrate);
  if (!measured) return tl::unexpected(measured.error());
  const std::string name = output == "-" ? "measured" : std::filesystem::path(output).stem().string();
  auto json = calibrated(*measured, *base, name, *a.calibrate);
  if (!json) return tl::unexpected(json.error());
  std::vector<Measurement> steps;
  for (const Measurement& m : *measured) {
    if (m.kind == "step") steps.push_back(m);
  }
  std::FILE* people = files.people();
  if (!steps.empty()) {
    auto device = read_device(*json, output);
    if (!device) return tl::unexpected(device.error());
    double factor = 1;
    // Launches and collectives do not scale, so this takes a few rounds to converge.
    for (int round = 0; round < 4; ++round) {
      const auto seconds = step_seconds(steps, *a.calibrate, scaled(*device, factor));
      if (!seconds) return tl::unexpected(seconds.error());
      double log = 0;
      for (std::size_t k = 0; k < steps.size(); ++k) log += std::log((*seconds)[k] / steps[k].seconds);
      factor *= std::exp(log / static_cast<double>(steps.size()));
    }
    *json = device_json(scaled(*device, factor),
                        fmt::format("measured: {}, scaled by {:.3f} to its steps; what it lacks is as {}", *a.calibrate,
                                    factor, base->name));
    fmt::print(people, "{} steps: products and memory {:.3f} times as fast as measured by themselves\n", steps.size(),
               factor);
  }
  if (auto ok = write_file(output, *json); !ok) return tl::unexpected(ok.error());
  fmt::print(people, "{} measurements of {}, the rest as {}\n", measured->size(), *a.calibrate, base->name);
  return ExitStatus::done;
}

}  // namespace partir
