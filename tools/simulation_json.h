// Simulations as JSON, as text for people, and as the data of a report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "semantics/interpreter.h"
#include "simulate/simulate.h"
#include "tools/commands.h"

namespace partir {

/// Of a command line: --mesh, --link batch=network (as often as needed), --topology 4x4x4. Errors: what does not read.
Result<SimulationOptions> simulation_options(const std::optional<std::string>& mesh,
                                             const SimulationArguments& arguments, const Device& device);

/// For --must-fit: why a program exceeds its device's memory, as a line of text; empty where it fits.
std::string does_not_fit(const std::string& program, const Simulation& simulation);

/// Model-FLOPs utilisation where the model's FLOPs are known, else what share of the peak the device's own are.
double utilization_of(const Simulation& simulation);

/// {"device", "mesh", "seconds": {"overlapped", "sequential", "compute", …}, "flops", "utilization", "collectives",
/// "axis_bytes", "memory": {"peak", "by_kind", "live", …}, "notes"}: seconds, bytes, FLOPs of one device and one step.
nlohmann::ordered_json simulation_json(const Simulation& simulation);

/// At most `points` moments of the memory's timeline, the peak among them.
nlohmann::ordered_json timeline_json(const Simulation& simulation, std::size_t points);

/// Arguments and results: name, global and local shape, axes of the mesh per dimension.
nlohmann::ordered_json arrays_json(const ModuleLayout& layout, const Names& names);

/// The main figures, as a screenful of text.
std::string simulation_text(const Simulation& simulation);

/// "1.24 s", "3.10 ms"; "17.2 GB"; "4.59 TFLOP".
std::string seconds_text(double seconds);
std::string bytes_text(double bytes);
std::string flops_text(double flops);

}  // namespace partir
