#include "simulate/allocation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace partir {
namespace {

struct Placed {
  double offset;
  double end;
  std::uint32_t from;
  std::uint32_t to;
};

}  // namespace

double allocated_bytes(std::vector<LiveRange> buffers) {
  for (LiveRange& b : buffers) b.bytes = std::ceil(b.bytes / kBufferAlignment) * kBufferAlignment;
  std::stable_sort(buffers.begin(), buffers.end(), [](const LiveRange& a, const LiveRange& b) {
    return std::tuple(a.bytes, a.to - a.from) > std::tuple(b.bytes, b.to - b.from);
  });
  std::vector<Placed> placed;  // sorted by offset
  placed.reserve(buffers.size());
  double all = 0;
  for (const LiveRange& b : buffers) {
    if (b.bytes == 0) continue;
    double top = 0;  // end of the buffers with overlapping live ranges, so far
    double best = std::numeric_limits<double>::infinity();
    double offset = -1;
    for (const Placed& p : placed) {
      if (p.to < b.from || p.from > b.to) continue;
      const double gap = p.offset - top;
      if (gap >= b.bytes && gap < best) {
        best = gap;
        offset = top;
        if (gap == b.bytes) break;
      }
      top = std::max(top, p.end);
    }
    if (offset < 0) offset = top;
    const Placed mine{offset, offset + b.bytes, b.from, b.to};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), mine,
                                   [](const Placed& x, const Placed& y) { return x.offset < y.offset; }),
                  mine);
    all = std::max(all, mine.end);
  }
  return all;
}

}  // namespace partir
