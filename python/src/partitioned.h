// A partitioned program as Python holds it: what came out, and what it was made of, so that questions that are asked
// later can be answered. The one place that knows how the library's stages are started.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/partition.h"
#include "ir/layout.h"
#include "rewrite/schedule.h"

namespace partir::python {

/// What Python says of a program to partition.
struct Request {
  std::string program;  ///< StableHLO
  std::string name;     ///< of the program, for people
  std::vector<std::pair<std::string, std::int64_t>> mesh;
  std::vector<std::string> arguments;  ///< names, one an argument of main
  std::vector<std::string> results;
  std::vector<Tactic> tactics;
  std::string schedule_file;  ///< where the tactics were written, for diagnostics
  bool check = true;
  std::optional<std::string> device;  ///< simulate after each tactic: a name, or a file
};

/// How an argument or result lies on the mesh.
struct Placed {
  std::string name;
  std::vector<std::vector<std::string>> dims;  ///< axes major to minor, per dimension
  bool partial = false;
  std::vector<std::int64_t> sizes;  ///< of what devices hold together, padding included
};

class Partitioned {
 public:
  static Result<Partitioned> make(Request request);

  [[nodiscard]] const Partition& partition() const { return partition_; }
  /// As it was applied: what searches found stands in the place of tactics that asked for them.
  [[nodiscard]] const Schedule& schedule() const { return *input_.given_schedule; }
  [[nodiscard]] const std::vector<Placed>& arguments() const { return arguments_; }
  [[nodiscard]] const std::vector<Placed>& results() const { return results_; }
  /// Internal values that tactics name.
  [[nodiscard]] const std::vector<Placed>& values() const { return values_; }

  /// Errors: nothing is called so (lowering/explain.h).
  [[nodiscard]] Result<std::vector<std::string>> explain(const std::string& what) const;
  /// "stablehlo", "core", "spmd" or "sdy".
  [[nodiscard]] Result<std::string> text(const std::string& form) const;
  /// The final program on a device.
  [[nodiscard]] Result<Simulation> simulate(const std::string& device) const;
  /// The page of the report; `schedule` is JSON. Simulated on `device`, where there is one.
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
