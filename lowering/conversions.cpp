#include "lowering/conversions.h"

#include <algorithm>

namespace partir {
namespace {

/// Whether the step enlarges the value, so that keeping its result for later uses takes memory.
bool enlarges_value(const PlannedConversion& s) { return s.step.kind == Conversion::Kind::all_gather; }

}  // namespace

ValueId Conversions::converted(ValueId v, const Layout& needed) {
  const LoweredValue& value = c_.at(v);
  if (value.type->pending.empty()) return redistributed(v, value.local, value.type, needed, true);
  const auto [local, type] = pending_.reduced(v, needed.pending);
  return redistributed(v, local, type, needed, type->pending.empty());
}

ValueId Conversions::redistributed(ValueId v, ValueId local, const Layout& from, const Layout& needed, bool share) {
  if (from.dims == needed.dims) return local;
  LoweredValue& value = c_.at(v);
  const std::vector<PlannedConversion>& steps = plan(from, needed);
  const bool gathers = std::any_of(steps.begin(), steps.end(), enlarges_value);
  if (value.argument_like && gathers) share = false;
  std::size_t first = 0;  // one past the last step that another use has emitted already
  for (std::size_t k = steps.size(); share && k-- > 0;) {
    const SharedLayout& after = steps[k].after;
    const auto it =
        std::find_if(value.made.begin(), value.made.end(), [&](const auto& made) { return made.first == after; });
    if (it == value.made.end()) continue;
    local = it->second;
    first = k + 1;
    break;
  }
  for (std::size_t k = first; k < steps.size(); ++k) {
    local = applied(steps[k], local, c_.source.type(v));
    if (!share) continue;
    value.made.emplace_back(steps[k].after, local);
    made_.push_back(v);
  }
  return local;
}

const std::vector<PlannedConversion>& Conversions::plan(const Layout& from, const Layout& needed) {
  if (from.pending == needed.pending) return plans_.between(from, needed);
  Layout target = needed;  // the other reductions stay pending, and zeros may be needed as a pending sum
  target.pending = from.pending;
  return plans_.between(from, target);
}

ValueId Conversions::applied(const PlannedConversion& planned, ValueId x, const Type& global) {
  return c_.writer.convert(planned.operation, x, planned.attributes, planned.after->local(global, c_.mesh),
                           planned.after);
}

void Conversions::prepare(const Op& op, std::size_t unit, std::size_t end) {
  if (op.regions.empty()) return;
  for (const ValueId v : captured(op)) {
    LoweredValue& value = c_.at(v);
    if (!value.type->pending.empty()) pending_.reduced(v, {});
    if (!hands_operands_on(op) || value.argument_like) continue;
    const auto uses = c_.units.uses.of(v);
    auto use = std::lower_bound(uses.begin(), uses.end(), ValueUses::Use{unit, 0});
    for (; use != uses.end() && use->unit < end; ++use) {
      const Layout& needed = c_.units.all[use->unit].operands[use->operand].needed;
      if (only_moves(pending_.reduced(v, {}).second, needed)) converted(v, needed);
    }
  }
}

/// Whether a conversion communicates without enlarging the value.
bool Conversions::only_moves(const Layout& from, const Layout& to) {
  if (from.dims == to.dims) return false;
  const std::vector<PlannedConversion>& steps = plan(from, to);
  return std::any_of(steps.begin(), steps.end(), [](const PlannedConversion& s) { return s.step.communicates(); }) &&
         std::none_of(steps.begin(), steps.end(), enlarges_value);
}

void Conversions::forget_since(std::size_t mark) {
  for (; made_.size() > mark; made_.pop_back()) c_.at(made_.back()).made.pop_back();
}

}  // namespace partir
