// Where buffers lie in one allocation: what an allocator needs beside the bytes that are live at once.
//
// The algorithm is that of XLA's heap simulator (GlobalDecreasingSizeBestFitHeap in
// xla/service/heap_simulator/heap_simulator.cc): the largest buffer first, each into the smallest gap that it fits into
// among the buffers that are live beside it, else behind them all. Example: buffers of 4, 4 and 6 bytes that live
// during [0, 1], [2, 3] and [1, 2] need 10 bytes, as many as are live at once; those of 4 lie in the same place.
#pragma once

#include <cstdint>
#include <vector>

namespace partir {

/// Offsets are multiples of this: the least that XLA aligns to (xla/cpu_function_runtime.h).
constexpr double kBufferAlignment = 64;

/// A buffer and the kernels during which it holds something.
struct LiveRange {
  double bytes = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;  ///< the last kernel; at least `from`
};

/// Bytes of the allocation; no less than the most that is live at once. Takes time proportional to the number of
/// buffers times how many are live at once.
double allocated_bytes(std::vector<LiveRange> buffers);

}  // namespace partir
