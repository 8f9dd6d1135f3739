// What runs the program on the device: how it fuses, buckets and prefetches, and where it has kernels for attention.
#pragma once

#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace partir {

struct Software {
  std::string name = "xla";
  /// As kernels for attention do: what is quadratic in the sequence is neither stored nor read. These are results of
  /// batched products that are larger than both operands together, and what loops and folds make of them at that size.
  bool fused_attention = false;
  /// Collectives of one kind and group that wait for each other run as one up to so many bytes.
  double bucket = 3.0e7;
  /// Results of collectives that may wait for their first use, on each link, before the next collective starts early.
  std::size_t prefetch = 8;
};

}  // namespace partir
