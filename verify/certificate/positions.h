// Device positions: the integers that a partitioned module computes from partition_id, such as shard offsets. The
// checker evaluates them for every device, so that it knows where a device's dynamic_slice begins.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Evaluates integers computed from partition_id and constants, on all devices at once: scalars, and elements looked up
/// in constant tables. `dynamic_slice dense<[0, 0, 8, 8]>, partition_id, sizes = [1]` is 0, 0, 8, 8 on devices 0 to 3.
class Positions {
 public:
  explicit Positions(std::int64_t devices) : devices_(devices) {}

  /// Evaluates the operation and records its result. Returns false if the result is not such an integer or a constant
  /// table. Integers outside 0 ... 2^31 - 1 are not accepted, because they could wrap.
  bool follow(const Function& function, const Op& op);
  /// Returns the integer that each device holds, indexed by device, or null if the value is not one of these integers.
  [[nodiscard]] const std::vector<std::int64_t>* find(ValueId value) const;

 private:
  using Values = std::vector<std::int64_t>;

  /// The result by device; nothing if the operation does not compute an integer from recorded ones.
  [[nodiscard]] std::optional<Values> integers(const Op& op) const;

  std::int64_t devices_;
  std::unordered_map<ValueId, Values> known_;   ///< scalars and one-element values, by device
  std::unordered_map<ValueId, Values> tables_;  ///< one-dimensional constants, by element
};

}  // namespace partir
