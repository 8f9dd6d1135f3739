// Detects parallelism that tactics request but the program does not get. It is reported prominently because the
// partition is correct all the same, only slow.
#pragma once

#include <string>
#include <vector>

#include "driver/partition.h"

namespace partir {

/// A mesh axis along which devices repeat work.
struct LostParallelism {
  std::string axis;
  std::int64_t size = 1;
  /// FLOPs of a device before the tactics of the axis, divided by those after them; ideally `size`
  double speedup = 1;
  /// The first operation of the program that took no tile of the axis, or, if all took what reached them, the one with
  /// the most work that is not divided; empty: unknown.
  std::string operation;
  const char* role = "first blocked by";  ///< of the operation
  std::string reason;
  std::int64_t part = 1;  ///< the size of the largest part of the axis that divides the operation's sizes
  std::string advice;
};

/// Returns the axes whose tactics achieve less than half of the ideal speedup beyond 1: for 8 devices, a speedup below
/// 4.5. The speedups of several tactics along one axis (such as ZeRO's after batch parallelism) are multiplied.
std::vector<LostParallelism> lost_parallelism(const Partition& partition);

/// The first conflict along an axis, in program order, that no request caused; null if there is none.
const ConflictText* first_conflict(const Partition& p, const std::string& axis);

/// Returns the report, for each axis a paragraph that begins with "LOST PARALLELISM".
std::string text_of(const std::vector<LostParallelism>& lost);

}  // namespace partir
