// Finds the mesh axes that a collective runs over from its replica groups. Example: on a mesh a=2, b=4 the groups [[0,
// 1, 2, 3], [4, 5, 6, 7]] are along axis b.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/mesh.h"
#include "ir/program.h"

namespace partir {

struct GroupAxes {
  std::vector<Axis> axes;  ///< outermost first
  std::int64_t size = 1;   ///< devices in a group
  bool along_axes = true;  ///< true if the groups are exactly those of the axes
};

/// Groups of devices, or pairs of source and target.
using DeviceGroups = std::vector<std::vector<std::int64_t>>;

/// The groups along the axes: each has the devices that differ in these coordinates alone, in their order.
DeviceGroups groups_along(const std::vector<Axis>& axes, const Mesh& mesh);

/// The operation's replica_groups or source_target_pairs, without the numbers below 0 that fill up rows; nothing if it
/// has none.
std::optional<DeviceGroups> listed_groups(const Op& op);

class GroupFinder {
 public:
  explicit GroupFinder(const Mesh& mesh) : mesh_(mesh) {}
  /// The axes of a collective with replica_groups or source_target_pairs; without groups, all axes longer than 1. The
  /// order of devices within a group does not matter.
  GroupAxes of(const Op& op);

 private:
  [[nodiscard]] GroupAxes find_axes(const DeviceGroups& groups) const;
  const Mesh& mesh_;
  std::unordered_map<const Literal*, std::pair<LiteralPtr, GroupAxes>> known_;
};

}  // namespace partir
