#include "simulate/collectives.h"

#include "simulate/block_graph.h"

namespace partir {

std::optional<CollectiveKind> Collectives::kind_of(const Op& op) { return op.decl->collective.kind; }

CollectiveGroup Collectives::make(GroupAxes axes) const {
  CollectiveGroup out;
  out.segments = axes.along_axes ? network_.segments(axes.axes) : network_.irregular(axes.size);
  out.axes = std::move(axes);
  out.decomposes = !out.segments.empty();
  for (const Segment& s : out.segments) {
    out.resources |= s.resources;
    out.decomposes = out.decomposes && s.link->decomposes;
    out.occupies = std::max(out.occupies, s.link->occupies);
  }
  return out;
}

const CollectiveGroup& Collectives::group_of(const Op& op) {
  const Attribute* axes = op.decl->collective.expands_to != nullptr ? find(op.attributes, "axes") : nullptr;
  const ArrayAttr* names = axes != nullptr ? axes->as<ArrayAttr>() : nullptr;
  GroupAxes group;
  if (names != nullptr && find(op.attributes, "replica_groups") == nullptr) {
    for (const Attribute& item : names->items) {
      const auto axis = mesh_.find(item.as<StringAttr>()->value);
      if (!axis) continue;
      group.axes.push_back(*axis);
      group.size *= mesh_.size(*axis);
    }
    std::sort(group.axes.begin(), group.axes.end());
  } else {
    group = finder_.of(op);
  }
  std::string key(group.along_axes ? "" : "irregular");
  key.append(reinterpret_cast<const char*>(&group.size), sizeof group.size);
  for (const Axis a : group.axes) key += static_cast<char>('A' + a.index());
  const auto it = by_axes_.find(key);
  return it != by_axes_.end() ? it->second : by_axes_.emplace(key, make(std::move(group))).first->second;
}

double Collectives::seconds(CollectiveKind kind, const CollectiveGroup& group, double bytes) const {
  return group.axes.size > 1 ? collective_seconds(kind, bytes, group.segments) : 0;
}

const CollectiveTime& Collectives::of(const Function& function, const Op& op, CollectiveKind kind) {
  const CollectiveGroup& group = group_of(op);
  double bytes = 0;
  for (const ValueId v : kind == CollectiveKind::all_gather ? op.results : op.operands) bytes += bytes_of(function, v);
  const CollectiveGroup* address = &group;
  key_.clear();
  key_ += static_cast<char>(kind);
  key_.append(reinterpret_cast<const char*>(&address), sizeof address);
  key_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  const auto [it, fresh] = times_.try_emplace(key_);
  if (fresh) it->second = {kind, &group, bytes, seconds(kind, group, bytes)};
  return it->second;
}

}  // namespace partir
