#include "simulate/nccl.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace partir {
namespace {

enum Protocol { kLl, kLl128, kSimple, kProtocols };

// Microseconds, from NCCL's tuning.cc, by protocol (LL, LL128, Simple).
// clang-format off
constexpr double kBaseRing[]  = {6.6, 14.0, 8.4};
constexpr double kBaseTree[]  = {6.8, 14.0, 8.4};
constexpr double kInnerRing[] = {0.6, 1.9, 3.4};
constexpr double kInnerTree[] = {0.6, 1.25, 4.0};
constexpr double kOuterRing[] = {2.7, 4.0, 14.0};
constexpr double kOuterTree[] = {5.0, 8.5, 14.0};
constexpr double kNvls = 25;
// Least time of a step of a ring across nodes: network overhead on the host.
constexpr double kPost[] = {1.0, 1.0, 3.0};
// clang-format on

struct Group {
  const Segment* inner = nullptr;  ///< within a node
  const Segment* outer = nullptr;  ///< between nodes
  double devices = 1;
  double nodes = 1;
  double bus = std::numeric_limits<double>::infinity();  ///< bytes/s
};

Group group_of(const std::vector<Segment>& segments, double bytes) {
  Group out;
  for (const Segment& s : segments) {
    out.devices *= s.size;
    (s.link->shape == Link::Shape::network ? out.outer : out.inner) = &s;
  }
  const double within = out.inner != nullptr ? out.inner->size : 1;
  if (out.inner != nullptr) out.bus = out.inner->link->bandwidth * out.inner->link->efficiency.at(bytes);
  if (out.outer != nullptr) {
    out.nodes = out.outer->size;
    // One ring per adapter.
    out.bus = std::min(out.bus, within * out.outer->link->bandwidth * out.outer->link->efficiency.at(bytes));
  }
  return out;
}

double ring(const Group& g, double steps, double crossing, double bytes, Protocol p) {
  const Link& link = g.inner != nullptr ? *g.inner->link : *g.outer->link;
  double bus = g.bus;
  if (p == kLl) bus = std::min(bus * 0.5, link.ll_bandwidth > 0 ? link.ll_bandwidth : bus);
  if (p == kLl128) bus *= 120.0 / 128.0;
  const double inner = std::max(kInnerRing[p], g.nodes > 1 ? kPost[p] : 0.0);
  const double outer = g.inner == nullptr ? kOuterTree[p] : kOuterRing[p];
  const double latency = kBaseRing[p] + (steps - crossing) * inner + crossing * outer;
  return latency * 1e-6 + bytes * steps / g.devices / bus;
}

double tree(const Group& g, double bytes, Protocol p) {
  const Link& link = g.inner != nullptr ? *g.inner->link : *g.outer->link;
  double bus = g.bus * 0.92;
  if (p == kLl) bus = std::min(bus / 3.8, link.ll_bandwidth > 0 ? link.ll_bandwidth : bus);
  if (p == kLl128) bus *= g.nodes > 1 ? 120.0 / 128.0 : 7.0 / 9.0;
  const double within = g.devices / g.nodes;
  const double latency = kBaseTree[p] + 2 * ((within - 1) * kInnerTree[p] + std::log2(g.nodes) * kOuterTree[p]);
  return latency * 1e-6 + bytes * 2 / bus;
}

}  // namespace

bool is_nccl(const std::vector<Segment>& segments) {
  return !segments.empty() && segments.size() <= 2 &&
         std::all_of(segments.begin(), segments.end(), [](const Segment& s) { return s.link->nccl; });
}

double nccl_seconds(CollectiveKind kind, double bytes, const std::vector<Segment>& segments) {
  const Group g = group_of(segments, bytes);
  if (g.devices <= 1) return 0;
  double best = std::numeric_limits<double>::infinity();
  const double crossings = g.nodes - 1;
  switch (facts_of(kind).traffic) {
    case Traffic::pass:
      for (int p = 0; p < kProtocols; ++p)
        best = std::min(best, ring(g, g.devices - 1, crossings, bytes, static_cast<Protocol>(p)));
      return best;
    case Traffic::two_passes:
      for (int p = 0; p < kProtocols; ++p) {
        best = std::min(best, ring(g, 2 * (g.devices - 1), 2 * crossings, bytes, static_cast<Protocol>(p)));
        best = std::min(best, tree(g, bytes, static_cast<Protocol>(p)));
      }
      if (g.outer == nullptr && g.inner->link->switch_reduces > 0) {
        const double bus = g.inner->link->switch_reduces;
        best = std::min(best, kNvls * 1e-6 + bytes * 2 * (g.devices - 1) / g.devices / bus);
      }
      return best;
    case Traffic::exchange: {
      // All pairs at the same time: traffic within a node over its switch, the rest over the adapter of each device.
      const double within = g.devices / g.nodes;
      double seconds = 0;
      if (g.inner != nullptr)
        seconds = bytes * (within - 1) / g.devices / (g.inner->link->bandwidth * g.inner->link->efficiency.at(bytes));
      double latency = kBaseRing[kSimple] + kInnerRing[kSimple];
      if (g.outer != nullptr) {
        const Link& net = *g.outer->link;
        seconds =
            std::max(seconds, bytes * (g.devices - within) / g.devices / (net.bandwidth * net.efficiency.at(bytes)));
        latency += kOuterRing[kSimple];
      }
      return latency * 1e-6 + seconds;
    }
    case Traffic::send: {
      const Link& link = g.outer != nullptr ? *g.outer->link : *g.inner->link;
      const double hop = g.outer != nullptr ? kOuterRing[kSimple] : kInnerRing[kSimple];
      return (kBaseRing[kSimple] + hop) * 1e-6 + bytes / (link.bandwidth * link.efficiency.at(bytes));
    }
  }
  return 0;
}

}  // namespace partir
