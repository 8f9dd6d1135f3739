// The main pipeline as a function: takes a program, a mesh and a schedule; returns the device-local program, statistics
// and a checked verdict. The command line's `partition` and the Python package call it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/session.h"

namespace partir {

/// A program, and the options for partitioning it.
struct PartitionInput : ProgramInput {
  std::string schedule;  ///< JSON
  std::string schedule_file;
  std::optional<Schedule> given_schedule;  ///< used instead of the JSON
  bool by_annotations = false;             ///< use the program's own shardings as the schedule
  bool ignore_annotations = false;         ///< with a schedule: ignore the program's own shardings
  std::string ignoring;                    ///< how a user requests that, for messages; empty if there is no way
  std::optional<std::string> mesh;         ///< default: the schedule's; with by_annotations, names their axes
  std::optional<std::string> after;        ///< stop after this tactic
  bool check = true;
  bool axes_in_parts = true;         ///< whether an axis that a reshape blocks is used in parts (docs/adr/0109)
  std::vector<std::string> explain;  ///< values or collectives (lowering/explain.h)
  std::optional<Device> device;      ///< if set, simulate the program on it after each tactic
  SimulationOptions simulation;
};

/// The state of the program after one tactic.
struct TacticReport {
  std::string name;
  std::string axis;
  CollectiveCounts collectives;  ///< of the complete program after the tactic
  std::vector<ConflictText> conflicts;
  double flops_per_device = 0;           ///< of the complete program after the tactic
  std::optional<Simulation> simulation;  ///< of the program lowered after the tactic
};

/// The wall-clock time of each stage in seconds.
struct StageSeconds {
  double parse = 0;
  double propagate = 0;
  double lower = 0;
  double optimize = 0;
  double print = 0;
  double simulate = 0;
  double check = 0;

  StageSeconds& operator+=(const StageSeconds& other);
};

/// An axis of the partition that is a part of an axis of the given mesh.
struct UsedPart {
  std::string name;  ///< of this axis
  std::string axis;  ///< of the given mesh
  std::int64_t size = 1;
};

/// An operation, and its part of the sequential work.
struct UndividedWork {
  std::string operation;
  double part = 0;
};

/// The result of partitioning a program.
struct Partition {
  std::string name;
  Mesh mesh;
  std::size_t operations = 0;
  std::vector<std::string> annotations;  ///< descriptions of the program's own shardings
  bool annotations_ignored = false;      ///< false: the tactics preserve the annotations
  std::vector<UsedPart> parts;  ///< of axes that are used in parts though the schedule does not say so (docs/adr/0109)
  std::vector<TacticReport> tactics;
  CollectiveCounts collectives;
  ExecutedCounts executed;
  std::map<std::pair<std::string, std::string>, std::int64_t> collectives_by_axis;  ///< (kind, axis)
  double flops_per_device = 0;
  double flops_sequential = 0;
  /// By axis: of the operations that no tactic divides along it, the one with the most work.
  std::map<std::string, UndividedWork> undivided;
  Judgement judgement;
  StageSeconds seconds;
  Names names;
  std::vector<Layout> arguments;
  std::vector<Layout> results;
  std::vector<Type> padded_arguments;  ///< the global types including padding
  std::vector<Type> padded_results;
  /// The layouts of internal values that tactics name; several values may share a name.
  std::vector<std::pair<std::string, Layout>> named_values;
  std::string stablehlo;
  Certificate certificate;  ///< of the StableHLO module
  /// Descriptions of the operations that were decomposed by shard offsets (rewrite/offsets.h).
  std::vector<std::string> by_offsets;
  std::string core;
  std::string spmd;
  std::string sdy;
  std::vector<std::pair<std::string, std::vector<std::string>>> explanations;  ///< what was requested, and the texts
};

/// The form to print in addition to the StableHLO module, which is always printed because the check reads it.
enum class Emit : unsigned char { stablehlo, core, spmd, sdy };

/// The mesh that the user names, else the schedule's, else that of the program's shardings. Errors: none of them.
Result<Mesh> mesh_of(const PartitionInput& input, const Schedule& schedule);

/// Runs the pipeline. `now` returns the time in seconds, for the report (libraries do not read the clock).
Result<Partition> partition(const PartitionInput& input, Emit emit, double (*now)());

}  // namespace partir
