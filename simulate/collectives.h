// The collectives of a program on a network: the mesh axes each of them runs over, and how long it takes. Used by the
// step simulation (simulate/step.h); the cost formulas are in simulate/network.h.
#pragma once

#include <deque>
#include <unordered_map>

#include "simulate/groups.h"
#include "simulate/network.h"

namespace partir {

/// A group of devices that takes part in one collective, and the links that connect them.
struct CollectiveGroup {
  GroupAxes axes;
  std::vector<Segment> segments;
  std::uint64_t resources = 0;  ///< links and torus dimensions kept busy, as in Segment
  bool decomposes = false;      ///< all links can run a collective in pieces during a matrix product
  double occupies = 0;          ///< share of a device's time that the collective takes from concurrent kernels
};

struct CollectiveTime {
  CollectiveKind kind = CollectiveKind::all_reduce;
  const CollectiveGroup* group = nullptr;
  double bytes = 0;    ///< of the larger of operand and result
  double seconds = 0;  ///< of one execution, without contention
};

class Collectives {
 public:
  Collectives(const Mesh& mesh, const Network& network) : mesh_(mesh), network_(network), finder_(mesh) {}

  /// Returns the kind if the operation is a collective whose time can be computed (StableHLO collectives with replica
  /// groups, and spmd.* over axes), nullopt for any other operation.
  static std::optional<CollectiveKind> kind_of(const Op& op);
  /// Returns the time of a collective of the given kind; equal collectives are computed once. References stay valid.
  const CollectiveTime& of(const Function& function, const Op& op, CollectiveKind kind);
  /// Seconds of one collective of the kind over a group.
  [[nodiscard]] double seconds(CollectiveKind kind, const CollectiveGroup& group, double bytes) const;

 private:
  const CollectiveGroup& group_of(const Op& op);
  CollectiveGroup make(GroupAxes axes) const;

  const Mesh& mesh_;
  const Network& network_;
  GroupFinder finder_;
  std::unordered_map<std::string, CollectiveGroup> by_axes_;
  std::unordered_map<std::string, CollectiveTime> times_;
  std::string key_;
};

}  // namespace partir
