// Places buffers in one allocation, to find how many bytes an allocator needs beyond the bytes that are live at once
// (fragmentation). Called by simulate/memory.cpp.
//
// The algorithm is that of XLA's heap simulator (GlobalDecreasingSizeBestFitHeap in
// xla/service/heap_simulator/heap_simulator.cc): buffers are placed in order of decreasing size, each into the smallest
// gap that holds it between buffers whose live ranges overlap its own, or after all of those if there is no such gap.
// Example: buffers of 256, 256 and 384 bytes, live during kernels [0, 1], [2, 3] and [1, 2], need 640 bytes, which is
// also the most that is live at once; the two buffers of 256 bytes share one place.
#pragma once

#include <cstdint>
#include <vector>

namespace partir {

/// Alignment of offsets in bytes: the smallest that XLA uses (xla/cpu_function_runtime.h).
constexpr double kBufferAlignment = 64;

/// A buffer and the inclusive range of kernels during which it is live.
struct LiveRange {
  double bytes = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;  ///< index of the last kernel; at least `from`
};

/// Returns the size of the allocation in bytes, which is at least the maximum of bytes live at once. Sizes are rounded
/// up to kBufferAlignment. The time per buffer grows with the logarithm of the number of kernels, and with the number
/// of gaps between buffers.
double allocated_bytes(std::vector<LiveRange> buffers);

}  // namespace partir
