// Simulations as JSON, as human-readable text, and as the data of a report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "semantics/interpreter.h"
#include "simulate/simulate.h"
#include "tools/commands.h"

namespace partir {

/// Returns the options that the command line requests: --mesh, --link batch=network, --topology 4x4x4 and so on.
/// Errors: invalid values.
Result<SimulationOptions> simulation_options(const std::optional<std::string>& mesh,
                                             const SimulationArguments& arguments, const Device& device);

/// The message of --must-fit if a program exceeds the device's memory; empty if it fits.
std::string does_not_fit(const std::string& program, const Simulation& simulation);

/// Model-FLOPs utilisation if the model's FLOPs are known, else the device's own matrix FLOPs relative to the peak.
double utilization_of(const Simulation& simulation);

/// Returns {"device", "mesh", "seconds": {"overlapped", "sequential", "compute", …}, "flops", "utilization",
/// "collectives", "axis_bytes", "memory": {"peak", "by_kind", "live", …}, "notes"}: seconds, bytes and FLOPs of one
/// device in one step.
nlohmann::ordered_json simulation_json(const Simulation& simulation);

/// Returns at most `points` moments of the memory timeline, including the peak.
nlohmann::ordered_json timeline_json(const Simulation& simulation, std::size_t points);

/// The arguments and results: name, global shape, and the mesh axes of each dimension.
nlohmann::ordered_json arrays_json(const ModuleLayout& layout, const Names& names);

/// The main figures as text.
std::string simulation_text(const Simulation& simulation);

/// Examples: "1.24 s", "3.1 ms"; "17.2 GB"; "4.59 TFLOP".
std::string seconds_text(double seconds);
std::string bytes_text(double bytes);
std::string flops_text(double flops);

}  // namespace partir
