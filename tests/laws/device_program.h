// A StableHLO program for a grid of replicas x partitions, built operation by operation and run with random inputs on
// each device. The laws of collectives and of loops compare two values of such a program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semantics/interpreter.h"
#include "tests/laws/function_text.h"

namespace partir::testing {

using Ids = std::vector<std::int64_t>;

/// How the ids in replica groups are interpreted (specification, "Grouping of processes").
enum class Reading : std::uint8_t { cross_replica, cross_partition, cross_replica_and_partition, flattened };

/// Replica groups as the program writes them and, according to the reading, the flattened device ids of each group in
/// order.
struct Groups {
  std::vector<Ids> written;
  Reading reading = Reading::flattened;
  std::vector<Ids> devices;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(devices.at(0).size()); }
};

/// Computes the devices of each group directly from the specification's definitions.
Groups read_groups(std::vector<Ids> written, Reading reading, const Devices& devices);
/// Returns the same groups of devices, written with flattened ids.
Groups flattened(const Groups& groups);

class DeviceProgram : public FunctionText {
 public:
  explicit DeviceProgram(Devices devices) : devices_(devices) {}
  [[nodiscard]] const Devices& devices() const { return devices_; }

  /// Adds an argument that has the same value on all devices of one group in `shared` and different values in different
  /// groups. Devices in no group have a value of their own.
  Value argument(const TensorType& type, const std::vector<Ids>& shared = {});
  /// Returns numbers[d] on device d, as i32.
  Value per_device(const Ids& numbers);
  /// Returns each device's position in its group, as i32, or -1 on devices in no group.
  Value position(const Groups& groups);
  /// Returns chunk `at` of the n equal chunks of x along a dimension.
  Value chunk(const Value& x, Dim dim, std::int64_t n, const Value& at);
  /// Returns x on the devices d for which numbers[d] is not 0, and zeros elsewhere.
  Value where(const Ids& numbers, const Value& x);

  /// Returns on each device d the value that x has on device sources[d], selected from an all_gather over all devices.
  Value held_by(const Ids& sources, const Value& x);

  Value all_reduce(const Value& x, Monoid monoid, const Groups& groups);
  Value all_gather(const Value& x, Dim dim, const Groups& groups);
  Value reduce_scatter(const Value& x, Monoid monoid, Dim dim, const Groups& groups);
  Value all_to_all(const Value& x, Dim split, Dim concat, const Groups& groups);
  Value broadcast(const Value& x, const Groups& groups);
  /// `pairs` is written as groups of two: a source and a target.
  Value permute(const Value& x, const Groups& pairs);
  /// Appends any of the collectives, on several operands; `attributes` are those other than the groups.
  std::vector<Value> collective(const std::string& name, const std::string& attributes, const Groups& groups,
                                std::optional<Monoid> fold, const std::vector<Value>& operands,
                                const std::vector<TensorType>& results);

  /// Returns the values on each device, computed in the modular domain with the devices stepped in a random order.
  [[nodiscard]] std::vector<std::vector<Tensor>> run(const std::vector<Value>& values,
                                                     const std::vector<std::vector<Tensor>>& inputs) const;
  /// Returns whether the two values are equal on every device, for one random choice of inputs.
  [[nodiscard]] bool equal(const Value& a, const Value& b) const;

 private:
  Devices devices_;
  std::vector<std::vector<Ids>> shared_;  ///< by argument: the groups that share a value
};

}  // namespace partir::testing
