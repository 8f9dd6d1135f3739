#include "lowering/gather_before_broadcast.h"

#include <algorithm>

#include "ir/control_flow.h"

namespace partir {
namespace {

bool has_axis(const Layout& layout, Axis axis) {
  return std::any_of(layout.dims.begin(), layout.dims.end(), [axis](const Layout::Dimension& dim) {
    return std::any_of(dim.begin(), dim.end(), [axis](const Factor& f) { return f.axis() == axis; });
  });
}

Layout without(Layout layout, const std::vector<Axis>& axes) {
  for (Layout::Dimension& dim : layout.dims) {
    std::erase_if(dim, [&](const Factor& f) { return std::find(axes.begin(), axes.end(), f.axis()) != axes.end(); });
  }
  return layout;
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
      if (enlarges(u) || precedes_changed(u)) change(k, gathered_axes(u));
    }
  }

 private:
  [[nodiscard]] bool enlarges(const Unit& u) const {
    const Function& f = s_.function();
    return f.tensor(u.op->results[0]).elements() > f.tensor(u.operands[0].value).elements();
  }

  [[nodiscard]] bool precedes_changed(const Unit& u) const {
    const auto uses = units_.uses.of(u.op->results[0]);
    return std::any_of(uses.begin(), uses.end(), [&](const ValueUses::Use& use) { return changed_[use.unit]; });
  }

  /// The axes of the unit's entries that no use of its result needs.
  [[nodiscard]] std::vector<Axis> gathered_axes(const Unit& u) const {
    std::vector<Axis> out;
    const auto uses = units_.uses.of(u.op->results[0]);
    if (uses.empty()) return out;
    for (const Axis axis : u.axes) {
      const bool needed = std::any_of(uses.begin(), uses.end(), [&](const ValueUses::Use& use) {
        return has_axis(units_.all[use.unit].operands[use.operand].needed, axis);
      });
      if (!needed) out.push_back(axis);
    }
    return out;
  }

  void change(std::size_t number, const std::vector<Axis>& axes) {
    if (axes.empty()) return;
    Unit& u = units_.all[number];
    OpInstance local = s_.global(number);
    for (const Step* step : s_.computed(number).steps) {
      if (std::find(axes.begin(), axes.end(), step->axis) != axes.end()) continue;
      auto next = localize(local, step->entry, s_.mesh().size(step->axis));
      if (!next) return;
      local = std::move(*next);
    }
    units_.localized.push_back(std::move(local));
    u.local = &units_.localized.back();
    u.operands[0].needed = without(u.operands[0].needed, axes);
    u.results[0] = without(u.results[0], axes);
    std::erase_if(u.axes, [&](Axis a) { return std::find(axes.begin(), axes.end(), a) != axes.end(); });
    u.left_out = axes;
    changed_[number] = true;
  }

  const State& s_;
  Units& units_;
  std::vector<bool> changed_;
};

}  // namespace

void gather_before_broadcasts(const State& state, Units& units) { Broadcasts(state, units).run(); }

}  // namespace partir
