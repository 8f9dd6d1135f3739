#include "simulate/groups.h"

#include <algorithm>
#include <map>

#include "ir/op_decl.h"

namespace partir {

namespace {

const char* name_of_groups(const Op& op) {
  return op.decl->collective.pairs ? "source_target_pairs" : "replica_groups";
}

/// The matrix of groups or pairs; null if there is none.
const DenseAttr* listed(const Op& op) {
  const Attribute* a = find(op.attributes, name_of_groups(op));
  const DenseAttr* dense = a != nullptr ? a->as<DenseAttr>() : nullptr;
  return dense != nullptr && dense->literal->type.rank() == 2 ? dense : nullptr;
}

}  // namespace

std::optional<DeviceGroups> listed_groups(const Op& op) {
  const DenseAttr* dense = listed(op);
  if (dense == nullptr) return std::nullopt;
  const Literal& ids = *dense->literal;
  DeviceGroups groups;
  for (std::int64_t g = 0; g < ids.type.dims[0]; ++g) {
    std::vector<std::int64_t> group;
    for (std::int64_t k = 0; k < ids.type.dims[1]; ++k) {
      const std::int64_t id = ids.as_int(g * ids.type.dims[1] + k);
      if (id >= 0) group.push_back(id);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

DeviceGroups groups_along(const std::vector<Axis>& axes, const Mesh& mesh) {
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> by_others;
  for (std::int64_t d = 0; d < mesh.devices(); ++d) {
    std::vector<std::int64_t> others;
    for (std::size_t i = 0; i < mesh.rank(); ++i) {
      if (std::find(axes.begin(), axes.end(), Axis(i)) == axes.end())
        others.push_back(mesh.coordinate(DeviceId(static_cast<std::size_t>(d)), Axis(i)));
    }
    by_others[others].push_back(d);
  }
  DeviceGroups out;
  for (auto& [others, group] : by_others) out.push_back(std::move(group));
  return out;
}

GroupAxes GroupFinder::of(const Op& op) {
  const bool permute = op.decl->collective.pairs;
  const DenseAttr* dense = listed(op);
  if (dense == nullptr || dense->literal->type.elements() == 0) {
    GroupAxes all;
    for (std::size_t i = 0; i < mesh_.rank(); ++i) {
      if (mesh_.size(Axis(i)) > 1) all.axes.push_back(Axis(i));
    }
    all.size = mesh_.devices();
    all.along_axes = dense != nullptr || find(op.attributes, name_of_groups(op)) == nullptr;
    return all;
  }
  if (const auto it = known_.find(dense->literal.get()); it != known_.end()) return it->second.second;
  const DeviceGroups groups = *listed_groups(op);
  GroupAxes out = find_axes(groups);
  if (permute) {  // the pairs along an axis need not include every device
    out.along_axes = !out.axes.empty();
    out.size = 1;
    for (const Axis axis : out.axes) out.size *= mesh_.size(axis);
  }
  known_.emplace(dense->literal.get(), std::pair(dense->literal, out));
  return out;
}

GroupAxes GroupFinder::find_axes(const DeviceGroups& groups) const {
  GroupAxes out;
  out.size = static_cast<std::int64_t>(groups[0].size());
  const std::int64_t devices = mesh_.devices();
  const auto device = [](std::int64_t id) { return DeviceId(static_cast<std::size_t>(id)); };
  for (const auto& group : groups) {
    for (const std::int64_t id : group) {
      if (id >= devices) {
        out.along_axes = false;
        return out;
      }
    }
  }
  for (std::size_t i = 0; i < mesh_.rank(); ++i) {
    const Axis axis(i);
    const bool differs = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
      return std::any_of(group.begin(), group.end(), [&](std::int64_t id) {
        return mesh_.coordinate(device(id), axis) != mesh_.coordinate(device(group[0]), axis);
      });
    });
    if (differs) out.axes.push_back(axis);
  }
  std::int64_t product = 1;
  for (const Axis axis : out.axes) product *= mesh_.size(axis);
  // Ids within a group are distinct: a group of this size that agrees on all other axes is complete.
  out.along_axes = std::all_of(groups.begin(), groups.end(),
                               [&](const auto& g) { return static_cast<std::int64_t>(g.size()) == product; });
  return out;
}

}  // namespace partir
