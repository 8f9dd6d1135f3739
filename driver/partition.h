// The main job as a function: program, mesh and schedule in; the device-local program, counts and a checked verdict
// out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/session.h"

namespace partir {

/// A program, and what is to be done with it.
struct PartitionInput : ProgramInput {
  std::string schedule;  ///< JSON
  std::string schedule_file;
  std::optional<Schedule> given_schedule;  ///< in place of JSON
  bool by_annotations = false;             ///< the program's own shardings are the schedule
  bool ignore_annotations = false;         ///< beside a schedule
  std::string ignoring;                    ///< how a user asks for that, in messages; empty: there is no way
  std::optional<std::string> mesh;         ///< else the schedule's; names the axes of annotations
  std::optional<std::string> after;        ///< stop behind this tactic
  bool check = true;
  std::vector<std::string> explain;  ///< values or collectives (lowering/explain.h)
  std::optional<Device> device;      ///< simulate each tactic on it
  SimulationOptions simulation;
};

struct TacticReport {
  std::string name;
  std::string axis;
  CollectiveCounts collectives;  ///< of the whole program after it
  std::vector<ConflictText> conflicts;
  double flops_per_device = 0;           ///< of the whole program after it
  std::optional<Simulation> simulation;  ///< of the module lowered after it
};

/// Wall-clock seconds of the stages.
struct StageSeconds {
  double parse = 0;
  double propagate = 0;
  double lower = 0;
  double optimize = 0;
  double print = 0;
  double simulate = 0;
  double check = 0;
};

struct Partition {
  std::string name;
  Mesh mesh;
  std::size_t operations = 0;
  std::vector<std::string> annotations;  ///< the program's own shardings, in words
  bool annotations_ignored = false;      ///< else the tactics keep them
  std::vector<TacticReport> tactics;
  CollectiveCounts collectives;
  ExecutedCounts executed;
  std::map<std::pair<std::string, std::string>, std::int64_t> collectives_by_axis;  ///< (kind, axis)
  double flops_per_device = 0;
  double flops_sequential = 0;
  Judgement judgement;
  StageSeconds seconds;
  Names names;
  std::vector<Layout> arguments;
  std::vector<Layout> results;
  std::vector<Type> padded_arguments;  ///< what devices hold together, padding included
  std::vector<Type> padded_results;
  /// Internal values that tactics name, and how they come out; several may share a name.
  std::vector<std::pair<std::string, Layout>> named_values;
  std::string stablehlo;
  Certificate certificate;  ///< of the StableHLO module
  /// Operations written in others of which each device does its part (rewrite/offsets.h), as text.
  std::vector<std::string> by_offsets;
  std::string core;
  std::string spmd;
  std::string sdy;
  std::vector<std::pair<std::string, std::vector<std::string>>> explanations;  ///< what was asked, and the texts
};

/// What to print besides the StableHLO module, which is always there (it is what the check runs).
enum class Emit : unsigned char { stablehlo, core, spmd, sdy };

/// `now` gives seconds, for the report; libraries do not read the clock.
Result<Partition> partition(const PartitionInput& input, Emit emit, double (*now)());

}  // namespace partir
