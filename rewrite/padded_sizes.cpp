#include "rewrite/padded_sizes.h"

#include <algorithm>
#include <numeric>

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

PaddedSizes::PaddedSizes(const Function& f, const Splats& splats) : f_(f), splats_(splats), uses_(f.types.size()) {
  for_each_op(f.body, [&](const Op& op) {
    for (const ValueId v : op.operands) uses_[v.index()].push_back(&op);
    for (const ValueId v : op.results) uses_[v.index()].push_back(&op);
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
    groups_[it->second].parts = std::lcm(groups_[it->second].parts, wanted.parts);
    return;
  }
  groups_.push_back({f_.tensor(wanted.value).dims.at(wanted.dim), wanted.parts});
  std::deque<Place> queue;
  join(start, queue);
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
    const Group& g = groups_[it->second];
    out[d] = out[d] / g.size * ((g.size + g.parts - 1) / g.parts * g.parts);
  }
  return out;
}

bool PaddedSizes::in_own_parts(ValueId v) const {
  const Sizes wide = of(v);
  for (Dim d = 0; d < wide.size(); ++d) {
    const std::int64_t size = f_.tensor(v).dims[d];
    if (wide[d] == size) continue;
    const std::int64_t parts = groups_[group_.at({v, d})].parts;
    if (wide[d] != (size + parts - 1) / parts * parts) return false;
  }
  return true;
}

void PaddedSizes::join(const Place& place, std::deque<Place>& queue) {
  const Group& g = groups_.back();
  const auto& [v, d] = place;
  if (group_.contains(place) || read_inside_.contains(v) || f_.tensor(v).dims[d] % g.size != 0) return;
  group_.emplace(place, groups_.size() - 1);
  queue.push_back(place);
}

void PaddedSizes::visit(const Place& place, std::deque<Place>& queue) {
  const auto& [v, d] = place;
  const auto flow_on = [&, dim = d](const Flow& flow) {
    for (const auto* side : {&flow.from, &flow.to}) {
      for (const ValueId w : *side) join({w, dim}, queue);
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
    for (const Slot& s : slots) join({value(s.number), s.dim}, queue);
  }
  if (op.decl->padded == nullptr || op.results.size() != 1) return;
  // Windows go on with what they are slid over.
  if (op.decl->in_blocks != nullptr) {
    for (const Entry& entry : op.decl->in_blocks(instance)) {
      const std::vector<Slot> slots = tiled_slots(entry);
      const bool is_along = slots.size() == 2 && slots[0].number == 0 && slots[1].number == op.operands.size() &&
                            slots[0].dim == slots[1].dim;
      if (!is_along || slots[0].dim != d || (op.operands[0] != v && op.results[0] != v) ||
          !op.decl->padded(instance, 0, d, 2 * instance.operands[0]->dims[d]))
        continue;
      join({op.operands[0], d}, queue);
      join({op.results[0], d}, queue);
    }
    return;
  }
  // What an operation replaces elements of goes on as its operand does.
  const bool replaces = op.decl->traits.update.has_value();
  if (!op.operands.empty() && (op.operands[0] == v || op.results[0] == v) && replaces) {
    const auto wide = op.decl->padded(instance, 0, d, 2 * instance.operands[0]->dims[d]);
    if (!wide || f_.tensor(op.results[0]).rank() <= d) return;
    join({op.operands[0], d}, queue);
    join({op.results[0], d}, queue);
  }
}

OpInstance PaddedSizes::instance(const Op& op) const { return instance_of(f_, op, splats_); }

}  // namespace partir
