// Each requested dimension starts a breadth-first search over flows and over the entries of the operations that read or
// define a value; every dimension reached joins the group with its ratio of sizes.
#include "rewrite/padded_sizes.h"

#include <algorithm>
#include <numeric>

#include "ir/by_offsets.h"
#include "ir/ops/padded.h"

namespace partir {
namespace {

bool contains(const std::vector<ValueId>& list, ValueId v) {
  return std::find(list.begin(), list.end(), v) != list.end();
}

}  // namespace

std::vector<Slot> tiled_slots(const Entry& entry) {
  std::vector<Slot> out;
  if (entry.has_partial_operand()) return out;
  for (std::size_t k = 0; k < entry.operands.size(); ++k) {
    if (entry.operands[k].is_tile()) out.push_back({k, entry.operands[k].dim});
  }
  for (std::size_t k = 0; k < entry.results.size(); ++k) {
    if (entry.results[k].is_tile()) out.push_back({entry.operands.size() + k, entry.results[k].dim});
  }
  return out;
}

std::optional<Function> longer_form(const OpInstance& op, Dim dim) {
  constexpr std::int64_t kMostTimes = 8;
  for (std::int64_t times = 2; times <= kMostTimes; ++times) {
    if (auto out = op.decl->padded(op, 0, dim, times * op.operands[0]->dims.at(dim))) return out;
  }
  return std::nullopt;
}

PaddedSizes::PaddedSizes(const Function& f, const Splats& splats)
    : f_(f), splats_(splats), infinities_(f), uses_(f.types.size()) {
  const ByOffsetsSubjects subjects(f);
  for_each_op(f.body, [&](const Op& op) {
    const auto note = [&](const Op& o) {
      for (const ValueId v : o.operands) uses_[v.index()].push_back(&o);
      for (const ValueId v : o.results) uses_[v.index()].push_back(&o);
    };
    note(op);
    if (auto fused = subjects.fused_selection(op)) note(fused_.emplace_back(std::move(*fused)));
    if (runs_regions(op)) {
      for (const Flow& flow : flows_of(op)) {
        for (const auto* side : {&flow.from, &flow.to}) {
          for (const ValueId v : *side) flows_[v].push_back(flow);
        }
      }
    } else {
      for (const ValueId v : captured(op)) read_inside_.insert(v);
      for (const Flow& flow : flows_of(op)) flows_of_barrier_[&op].push_back(flow);
    }
  });
}

void PaddedSizes::add(const UnevenDim& wanted) {
  const Place start{wanted.value, wanted.dim};
  if (const auto it = group_.find(start); it != group_.end()) {
    Group& g = groups_[it->second.group];
    g.parts = std::lcm(g.parts, wanted.parts);
    g.multiple = std::lcm(g.multiple, g.parts);
    return;
  }
  groups_.push_back({f_.tensor(wanted.value).dims.at(wanted.dim), wanted.parts, wanted.parts});
  std::deque<Place> queue;
  join(start, Member{groups_.size() - 1}, queue);
  while (!queue.empty()) {
    const Place at = queue.front();
    queue.pop_front();
    visit(at, queue);
  }
}

PaddedSizes::Sizes PaddedSizes::of(ValueId v) const {
  if (!f_.type(v).is_tensor()) return {};
  Sizes out = f_.tensor(v).dims;
  for (Dim d = 0; d < out.size(); ++d) {
    const auto it = group_.find({v, d});
    if (it == group_.end()) continue;
    const Member& m = it->second;
    const std::int64_t whole = groups_[m.group].padded();
    if (whole % m.over == 0) out[d] = std::max(out[d], whole / m.over * m.times);
  }
  return out;
}

bool PaddedSizes::in_own_parts(ValueId v) const {
  const Sizes wide = of(v);
  for (Dim d = 0; d < wide.size(); ++d) {
    const std::int64_t size = f_.tensor(v).dims[d];
    if (wide[d] == size) continue;
    const Group& g = groups_[group_.at({v, d}).group];
    if (wide[d] != Group{size, g.parts, g.multiple}.padded()) return false;
  }
  return true;
}

std::int64_t PaddedSizes::size_of(const Place& place) const { return f_.tensor(place.first).dims[place.second]; }

void PaddedSizes::join(const Place& place, const Member& as, std::deque<Place>& queue) {
  Group g = groups_[as.group];
  const std::int64_t divisor = std::gcd(as.times, as.over);
  const Member member{as.group, as.times / divisor, as.over / divisor};
  const auto divides = [&] {
    return g.padded() % member.over == 0 &&
           (member.over == 1 || g.padded() / member.over * member.times % g.parts == 0);
  };
  // Parts that a stride does not divide get a few elements more, if they have that many.
  if (!divides() && member.over <= g.padded() / g.parts) g.multiple = std::lcm(g.multiple, member.over * g.parts);
  if (group_.contains(place) || read_inside_.contains(place.first) || !divides() ||
      g.padded() / member.over * member.times < size_of(place))
    return;
  groups_[as.group] = g;
  group_.emplace(place, member);
  queue.push_back(place);
}

void PaddedSizes::join(const Place& place, const Place& from, std::int64_t times, std::int64_t over,
                       std::deque<Place>& queue) {
  const Member& other = group_.at(from);
  join(place, {other.group, other.times * times, other.over * over}, queue);
}

void PaddedSizes::join(const Place& place, const Place& from, std::deque<Place>& queue) {
  const std::int64_t mine = size_of(place);
  const std::int64_t other = size_of(from);
  const Member& member = group_.at(from);
  const std::int64_t unit = groups_[member.group].size;
  // A factor that a dimension is split into, or the product that several are merged into, is a whole number of units.
  const bool in_units = other % unit == 0 && mine % unit == 0 && member.over == 1;
  if (mine == other || in_units || (other != 0 && mine % other == 0)) join(place, from, mine, other, queue);
}

void PaddedSizes::visit(const Place& place, std::deque<Place>& queue) {
  const auto& [v, d] = place;
  const auto flow_on = [&, dim = d](const Flow& flow) {
    for (const auto* side : {&flow.from, &flow.to}) {
      for (const ValueId w : *side) join({w, dim}, place, queue);
    }
  };
  if (const auto it = flows_.find(v); it != flows_.end()) std::for_each(it->second.begin(), it->second.end(), flow_on);
  for (const Op* op : uses_[v.index()]) {
    if (const auto it = flows_of_barrier_.find(op); it != flows_of_barrier_.end()) {
      for (const Flow& flow : it->second) {
        if (contains(flow.from, v) || contains(flow.to, v)) flow_on(flow);
      }
    } else if (!runs_regions(*op)) {
      through(*op, v, d, queue);
    }
  }
}

void PaddedSizes::through(const Op& op, ValueId v, Dim d, std::deque<Place>& queue) {
  const auto value = [&](std::size_t number) {
    return number < op.operands.size() ? op.operands[number] : op.results[number - op.operands.size()];
  };
  const OpInstance instance = this->instance(op);
  for (const Entry& entry : entries_of(instance)) {
    const std::vector<Slot> slots = tiled_slots(entry);
    const auto is_here = [&](const Slot& s) { return value(s.number) == v && s.dim == d; };
    if (std::none_of(slots.begin(), slots.end(), is_here)) continue;
    for (const Slot& s : slots) join({value(s.number), s.dim}, {v, d}, queue);
  }
  if (op.decl->padded == nullptr) return;
  if (op.results.size() != 1) return together(op, instance, {v, d}, queue);
  if (op.decl->in_blocks != nullptr) {
    windows(op, instance, {v, d}, queue);
    return;
  }
  joined(op, instance, {v, d}, queue);
  nearly_whole(op, instance, {v, d}, queue);
  // An operation that updates elements of operand 0 pads its result like that operand.
  const bool replaces = op.decl->traits.update.has_value();
  if (!op.operands.empty() && (op.operands[0] == v || op.results[0] == v) && replaces) {
    const auto wide = op.decl->padded(instance, 0, d, 2 * instance.operands[0]->dims[d]);
    if (!wide || f_.tensor(op.results[0]).rank() <= d) return;
    join({op.operands[0], d}, {v, d}, queue);
    join({op.results[0], d}, {v, d}, queue);
  }
}

/// Operands that an operation pads together, such as the values and positions of an argmax.
void PaddedSizes::together(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue) {
  const auto& [v, d] = place;
  const auto at = std::find(op.operands.begin(), op.operands.end(), v);
  if (at == op.operands.end()) return;
  const auto k = static_cast<std::size_t>(at - op.operands.begin());
  const auto wide = op.decl->padded(instance, k, d, 2 * instance.operands[k]->dims[d]);
  if (!wide) return;
  for (std::size_t other = 0; other < op.operands.size(); ++other) {
    if (wide->type(wide->arguments()[other]) != instance.operands[other]) join({op.operands[other], d}, place, queue);
  }
}

/// The result of a concatenate is as long as the operand that is nearly all of it, and as a value of its own length
/// that an operand is a slice of (a rotation).
void PaddedSizes::joined(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue) {
  const auto& [v, d] = place;
  if (ops::joins_along(instance, d)) {
    for (const ValueId x : op.operands) {
      const auto whole = sliced(x);
      const bool rotates = whole && f_.tensor(*whole).dims[d] == instance.results[0]->dims[d];
      const ValueId like = rotates ? *whole : x;
      if ((v != like && v != op.results[0]) || !ops::is_most_of(f_.tensor(like), *instance.results[0], d)) continue;
      for (const ValueId w : {like, op.results[0]}) join({w, d}, place, 1, 1, queue);
    }
  }
  if (op.operands.size() != 1 || op.operands[0] != v || !sliced(op.results[0])) return;
  for (const Op* use : uses_[op.results[0].index()]) {
    if (use != &op && ops::joins_along(this->instance(*use), d)) joined(*use, this->instance(*use), place, queue);
  }
}

/// The value that `v` is a slice of.
std::optional<ValueId> PaddedSizes::sliced(ValueId v) const {
  for (const Op* op : uses_[v.index()]) {
    if (op->results == std::vector{v} && op->decl->traits.cuts && op->decl->traits.rearranges) return op->operands[0];
  }
  return std::nullopt;
}

/// The result of a slice of all but a few elements is as long as the operand over the stride.
void PaddedSizes::nearly_whole(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue) {
  const Dim d = place.second;
  if (op.operands.size() != 1 || d >= instance.operands[0].rank() || !ops::is_nearly_whole(instance, d)) return;
  const std::int64_t stride = instance.ints("strides")[d];
  if (op.operands[0] == place.first) {
    join({op.results[0], d}, place, 1, stride, queue);
  } else {
    join({op.operands[0], d}, place, stride, 1, queue);
  }
}

/// The number of windows grows with the operand over which they slide: as many as fit over it, padding included. The
/// ratios are those of a longer form.
void PaddedSizes::windows(const Op& op, const OpInstance& instance, const Place& place, std::deque<Place>& queue) {
  const auto& [v, d] = place;
  if (instance.operands[0].rank() <= d || (op.decl->traits.selects && !infinities_.of(op.operands[0]).none())) return;
  const auto wide = longer_form(instance, d);
  if (!wide) return;
  std::vector<std::pair<ValueId, std::int64_t>> longer;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const Type& type = wide->type(wide->arguments()[k]);
    if (type != instance.operands[k]) longer.emplace_back(op.operands[k], type->dims.at(d));
  }
  const Type& result = wide->type(wide->returned().at(0));
  if (result != instance.results[0]) longer.emplace_back(op.results[0], result->dims.at(d));
  const auto mine =
      std::find_if(longer.begin(), longer.end(), [&, v = v](const auto& other) { return other.first == v; });
  if (mine == longer.end()) return;
  for (const auto& [w, size] : longer) join({w, d}, place, size, mine->second, queue);
}

OpInstance PaddedSizes::instance(const Op& op) const { return instance_of(f_, op, splats_); }

}  // namespace partir
