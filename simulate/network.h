// How the axes of a mesh lie on the links of a device, and what collectives over them cost.
//
// Formulas (n devices, V bytes of the larger side on each device, B bytes/s of one direction of a link, a seconds a
// hop):
//
//   all_gather, reduce_scatter   ring     V (n-1)/n / 2B + a n/2       both directions at once
//                                line     V (n-1)/n / B  + a (n-1)     the end devices have one link
//                                torus    V (n-1)/n / (sum of its dimensions' rates, 2B or B) + a (sum of hops)
//                                switch   V (n-1)/n / B  + a log2 n    recursive halving and doubling
//   all_reduce                   reduce_scatter, then all_gather
//   all_to_all                   ring     V n / 8B + a n/2             mean distance n/4 over two links
//                                line     V n / 4B + a (n-1)           n/2 x n/2 parts cross the middle
//                                torus    the largest of its dimensions
//                                switch   V (n-1)/n / B + a log2 n
//   collective_permute           one hop: V / B + a
//
// An axis that takes every s-th device of a dimension shares its links with the s - 1 axes' groups between: B/s, s
// hops. Ring and torus: "How To Scale Your Model", chapters TPUs and Sharded matrices (jax-ml.github.io/scaling-book);
// switch: NCCL tests, doc/PERFORMANCE.md (bandwidth) and Thakur et al., IJHPCA 19(1), 2005 (steps). A network is a
// switch. A group over several links is hierarchical: it gathers over the outer link first, the inner last, on ever
// larger parts; scatters the other way round. Links of GPUs are NCCL's (simulate/nccl.h), whose rings run over both at
// once. Every link's bandwidth is scaled by its efficiency, and by what each further dimension of a torus leaves of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/mesh.h"
#include "ir/traits.h"
#include "simulate/device.h"

namespace partir {

/// A stretch of a mesh axis on one link.
struct Segment {
  const Link* link = nullptr;
  double size = 1;  ///< devices; no whole number where an axis does not fill its nodes: 11 on nodes of 8 are 2 of 5.5
  struct Ring {
    std::int64_t length = 1;
    bool closed = true;
    std::int64_t stride = 1;  ///< devices of the dimension from one to the next
  };
  std::vector<Ring> rings;      ///< of a ring or torus: its dimensions
  std::uint64_t resources = 0;  ///< links and dimensions of tori that it keeps busy, as bits
};

/// Seconds of one collective over segments, innermost first. `bytes`: what a device holds of the larger side (the
/// result of an all_gather, else the operand).
double collective_seconds(CollectiveKind kind, double bytes, const std::vector<Segment>& segments);

/// Bytes that each device sends for one collective in a group of n.
double collective_bytes(CollectiveKind kind, double bytes, double n);

struct NetworkOptions {
  std::vector<std::pair<std::string, std::string>> links;  ///< mesh axis, name of the link it lies on
  std::vector<std::int64_t> topology;                      ///< lengths of a torus' dimensions; empty: near to a cube
};

class Network {
 public:
  /// Axes take links innermost first: the last axis of the mesh the first link, as far as its devices reach; what goes
  /// beyond lies on the next. On a torus an axis takes whole dimensions where it can, else parts of them; a number of
  /// devices that makes a poor torus lies in the next larger one that is better. `device` outlives the network. Errors:
  /// unknown axes or links, a topology of another number of devices.
  static Result<Network> of(const Device& device, const Mesh& mesh, const NetworkOptions& options);

  /// Of a mesh axis, innermost first.
  [[nodiscard]] const std::vector<Segment>& segments(Axis axis) const { return axes_[axis.index()]; }
  /// Of several, innermost first, parts of one torus together.
  [[nodiscard]] std::vector<Segment> segments(const std::vector<Axis>& axes) const;
  /// Of a group of devices that is not along axes of the mesh: as if it lay on the outermost link it may need.
  [[nodiscard]] std::vector<Segment> irregular(std::int64_t size) const;
  /// "nvlink 4", "ici 4x4 + network 2".
  [[nodiscard]] std::string describe(Axis axis) const;

 private:
  const Device* device_ = nullptr;
  Mesh mesh_;
  std::vector<std::vector<Segment>> axes_;
};

}  // namespace partir
