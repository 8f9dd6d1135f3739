// The partitioned program behind openpartir.Plan: the results of partitioning, and the input, so that later queries
// (explain, simulate, the report) can run the stages again. This is the only file of the module that starts the
// library's stages; engine.cpp binds it to Python.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/partition.h"
#include "ir/layout.h"
#include "rewrite/schedule.h"

namespace partir::python {

/// A program to partition, as Python passes it.
struct Request {
  std::string program;  ///< StableHLO
  std::string name;     ///< of the program, used in messages
  std::vector<std::pair<std::string, std::int64_t>> mesh;
  std::vector<std::string> arguments;  ///< names, one for each argument of main
  std::vector<std::string> results;
  std::vector<Tactic> tactics;
  std::string schedule_file;  ///< where the tactics were written, for diagnostics
  bool check = true;
  std::optional<std::string> device;  ///< simulate a step on it after each tactic: a name, or a path
};

/// The layout of an argument, a result or a named value on the mesh.
struct Placed {
  std::string name;
  std::vector<std::vector<std::string>> dims;  ///< for each dimension the axes that tile it, major to minor
  bool partial = false;
  std::vector<std::int64_t> sizes;  ///< of all devices' parts together, padding included
};

class Partitioned {
 public:
  static Result<Partitioned> make(Request request);

  [[nodiscard]] const Partition& partition() const { return partition_; }
  /// The schedule as it was applied: tactics that request a search are replaced by the tactics that it found.
  [[nodiscard]] const Schedule& schedule() const { return *input_.given_schedule; }
  [[nodiscard]] const std::vector<Placed>& arguments() const { return arguments_; }
  [[nodiscard]] const std::vector<Placed>& results() const { return results_; }
  /// Layouts of the internal values that tactics name.
  [[nodiscard]] const std::vector<Placed>& values() const { return values_; }

  /// Explains a value or a collective (lowering/explain.h). Errors: nothing has this name.
  [[nodiscard]] Result<std::vector<std::string>> explain(const std::string& what) const;
  /// The device-local module as it is run on XLA (lowering/for_xla.h).
  [[nodiscard]] Result<std::string> for_xla() const;
  /// Returns the program in the form "stablehlo", "core", "spmd" or "sdy". Errors: another form.
  [[nodiscard]] Result<std::string> text(const std::string& form) const;
  /// Simulates a step of the final program on a device.
  [[nodiscard]] Result<Simulation> simulate(const std::string& device) const;
  /// Returns the report's HTML page, with a simulation on `device` if one is given; `schedule` is JSON.
  [[nodiscard]] Result<std::string> page(const std::optional<std::string>& device, const std::string& schedule) const;

 private:
  [[nodiscard]] Result<Partition> again(const PartitionInput& input, Emit emit) const;

  PartitionInput input_;
  Partition partition_;
  std::vector<Placed> arguments_;
  std::vector<Placed> results_;
  std::vector<Placed> values_;
};

}  // namespace partir::python
