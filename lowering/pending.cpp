#include "lowering/pending.h"

#include <algorithm>

namespace partir {
namespace {

bool contains(const std::vector<Axis>& axes, Axis a) { return std::find(axes.begin(), axes.end(), a) != axes.end(); }

Attribute name_attribute(Monoid monoid) { return {StringAttr{std::string(name_of(monoid))}}; }

}  // namespace

std::pair<ValueId, Layout> PendingReductions::reduced(ValueId v, const std::vector<Axis>& stay) {
  LoweredValue& value = c_.at(v);
  if (value.type.pending.empty()) return {value.local, value.type};
  if (value.reduced) return *value.reduced;
  const Type& global = c_.source.type(v);
  ValueId local = value.local;
  Layout type = value.type;
  for (const auto& [over, monoid] : value.type.pending) {
    const Axis axis = over.axis();
    if (contains(stay, axis)) continue;
    const auto dim = sliced_by_all(value, type, axis);
    if (!dim) continue;
    type.drop_pending(axis);
    type.dims[*dim].push_back(axis);
    local = reduce_scatter(local, global, axis, *dim, monoid, type);
  }
  std::map<Monoid, std::vector<Axis>> rest;
  for (const auto& [over, monoid] : type.pending) {
    if (!contains(stay, over.axis())) rest[monoid].push_back(over.axis());
  }
  for (const auto& [monoid, axes] : rest) {
    for (const Axis a : axes) type.drop_pending(a);
    local = all_reduce(local, global, axes, monoid, type);
  }
  if (!stay.empty()) return {local, type};  // this is the only use
  value.reduced = {local, type};
  return *value.reduced;
}

std::optional<Dim> PendingReductions::sliced_by_all(const LoweredValue& value, const Layout& type, Axis axis) const {
  std::optional<Dim> dim;
  const bool all = std::all_of(value.uses.begin(), value.uses.end(), [&](const LoweredValue::Use& use) {
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

std::vector<std::pair<Axis, Entry>> PendingReductions::passed_on(std::size_t number) const {
  const Unit& u = c_.units.all[number];
  std::vector<std::pair<Axis, Entry>> out;
  const auto is_pending = [&](const Unit::Operand& o) { return !c_.at(o.value).type.pending.empty(); };
  if (std::none_of(u.operands.begin(), u.operands.end(), is_pending)) return out;
  if (u.local == nullptr || u.shift || u.op->decl->entries == nullptr || u.op->results.size() != 1) return out;
  std::vector<Pending> pending;
  for (const Unit::Operand& o : u.operands) {
    for (const Pending& p : c_.at(o.value).type.pending) {
      if (std::find(pending.begin(), pending.end(), p) == pending.end()) pending.push_back(p);
    }
  }
  std::sort(pending.begin(), pending.end());
  const std::vector<Entry>& entries = c_.state.form(number).entries();
  for (const auto& [over, monoid] : pending) {
    const Axis axis = over.axis();
    if (contains(u.axes, axis)) continue;
    std::vector<bool> stays(u.operands.size(), false);
    bool possible = true;
    std::int64_t largest = 0;
    for (std::size_t k = 0; k < u.operands.size() && possible; ++k) {
      const LoweredValue& value = c_.at(u.operands[k].value);
      const auto held = value.type.pending_over(axis);
      if (!held) continue;
      // Once reduced for another use it is replicated; so is what other units use too.
      const bool only_here = std::all_of(value.uses.begin(), value.uses.end(),
                                         [&](const LoweredValue::Use& use) { return use.unit == number; });
      possible = *held == monoid && only_here && !value.reduced;
      stays[k] = true;
      largest = std::max(largest, c_.source.type(u.operands[k].value).bytes());
    }
    if (!possible || c_.source.type(u.op->results[0]).bytes() > largest) continue;
    const auto fits = [&, &monoid = monoid](const Entry& e) {
      bool same = e.results[0].is_partial() && e.results[0].monoid == monoid && e.operands.size() == u.operands.size();
      for (std::size_t k = 0; same && k < u.operands.size(); ++k)
        same = e.operands[k] == (stays[k] ? Action::partial(monoid) : Action::any());
      return same;
    };
    const auto entry = std::find_if(entries.begin(), entries.end(), fits);
    if (entry != entries.end()) out.emplace_back(axis, *entry);
  }
  return out;
}

}  // namespace partir
