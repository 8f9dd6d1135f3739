#include "simulate/allocation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

namespace partir {
namespace {

/// A range of offsets, in bytes.
struct Range {
  double from;
  double to;
};

/// Adds a range to disjoint, sorted ranges that do not touch each other.
void unite(std::vector<Range>& ranges, Range added) {
  const auto first = std::lower_bound(ranges.begin(), ranges.end(), added.from,
                                      [](const Range& r, double offset) { return r.to < offset; });
  auto last = first;
  for (; last != ranges.end() && last->from <= added.to; ++last)
    added = {std::min(added.from, last->from), std::max(added.to, last->to)};
  if (first == last) {
    ranges.insert(first, added);
  } else {
    *first = added;
    ranges.erase(first + 1, last);
  }
}

/// The union of two lists of disjoint, sorted ranges.
void unite(const std::vector<Range>& a, const std::vector<Range>& b, std::vector<Range>& out) {
  out.clear();
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    const bool from_a = y == b.end() || (x != a.end() && x->from < y->from);
    const Range next = from_a ? *x++ : *y++;
    if (!out.empty() && next.from <= out.back().to) {
      out.back().to = std::max(out.back().to, next.to);
    } else {
      out.push_back(next);
    }
  }
}

/// The offsets that placed buffers occupy, as a segment tree over time: a node stands for a range of kernels. Few
/// ranges of offsets describe many buffers, since buffers are placed next to each other.
class Occupied {
 public:
  explicit Occupied(std::uint32_t last) : leaves_(std::bit_ceil(last + 1)), nodes_(2 * std::size_t{leaves_}) {}

  void add(const LiveRange& b, double offset) {
    const Range range{offset, offset + b.bytes};
    visit(kRoot, 0, leaves_ - 1, b, [&](Node& node, bool within) {
      if (within) unite(node.throughout, range);
      unite(node.sometime, range);
    });
  }

  /// Returns the start of the smallest free range of `b.bytes` between offsets that are occupied at some time of the
  /// live range, or the end of all of those.
  [[nodiscard]] double offset_for(const LiveRange& b) {
    found_.clear();
    visit(kRoot, 0, leaves_ - 1, b, [&](const Node& node, bool within) {
      const std::vector<Range>& ranges = within ? node.sometime : node.throughout;
      if (ranges.empty()) return;
      unite(found_, ranges, united_);
      std::swap(found_, united_);
    });
    double top = 0;  // end of the ranges so far
    double best = std::numeric_limits<double>::infinity();
    double offset = -1;
    for (const Range& r : found_) {
      if (r.from - top >= b.bytes && r.from - top < best) {
        best = r.from - top;
        offset = top;
      }
      top = r.to;
    }
    return offset < 0 ? top : offset;
  }

 private:
  static constexpr std::size_t kRoot = 1;  // the children of node n are 2 n and 2 n + 1

  struct Node {
    /// Of buffers that are live during all of the node's kernels, but not all of its parent's.
    std::vector<Range> throughout;
    /// Of those, and of buffers that are live during some of the node's kernels only.
    std::vector<Range> sometime;
  };

  /// Calls f(node, true) for the largest nodes within a live range, and f(node, false) for the ancestors of these.
  template <class F>
  void visit(std::size_t node, std::uint32_t first, std::uint32_t last, const LiveRange& b, const F& f) {
    if (b.to < first || b.from > last) return;
    const bool within = b.from <= first && last <= b.to;
    f(nodes_[node], within);
    if (within) return;
    const std::uint32_t middle = first + (last - first) / 2;
    visit(2 * node, first, middle, b, f);
    visit(2 * node + 1, middle + 1, last, b, f);
  }

  std::uint32_t leaves_;
  std::vector<Node> nodes_;
  std::vector<Range> found_;   ///< of the current search
  std::vector<Range> united_;  ///< scratch
};

}  // namespace

double allocated_bytes(std::vector<LiveRange> buffers) {
  for (LiveRange& b : buffers) b.bytes = std::ceil(b.bytes / kBufferAlignment) * kBufferAlignment;
  std::stable_sort(buffers.begin(), buffers.end(), [](const LiveRange& a, const LiveRange& b) {
    return std::tuple(a.bytes, a.to - a.from) > std::tuple(b.bytes, b.to - b.from);
  });
  std::uint32_t last = 0;
  for (const LiveRange& b : buffers) last = std::max(last, b.to);
  Occupied occupied(last);
  double all = 0;
  for (const LiveRange& b : buffers) {
    if (b.bytes == 0) continue;
    const double offset = occupied.offset_for(b);
    occupied.add(b, offset);
    all = std::max(all, offset + b.bytes);
  }
  return all;
}

}  // namespace partir
