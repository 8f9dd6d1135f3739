// Positions of devices, as a partitioned module computes them from partition_id: integers that differ between devices.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Follows integers made of partition_id and constants, on all devices at once: scalars, and elements of tables, such
/// as `dynamic_slice dense<[0, 0, 8, 8]>, partition_id, sizes = [1]`, which is 0, 0, 8 and 8.
class Positions {
 public:
  explicit Positions(std::int64_t devices) : devices_(devices) {}

  /// Whether the operation makes such an integer, or a table; it is remembered then. Numbers outside 0 … 2^31 - 1,
  /// which could wrap, are none.
  bool follow(const Function& function, const Op& op);
  /// What each device holds, by device; null for values that are no such integers.
  [[nodiscard]] const std::vector<std::int64_t>* find(ValueId value) const;

 private:
  using Values = std::vector<std::int64_t>;

  /// By device; nothing where the operation makes no integer of what is known.
  [[nodiscard]] std::optional<Values> integers(const Op& op) const;

  std::int64_t devices_;
  std::unordered_map<ValueId, Values> known_;   ///< of one element, by device
  std::unordered_map<ValueId, Values> tables_;  ///< constants of one dimension, by element
};

}  // namespace partir
