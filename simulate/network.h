// Maps the axes of a mesh to the links of a device, and computes the time of collectives over them. Used by
// simulate/collectives.h.
//
// Formulas, for n devices, V bytes of the larger side (operand or result) on each device, B bytes/s of one direction of
// a link, and a seconds per hop:
//
//   all_gather, reduce_scatter   ring     V (n-1)/n / 2B + a n/2       both directions at the same time
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
// An axis with stride s, which takes every s-th device of a dimension, shares the links with the s - 1 groups in
// between: bandwidth B/s, and s hops per step. Sources for ring and torus: "How To Scale Your Model", chapters TPUs and
// Sharded matrices (jax-ml.github.io/scaling-book); for the switch: NCCL tests, doc/PERFORMANCE.md (bandwidth) and
// Thakur et al., IJHPCA 19(1), 2005 (steps). A network is modelled as a switch. A group over several links is
// hierarchical: a gather runs over the outermost link first and over the innermost last, on increasingly large parts; a
// scatter in the opposite order. GPU links use NCCL's model (simulate/nccl.h), whose rings run over both links at the
// same time. The bandwidth of every link is multiplied by its efficiency and, on a torus, by Link::further_dimension
// for each dimension beyond the first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/mesh.h"
#include "ir/traits.h"
#include "simulate/device.h"

namespace partir {

/// The part of a mesh axis that one link connects.
struct Segment {
  const Link* link = nullptr;
  /// Devices; fractional if an axis does not fill its nodes: 11 devices on nodes of 8 are 2 nodes of 5.5.
  double size = 1;
  struct Ring {
    std::int64_t length = 1;
    bool closed = true;
    std::int64_t stride = 1;  ///< distance in the dimension from one device to the next
  };
  std::vector<Ring> rings;      ///< the dimensions of a ring or torus; else empty
  std::uint64_t resources = 0;  ///< bit set of the links and torus dimensions that it keeps busy
};

/// Seconds of one collective over segments, innermost first. `bytes` are those of the larger side on a device: the
/// result of an all_gather, the operand of any other collective.
double collective_seconds(CollectiveKind kind, double bytes, const std::vector<Segment>& segments);

/// Bytes that each device sends for one collective in a group of n devices.
double collective_bytes(CollectiveKind kind, double bytes, double n);

struct NetworkOptions {
  std::vector<std::pair<std::string, std::string>> links;  ///< mesh axis, name of the link that it uses
  /// Lengths of the dimensions of a torus; empty: as near to a cube as possible.
  std::vector<std::int64_t> topology;
};

class Network {
 public:
  /// Assigns links to axes from the innermost on: the last axis of the mesh uses the first link as far as the link
  /// connects enough devices; the rest of the axis uses the next link. On a torus an axis uses whole dimensions if it
  /// can, else parts of them; if a number of devices makes a poor torus, the next larger number that makes a better one
  /// is used. `device` must outlive the network. Errors: unknown axes or links, a topology with another number of
  /// devices than the mesh.
  static Result<Network> of(const Device& device, const Mesh& mesh, const NetworkOptions& options);

  /// The segments of a mesh axis, innermost first.
  [[nodiscard]] const std::vector<Segment>& segments(Axis axis) const { return axes_[axis.index()]; }
  /// The segments of several axes, innermost first; their parts of one torus are joined into one segment.
  [[nodiscard]] std::vector<Segment> segments(const std::vector<Axis>& axes) const;
  /// The segment of a group that is not along axes of the mesh: a line over the outermost link that the mesh uses.
  [[nodiscard]] std::vector<Segment> irregular(std::int64_t size) const;
  /// The links of an axis for reports, such as "nvlink 4" or "ici 4x4 + network 2".
  [[nodiscard]] std::string describe(Axis axis) const;

 private:
  const Device* device_ = nullptr;
  Mesh mesh_;
  std::vector<std::vector<Segment>> axes_;
};

}  // namespace partir
