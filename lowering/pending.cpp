#include "lowering/pending.h"

#include <algorithm>

namespace partir {
namespace {

Attribute name_attribute(Monoid monoid) { return {StringAttr{std::string(name_of(monoid))}}; }

}  // namespace

std::pair<ValueId, SharedLayout> PendingReductions::reduced(ValueId v, const std::vector<Pending>& stays) {
  LoweredValue& value = c_.at(v);
  if (value.type->pending.empty()) return {value.local, value.type};
  if (value.reduced) return *value.reduced;
  const auto is_reduced = [&](const Pending& p) { return std::find(stays.begin(), stays.end(), p) == stays.end(); };
  const Type& global = c_.source.type(v);
  ValueId local = value.local;
  Layout type = value.type;
  for (const Pending& p : value.type->pending) {
    if (!is_reduced(p)) continue;
    const Axis axis = p.over.axis();
    const auto dim = sliced_by_all(v, type, axis);
    if (!dim) continue;
    type.drop_pending(axis);
    type.dims[*dim].push_back(axis);
    local = reduce_scatter(local, global, axis, *dim, p.monoid, type);
  }
  std::map<Monoid, std::vector<Axis>> rest;
  for (const Pending& p : type.pending) {
    if (is_reduced(p)) rest[p.monoid].push_back(p.over.axis());
  }
  for (const auto& [monoid, axes] : rest) {
    for (const Axis a : axes) type.drop_pending(a);
    local = all_reduce(local, global, axes, monoid, type);
  }
  if (!stays.empty()) return {local, std::move(type)};  // only one use, so nothing is cached
  value.reduced = std::make_unique<const std::pair<ValueId, SharedLayout>>(local, std::move(type));
  return *value.reduced;
}

std::optional<Dim> PendingReductions::sliced_by_all(ValueId v, const Layout& type, Axis axis) const {
  std::optional<Dim> dim;
  const auto uses = c_.units.uses.of(v);
  const bool all = std::all_of(uses.begin(), uses.end(), [&](const ValueUses::Use& use) {
    const Layout& needed = c_.units.all[use.unit].operands[use.operand].needed;
    const auto d = needed.tiled_by(axis);
    if (!d || (dim && *dim != *d)) return false;
    dim = d;
    Layout::Dimension want = type.dims[*d];
    want.emplace_back(axis);
    return want.size() <= needed.dims[*d].size() && std::equal(want.begin(), want.end(), needed.dims[*d].begin());
  });
  return all ? dim : std::nullopt;
}

ValueId PendingReductions::reduce_scatter(ValueId x, const Type& global, Axis axis, Dim dim, Monoid monoid,
                                          const Layout& type) {
  const AttributeList attributes = {{"axes", axis_names({axis}, c_.mesh)},
                                    {"dim", {IntAttr{static_cast<std::int64_t>(dim), "i64"}}},
                                    {"monoid", name_attribute(monoid)}};
  return c_.writer.convert("spmd.reduce_scatter", x, attributes, type.local(global, c_.mesh), type);
}

ValueId PendingReductions::all_reduce(ValueId x, const Type& global, const std::vector<Axis>& axes, Monoid monoid,
                                      const Layout& type) {
  AttributeList& attributes = attributes_[{monoid, axes}];
  if (attributes.empty()) attributes = {{"axes", axis_names(axes, c_.mesh)}, {"monoid", name_attribute(monoid)}};
  return c_.writer.convert("spmd.all_reduce", x, attributes, type.local(global, c_.mesh), type);
}

}  // namespace partir
