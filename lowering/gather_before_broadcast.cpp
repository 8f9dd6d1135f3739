#include "lowering/gather_before_broadcast.h"

#include <algorithm>

#include "ir/control_flow.h"

namespace partir {
namespace {

/// The dimension that the axis tiles; nullopt if it tiles none.
std::optional<Dim> dim_of(const Layout& layout, Axis axis) {
  for (Dim d = 0; d < layout.dims.size(); ++d) {
    for (const Factor& f : layout.dims[d]) {
      if (f.axis() == axis) return d;
    }
  }
  return std::nullopt;
}

class Broadcasts {
 public:
  Broadcasts(const State& state, Units& units) : s_(state), units_(units), changed_(units.all.size()) {}

  void run() {
    // Backwards, so that a broadcast of a broadcast follows what is decided for the later one.
    for (std::size_t k = units_.all.size(); k-- > 0;) {
      Unit& u = units_.all[k];
      if (u.op == nullptr || u.local == nullptr || !u.op->decl->traits.repeats || u.shift || u.operands.size() != 1)
        continue;
      if (!u.results[0]->pending.empty() || !u.operands[0].needed->pending.empty()) continue;
      if (s_.enlarges(k) || precedes_changed(u)) change(k);
    }
  }

 private:
  [[nodiscard]] bool precedes_changed(const Unit& u) const {
    const auto uses = units_.uses.of(u.op->results[0]);
    return std::any_of(uses.begin(), uses.end(), [&](const ValueUses::Use& use) { return changed_[use.unit]; });
  }

  /// What all uses of the result need along the axis: a dimension of it, or none; nullopt if they differ, or if there
  /// are no uses.
  [[nodiscard]] std::optional<std::optional<Dim>> needed_along(ValueId result, Axis axis) const {
    std::optional<std::optional<Dim>> out;
    for (const ValueUses::Use& use : units_.uses.of(result)) {
      const auto dim = dim_of(units_.all[use.unit].operands[use.operand].needed, axis);
      if (out && *out != dim) return std::nullopt;
      out.emplace(dim);
    }
    return out;
  }

  /// The entries of the broadcast as its uses need them, outermost first; nullopt if they are those that it has.
  [[nodiscard]] std::optional<std::vector<std::pair<Axis, Entry>>> entries_for_uses(std::size_t number) const {
    const ValueId result = units_.all[number].op->results[0];
    std::vector<std::pair<Axis, Entry>> out;
    bool changed = false;
    for (const Step* step : s_.computed(number).steps) {
      const Action& has = step->entry.results[0];
      const auto wanted = has.is_tile() ? needed_along(result, step->axis) : std::nullopt;
      if (!wanted || *wanted == has.dim) {
        out.emplace_back(step->axis, step->entry);
        continue;
      }
      changed = true;
      if (!*wanted) continue;  // needed replicated
      const auto& entries = s_.global_form(number).entries();
      const auto entry = std::find_if(entries.begin(), entries.end(),
                                      [&](const Entry& e) { return e.results[0] == Action::tile(**wanted); });
      if (entry == entries.end()) return std::nullopt;
      out.emplace_back(step->axis, *entry);
    }
    return changed ? std::optional(std::move(out)) : std::nullopt;
  }

  void change(std::size_t number) {
    auto entries = entries_for_uses(number);
    if (!entries) return;
    OpInstance local = s_.global(number);
    std::vector<TileDecision> operand;
    std::vector<TileDecision> result;
    decltype(Unit::axes) axes;
    for (const auto& [axis, entry] : *entries) {
      auto next = localize(local, entry, s_.mesh().size(axis));
      if (!next) return;
      local = std::move(*next);
      if (entry.operands[0].is_tile()) operand.push_back({axis, entry.operands[0].dim});
      if (entry.results[0].is_tile()) result.push_back({axis, entry.results[0].dim});
      axes.push_back(axis);
    }
    Unit& u = units_.all[number];
    u.operands[0].needed = layout_of(operand, local.operands[0].rank());
    u.results[0] = layout_of(result, local.results[0].rank());
    units_.localized.push_back(std::move(local));
    u.local = &units_.localized.back();
    u.axes = std::move(axes);
    u.instead = std::move(entries);
    changed_[number] = true;
  }

  const State& s_;
  Units& units_;
  std::vector<bool> changed_;
};

}  // namespace

void gather_before_broadcasts(const State& state, Units& units) { Broadcasts(state, units).run(); }

}  // namespace partir
