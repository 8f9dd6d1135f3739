// Positions of devices, as a partitioned module computes them from partition_id: integers that differ between devices.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Follows integer scalars made of partition_id and constants, on all devices at once.
class Positions {
 public:
  explicit Positions(std::int64_t devices) : devices_(devices) {}

  /// Whether the operation makes such a scalar; it is remembered then. Numbers outside 0 … 2^31 - 1, which could wrap,
  /// are none.
  bool follow(const Function& function, const Op& op);
  /// What each device holds, by device; null for values that are no such scalars.
  [[nodiscard]] const std::vector<std::int64_t>* find(ValueId value) const;

 private:
  std::int64_t devices_;
  std::unordered_map<ValueId, std::vector<std::int64_t>> known_;
};

}  // namespace partir
