// The collectives of a program on a network: which axes each runs over and how long it takes.
#pragma once

#include <deque>
#include <unordered_map>

#include "simulate/groups.h"
#include "simulate/network.h"

namespace partir {

/// Devices that meet, and the links that they meet over.
struct CollectiveGroup {
  GroupAxes axes;
  std::vector<Segment> segments;
  std::uint64_t resources = 0;  ///< as of Segment
  bool decomposes = false;      ///< all links run a collective in pieces beside a product
  double occupies = 0;          ///< share of a device's time that the collective takes from kernels beside it
};

struct CollectiveTime {
  CollectiveKind kind = CollectiveKind::all_reduce;
  const CollectiveGroup* group = nullptr;
  double bytes = 0;    ///< of the larger side
  double seconds = 0;  ///< of one by itself
};

class Collectives {
 public:
  Collectives(const Mesh& mesh, const Network& network) : mesh_(mesh), network_(network), finder_(mesh) {}

  /// Whether the operation is a collective whose time is known: those of StableHLO with replica groups, and spmd.* over
  /// axes.
  static std::optional<CollectiveKind> kind_of(const Op& op);
  /// Of such an operation; equal ones are worked out once. References stay valid.
  const CollectiveTime& of(const Function& function, const Op& op, CollectiveKind kind);
  /// Seconds of a collective of the kind over a group.
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
