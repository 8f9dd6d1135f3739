// What evaluation on elements takes for granted of a program's operations: their promises.
#pragma once

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/program.h"
#include "verify/validate/array.h"

namespace partir::validate {

/// Promises of the operations that ran, as far as it was not shown that they hold.
class Promises {
 public:
  /// Of an operation on a device: that indices are unique or sorted, that an unstable sort meets no equal keys. Known
  /// indices show it, and so does one index.
  void note(const Op& op, const std::vector<ArrayPtr>& operands);
  /// Of an operation whose updates collide where data says so, and whose order then counts.
  void note_order(const Op& op);
  /// In words, where more operations need them than of the source.
  [[nodiscard]] std::vector<std::string> beyond(const Promises& source) const;

 private:
  enum Kind : std::uint8_t { unique, sorted, distinct_keys, no_collisions, kinds };

  void add(Kind kind, const Op& op);

  std::array<std::unordered_set<const Op*>, kinds> ops_;
  std::array<std::size_t, kinds> first_{};  ///< line
};

}  // namespace partir::validate
