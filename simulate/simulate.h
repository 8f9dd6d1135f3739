// Simulates a step of a partitioned module on a device: time, memory and communication, derived from its operations.
// Called by `partir simulate`, and by driver/ for the cost of each tactic.
//
// The module is the device-local program (explicit collectives, partir.mesh and partir.sharding as `partition` writes
// them). docs/simulator.md describes what the model includes and omits.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/names.h"
#include "simulate/groups.h"
#include "simulate/memory_kinds.h"
#include "simulate/network.h"
#include "simulate/offload.h"
#include "simulate/recompute.h"
#include "simulate/software.h"

namespace partir {

struct SimulationOptions {
  NetworkOptions network;
  std::optional<Mesh> mesh;  ///< overrides the module's partir.mesh
  /// Matrix FLOPs of a step of the whole model, for model-FLOPs utilisation; defaults to the module's
  /// partir.model_flops.
  std::optional<double> model_flops;
  Software software;                          ///< the software that runs the step
  OffloadOptions offload;                     ///< what is kept in the host's memory
  Recomputation remat = Recomputation::none;  ///< what the backward pass recomputes
  bool events = false;                        ///< record Simulation::events
};

/// The cost of equal collectives of a program, grouped.
struct CollectiveCost {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<std::string> axes;  ///< outermost first; empty: groups that are not along axes of the mesh
  std::int64_t group = 1;         ///< devices that take part
  std::string type;               ///< of the larger side
  double bytes = 0;               ///< of the larger side, on each device
  std::int64_t count = 0;         ///< number in the program
  std::int64_t executed = 0;      ///< executions per step; more than `count` if in a loop
  double seconds = 0;             ///< of one execution
  double sent = 0;                ///< bytes that each device sends for one execution
  std::string why;                ///< why the first of them exists (simulate/reasons.h)
  Place place;
};

/// An interval of the simulated step on a track, which is "compute" or the name of a mesh axis.
struct StepEvent {
  std::string name;
  std::string track;
  std::string detail;
  std::optional<CollectiveKind> collective;
  double bytes = 0;                  ///< of a collective, the larger side; of a kernel, reads and writes
  double flops = 0;                  ///< of a kernel
  std::vector<std::uint32_t> after;  ///< indices of the events of the same block whose results it reads
  std::vector<bool> involved;        ///< of a collective: by axis of the mesh, outermost first, whether it is along it
  std::shared_ptr<const DeviceGroups> groups;  ///< of a collective: its groups, or the pairs of a permute
  std::uint32_t inner = 0;                     ///< of a loop: the number of events after it that are its iteration's
  std::int64_t times = 1;                      ///< of a loop: its iterations
  double start = 0;
  double seconds = 0;
};

struct NamedBuffer {
  std::string name;  ///< name of an argument, or the operation that defines the value
  MemoryKind kind = MemoryKind::activations;
  std::string type;
  double bytes = 0;
};

/// A loop that shifts its values by one device per iteration: a pipeline whose stages process microbatches one after
/// the other. In stages - 1 of its iterations (the bubble) a stage has no microbatch.
struct Pipeline {
  std::string axis;
  std::int64_t stages = 1;
  std::int64_t iterations = 1;  ///< of each loop
  std::int64_t loops = 1;       ///< number of such loops: for example one forward, one backward
  double seconds = 0;           ///< total of these loops
  [[nodiscard]] std::int64_t microbatches() const { return iterations - stages + 1; }
  /// Share of the loops' time spent in the bubble (arXiv 1811.06965, section 2; 2104.04473, section 2.2, divides by the
  /// rest).
  [[nodiscard]] double bubble() const { return static_cast<double>(stages - 1) / static_cast<double>(iterations); }
};

struct MemoryMoment {
  double seconds = 0;  ///< from the start of the step, without overlap
  MemoryByKind bytes{};
};

struct Simulation {
  std::string device;
  Mesh mesh;
  std::vector<std::string> axis_links;  ///< the links that each mesh axis uses

  // Seconds of a step on each device.
  double compute = 0;        ///< kernels limited by arithmetic
  double memory = 0;         ///< kernels limited by memory traffic, and copies for collectives
  double launch = 0;         ///< kernel launches
  double communication = 0;  ///< collectives, without overlap
  double sequential = 0;     ///< the sum of these
  double overlapped = 0;     ///< time of the step when collectives overlap with independent kernels
  /// Communication that nothing hides: 0 where the difference is one of rounding.
  [[nodiscard]] double exposed() const {
    const double rest = overlapped - offloaded.seconds - (compute + memory + launch);
    return rest > 1e-9 * overlapped ? rest : 0;
  }
  /// Its seconds are included in `overlapped`; `timeline` and `live` describe the step without offload.
  Offloaded offloaded;

  std::vector<Pipeline> pipelines;

  double flops = 0;                         ///< of one device
  double matrix_flops = 0;                  ///< part of `flops`: matrix products and convolutions
  double memory_traffic = 0;                ///< bytes that one device reads and writes
  double peak_flops = 0;                    ///< peak FLOP/s of the type that most matrix FLOPs have
  double hardware_utilization = 0;          ///< matrix_flops / (peak_flops x overlapped)
  std::optional<double> model_utilization;  ///< the same with the model's FLOPs, if known
  std::int64_t kernels = 0;                 ///< number of executed kernels

  std::vector<CollectiveCost> collectives;   ///< by total seconds, descending
  std::map<std::string, double> axis_bytes;  ///< bytes that each device sends along an axis in a step

  double device_memory = 0;
  MemoryByKind arguments{};
  MemoryByKind peak{};
  double peak_seconds = 0;
  std::vector<NamedBuffer> live;       ///< at the peak, largest first
  std::vector<MemoryMoment> timeline;  ///< at each kernel of the main function
  double slack = 0;  ///< bytes beyond the peak for gathers issued early and for allocator gaps (slack_of in step.h)
  double gaps = 0;   ///< part of `slack`: allocator gaps
  /// Bytes of memory that remain; negative if the step does not fit.
  [[nodiscard]] double margin() const { return device_memory - total(peak) - slack; }
  [[nodiscard]] bool fits() const { return margin() >= 0; }

  std::vector<StepEvent> events;
  std::vector<std::string> notes;  ///< assumptions made where something is unknown
};

/// Errors: no main function, operations other than StableHLO, invalid sharding attributes, links and topologies that do
/// not fit the mesh, a type that the device cannot compute with, offload on a device without a host link.
Result<Simulation> simulate(const Module& module, const Names& names, const Device& device,
                            const SimulationOptions& options);

/// Matrix FLOPs of one execution of a function, which need not be partitioned.
double matrix_flops_of(const Function& function);

/// Reads the names of a partitioned module. The names file refers to the global shapes.
Result<Names> names_of_partitioned(const Module& module, const std::optional<std::string>& json,
                                   const std::string& file);

/// The step as a JSON trace for Perfetto and chrome://tracing. Requires `events`.
std::string chrome_trace(const Simulation& simulation);

}  // namespace partir
