// A StableHLO program for a grid of replicas x partitions, with random inputs for each device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semantics/interpreter.h"
#include "tests/laws/function_text.h"

namespace partir::testing {

using Ids = std::vector<std::int64_t>;

/// How the ids of replica groups are read (specification, "Grouping of processes").
enum class Reading : std::uint8_t { cross_replica, cross_partition, cross_replica_and_partition, flattened };

/// Groups as written and, by the reading, the devices of each in order.
struct Groups {
  std::vector<Ids> written;
  Reading reading = Reading::flattened;
  std::vector<Ids> devices;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(devices.at(0).size()); }
};

/// The groups' devices, from the specification's definitions.
Groups read_groups(std::vector<Ids> written, Reading reading, const Devices& devices);
/// The same devices, named by flattened ids.
Groups flattened(const Groups& groups);

class DeviceProgram : public FunctionText {
 public:
  explicit DeviceProgram(Devices devices) : devices_(devices) {}
  [[nodiscard]] const Devices& devices() const { return devices_; }

  /// An argument with the same value on all devices of a group, and another in each group; of none, another on each
  /// device.
  Value argument(const TensorType& type, const std::vector<Ids>& shared = {});
  /// The device's number (i32).
  Value per_device(const Ids& numbers);
  /// The device's position in its group (i32); of a device in none, -1.
  Value position(const Groups& groups);
  /// Chunk number `at` of n along a dimension.
  Value chunk(const Value& x, Dim dim, std::int64_t n, const Value& at);
  /// x on the devices with a number other than 0, zeros elsewhere.
  Value where(const Ids& numbers, const Value& x);

  /// What device sources[d] holds of x, on each device d: chosen among all values, gathered.
  Value held_by(const Ids& sources, const Value& x);

  Value all_reduce(const Value& x, Monoid monoid, const Groups& groups);
  Value all_gather(const Value& x, Dim dim, const Groups& groups);
  Value reduce_scatter(const Value& x, Monoid monoid, Dim dim, const Groups& groups);
  Value all_to_all(const Value& x, Dim split, Dim concat, const Groups& groups);
  Value broadcast(const Value& x, const Groups& groups);
  /// Pairs are groups of a source and a target.
  Value permute(const Value& x, const Groups& pairs);
  /// Any of them, on several operands: attributes without groups.
  std::vector<Value> collective(const std::string& name, const std::string& attributes, const Groups& groups,
                                std::optional<Monoid> fold, const std::vector<Value>& operands,
                                const std::vector<TensorType>& results);

  /// The values on each device, in the modular domain and a random order of stepping.
  [[nodiscard]] std::vector<std::vector<Tensor>> run(const std::vector<Value>& values,
                                                     const std::vector<std::vector<Tensor>>& inputs) const;
  /// Whether two values are equal on each device, for random inputs.
  [[nodiscard]] bool equal(const Value& a, const Value& b) const;

 private:
  Devices devices_;
  std::vector<std::vector<Ids>> shared_;  ///< of each argument
};

}  // namespace partir::testing
