// Which axes of a mesh a collective runs over, from its replica groups.
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
  bool along_axes = true;  ///< whether the groups are exactly those of the axes
};

class GroupFinder {
 public:
  explicit GroupFinder(const Mesh& mesh) : mesh_(mesh) {}
  /// Of a collective with replica_groups or source_target_pairs; no groups: all devices together. Order within a group
  /// does not matter.
  GroupAxes of(const Op& op);

 private:
  [[nodiscard]] GroupAxes find_axes(const std::vector<std::vector<std::int64_t>>& groups) const;
  const Mesh& mesh_;
  std::unordered_map<const Literal*, std::pair<LiteralPtr, GroupAxes>> known_;
};

}  // namespace partir
