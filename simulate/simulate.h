// What a step of a partitioned module costs on a device: time, memory and communication, from its operations.
//
// The module is what each device runs (explicit collectives, partir.mesh and partir.sharding as `partition` writes
// them). docs/simulator.md says what the model takes in and what it leaves out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/names.h"
#include "simulate/memory_kinds.h"
#include "simulate/network.h"
#include "simulate/offload.h"
#include "simulate/software.h"

namespace partir {

struct SimulationOptions {
  NetworkOptions network;
  std::optional<Mesh> mesh;  ///< in place of the module's partir.mesh
  /// Matrix FLOPs of the whole model's step, for model-FLOPs utilisation; else the module's partir.model_flops.
  std::optional<double> model_flops;
  Software software;       ///< that runs the step
  OffloadOptions offload;  ///< what lies in the host's memory
  bool events = false;     ///< keep the timeline of kernels
};

/// Equal collectives of a program together.
struct CollectiveCost {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<std::string> axes;  ///< outermost first; empty: groups that are not along axes of the mesh
  std::int64_t group = 1;         ///< devices that meet
  std::string type;               ///< of the larger side
  double bytes = 0;               ///< of the larger side, on each device
  std::int64_t count = 0;         ///< in the program
  std::int64_t executed = 0;      ///< in a step
  double seconds = 0;             ///< of one
  double sent = 0;                ///< bytes that each device sends for one
  std::string why;                ///< of the first: where it comes from
  Place place;
};

/// An interval of the simulated step on a track: "compute", or a mesh axis.
struct StepEvent {
  std::string name;
  std::string track;
  std::string detail;
  std::optional<CollectiveKind> collective;
  double bytes = 0;                  ///< of a collective: of the larger side
  double flops = 0;                  ///< of a kernel
  std::vector<std::uint32_t> after;  ///< events of the same step whose results it reads
  double start = 0;
  double seconds = 0;
};

struct NamedBuffer {
  std::string name;  ///< an argument's name, or the operation that makes it
  MemoryKind kind = MemoryKind::activations;
  std::string type;
  double bytes = 0;
};

/// A loop through which values move on by a device in each iteration: stages that microbatches pass one behind the
/// other. Of its iterations stages - 1 are the bubble, in which a stage has nothing to work on.
struct Pipeline {
  std::string axis;
  std::int64_t stages = 1;
  std::int64_t iterations = 1;  ///< of the loop
  std::int64_t loops = 1;       ///< such loops: one forward, one back
  double seconds = 0;           ///< of all these loops
  [[nodiscard]] std::int64_t microbatches() const { return iterations - stages + 1; }
  /// Share of the loops' time (arXiv 1811.06965, section 2; 2104.04473, section 2.2, has it over that of the rest).
  [[nodiscard]] double bubble() const { return static_cast<double>(stages - 1) / static_cast<double>(iterations); }
};

struct MemoryMoment {
  double seconds = 0;  ///< into the step, without overlap
  MemoryByKind bytes{};
};

struct Simulation {
  std::string device;
  Mesh mesh;
  std::vector<std::string> axis_links;  ///< what each mesh axis lies on

  // Seconds of a step on each device.
  double compute = 0;        ///< of kernels that arithmetic limits
  double memory = 0;         ///< of kernels that memory traffic limits
  double launch = 0;         ///< of starting kernels
  double communication = 0;  ///< of collectives, one after another
  double sequential = 0;     ///< the sum of these
  double overlapped = 0;     ///< when collectives run beside kernels that do not wait for them
  [[nodiscard]] double exposed() const { return overlapped - offloaded.seconds - (compute + memory + launch); }
  Offloaded offloaded;  ///< its seconds are part of `overlapped`; timeline and live buffers are those without it

  std::vector<Pipeline> pipelines;

  double flops = 0;                         ///< of a device
  double matrix_flops = 0;                  ///< of these, in matrix products and convolutions
  double memory_traffic = 0;                ///< bytes of a device
  double peak_flops = 0;                    ///< FLOP/s, of the type in which most matrix FLOPs are
  double hardware_utilization = 0;          ///< matrix FLOPs over what `overlapped` seconds of the peak give
  std::optional<double> model_utilization;  ///< likewise of the model's FLOPs, where they are known
  std::int64_t kernels = 0;                 ///< executed

  std::vector<CollectiveCost> collectives;   ///< most seconds in all first
  std::map<std::string, double> axis_bytes;  ///< bytes that each device sends along an axis in a step

  double device_memory = 0;
  MemoryByKind arguments{};
  MemoryByKind peak{};
  double peak_seconds = 0;
  std::vector<NamedBuffer> live;       ///< at the peak, largest first
  std::vector<MemoryMoment> timeline;  ///< kernel by kernel of the main function
  double slack = 0;  ///< bytes beside the peak that gathers issued early and the gaps of an allocator take (step.h)
  double gaps = 0;   ///< of these, the allocator's
  /// Bytes that are left; below 0 it does not fit.
  [[nodiscard]] double margin() const { return device_memory - total(peak) - slack; }
  [[nodiscard]] bool fits() const { return margin() >= 0; }

  std::vector<StepEvent> events;
  std::vector<std::string> notes;  ///< what could not be known, and what stands in for it
};

/// Errors: no main function, shardings that do not read, links and topologies that do not fit, offload to the host of a
/// device whose file has no link to it.
Result<Simulation> simulate(const Module& module, const Names& names, const Device& device,
                            const SimulationOptions& options);

/// Matrix FLOPs of one run of a function (of a whole model, when it is not partitioned).
double matrix_flops_of(const Function& function);

/// Names of a partitioned module, whose names file tells global shapes.
Result<Names> names_of_partitioned(const Module& module, const std::optional<std::string>& json,
                                   const std::string& file);

/// The step as a Chakra execution trace of one device (simulate/chakra.cpp).
std::string chakra_trace(const Simulation& simulation);

/// The step as a trace that Perfetto and chrome://tracing open.
std::string chrome_trace(const Simulation& simulation);

}  // namespace partir
