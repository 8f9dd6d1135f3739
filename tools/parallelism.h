// Parallelism that tactics ask for and a program does not get: said loudly, because the partition is correct all the
// same.
#pragma once

#include <string>
#include <vector>

#include "driver/partition.h"

namespace partir {

/// A mesh axis along which devices repeat work.
struct LostParallelism {
  std::string axis;
  std::int64_t size = 1;
  double speedup = 1;     ///< FLOPs of a device before the axis' tactics over those after them; even shares give `size`
  std::string operation;  ///< the first in the program that is not partitioned along the axis; empty: none is known
  std::string reason;
  std::string advice;
};

/// Axes whose tactics divide the work less than half as far as even shares would: for 8 devices, by less than 4.5. Axes
/// of which another tactic has divided the work before (ZeRO's along the batch axis) count once.
std::vector<LostParallelism> lost_parallelism(const Partition& partition);

/// One line for each, beginning with "LOST PARALLELISM".
std::string text_of(const std::vector<LostParallelism>& lost);

}  // namespace partir
