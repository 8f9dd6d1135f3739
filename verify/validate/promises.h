// Promises of operations (unique or sorted indices, distinct sort keys) that evaluation on elements assumes. Validation
// requires that the partitioned program relies on no more of them than the source, unless known indices show they hold.
#pragma once

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/program.h"
#include "verify/validate/array.h"

namespace partir::validate {

/// The promises of the operations that ran, except those that are shown to hold.
class Promises {
 public:
  /// Records the promises of an operation on a device: that its indices are unique or sorted, or that an unstable sort
  /// meets no equal keys. Known indices that satisfy a promise are not recorded, nor is a single index.
  void note(const Op& op, const std::vector<ArrayPtr>& operands);
  /// Records an operation whose updates may collide, depending on data, and whose order then matters.
  void note_order(const Op& op);
  /// Describes the kinds of promises that more operations here rely on than in the source.
  [[nodiscard]] std::vector<std::string> beyond(const Promises& source) const;

 private:
  enum Kind : std::uint8_t { unique, sorted, distinct_keys, no_collisions, kinds };

  void add(Kind kind, const Op& op);

  std::array<std::unordered_set<const Op*>, kinds> ops_;
  std::array<std::size_t, kinds> first_{};  ///< line of the first operation of each kind
};

}  // namespace partir::validate
