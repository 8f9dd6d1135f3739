#include "verify/check_layouts.h"

#include <algorithm>

#include "ir/attribute.h"
#include "ir/literal.h"

namespace partir {
namespace {

using Rows = std::vector<std::vector<std::int64_t>>;

std::vector<Axis> axes_of(const Op& op, const Mesh& mesh) {
  std::vector<Axis> out;
  for (const Attribute& a : find(op.attributes, "axes")->as<ArrayAttr>()->items)
    out.push_back(*mesh.find(a.as<StringAttr>()->value));
  return out;
}

std::int64_t number(const Op& op, const char* key) { return find(op.attributes, key)->as<IntAttr>()->value; }

Rows rows_of(const Attribute& table) {
  const Literal& literal = *table.as<DenseAttr>()->literal;
  Rows out(static_cast<std::size_t>(literal.type.dims[0]));
  for (std::int64_t k = 0; k < literal.type.elements(); ++k)
    out[static_cast<std::size_t>(k / literal.type.dims[1])].push_back(literal.as_int(k));
  return out;
}

/// Every device of the mesh once.
bool covers(const Rows& rows, std::size_t devices) {
  std::vector<bool> seen(devices, false);
  std::size_t count = 0;
  for (const auto& row : rows) {
    for (const std::int64_t d : row) {
      if (d < 0 || static_cast<std::size_t>(d) >= devices || seen[static_cast<std::size_t>(d)]) return false;
      seen[static_cast<std::size_t>(d)] = true;
      ++count;
    }
  }
  return count == devices;
}

}  // namespace

std::optional<std::string> check_layouts(const Op& op, const DeviceLayout& before, const DeviceLayout& after,
                                         const Mesh& mesh) {
  const auto devices = static_cast<std::size_t>(mesh.devices());
  const std::string& name = op.name();
  DeviceLayout want = before;
  if (name == "spmd.collective_permute") {
    const Rows pairs = rows_of(*find(op.attributes, "source_target_pairs"));
    Rows targets;
    for (const auto& pair : pairs) targets.push_back({pair[1]});
    if (!covers(targets, devices)) return "a permute that does not reach every device once";
    for (const auto& pair : pairs) {
      for (std::size_t d = 0; d < before.chunk.size(); ++d)
        want.chunk[d][static_cast<std::size_t>(pair[1])] = before.chunk[d].at(static_cast<std::size_t>(pair[0]));
    }
  } else if (name == "spmd.all_slice") {
    const auto dim = static_cast<std::size_t>(number(op, "dim"));
    std::vector<std::pair<std::int64_t, std::int64_t>> digits;  // stride, size
    if (find(op.attributes, "stride") != nullptr) {
      digits.emplace_back(number(op, "stride"), number(op, "size"));
    } else {
      for (const Axis a : axes_of(op, mesh)) digits.emplace_back(mesh.stride(a), mesh.size(a));
    }
    for (const auto& [stride, size] : digits) {
      want.parts[dim] *= size;
      for (std::size_t e = 0; e < devices; ++e)
        want.chunk[dim][e] = want.chunk[dim][e] * size + static_cast<std::int64_t>(e) / stride % size;
    }
  } else if (name == "spmd.all_to_all" || name == "spmd.all_gather") {
    const bool gathers = name == "spmd.all_gather";
    const auto from = static_cast<std::size_t>(number(op, gathers ? "dim" : "from"));
    const auto to = static_cast<std::size_t>(number(op, gathers ? "dim" : "to"));
    const Attribute* groups = find(op.attributes, "replica_groups");
    const Rows rows = groups != nullptr ? rows_of(*groups) : mesh.groups(axes_of(op, mesh));
    if (!covers(rows, devices)) return "groups that do not hold every device once";
    const auto size = static_cast<std::int64_t>(rows[0].size());
    if (before.parts[from] % size != 0) return "groups whose size does not divide the number of parts";
    want.parts[from] /= size;
    if (!gathers) want.parts[to] *= size;
    for (const auto& row : rows) {
      const auto base = before.held_by(static_cast<std::size_t>(row[0]));
      for (std::size_t k = 0; k < row.size(); ++k) {
        const auto device = static_cast<std::size_t>(row[k]);
        auto held = base;
        held[from] += static_cast<std::int64_t>(k);
        if (base[from] % size != 0 || before.held_by(device) != held)
          return "a group whose parts do not lie side by side in the group's order";
        want.chunk[from][device] /= size;
        if (!gathers) want.chunk[to][device] = want.chunk[to][device] * size + static_cast<std::int64_t>(k);
      }
    }
  } else {
    return "no step of a conversion";
  }
  if (!(want == after)) return "its result's layout is not what it does to the operand's";
  return std::nullopt;
}

}  // namespace partir
