// Walks the units in program order and passes a pending reduction on wherever an entry allows it. For a loop, it starts
// from the assumption that all candidates are carried as pending sums, and repeats the body without those that turn out
// not to be, until the assumption holds.
#include "lowering/pass_on.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ir/control_flow.h"
#include "ir/zeros.h"

namespace partir {
namespace {

bool contains(const auto& axes, Axis a) { return std::find(axes.begin(), axes.end(), a) != axes.end(); }

class PendingPass {
 public:
  PendingPass(const State& state, const RewrittenInfinities& infinities, Units& units)
      : s_(state),
        f_(state.function()),
        infinities_(infinities),
        units_(units),
        type_(f_.types.size(), nullptr),
        home_(f_.types.size(), 0) {}

  void run() {
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) define(f_.arguments()[i], units_.arguments[i], block_);
    block(units_.body);
  }

 private:
  /// Replaces a layout by a changed copy.
  template <class F>
  static void change(SharedLayout& layout, const F& f) {
    Layout changed = *layout;
    f(changed);
    layout = std::move(changed);
  }
  static void set_pending(SharedLayout& layout, const std::vector<Pending>& pending) {
    if (layout->pending != pending) change(layout, [&](Layout& l) { l.pending = pending; });
  }

  void define(ValueId v, const Layout& type, std::size_t block) {
    type_[v.index()] = &type;
    home_[v.index()] = block;
  }
  [[nodiscard]] const Layout& type(ValueId v) const { return *type_[v.index()]; }
  [[nodiscard]] std::int64_t bytes(ValueId v) const { return f_.type(v).bytes(); }

  void block(const std::vector<std::size_t>& units) {
    const std::size_t outside = std::exchange(block_, units.front());
    for (const std::size_t number : units) {
      Unit& u = units_.all[number];
      if (is_loop(u)) {
        loop(number);
        continue;
      }
      for (const auto& region : u.regions) block(region);
      if (u.local != nullptr) operation(number);
      for (std::size_t k = 0; k < u.op->results.size(); ++k) define(u.op->results[k], u.results[k], block_);
    }
    block_ = outside;
  }

  /// Whether only this unit reads the value, and does so in the current block. (A value read in another block, or by
  /// several units, is reduced once for all of them.)
  [[nodiscard]] bool is_only_use(ValueId v, std::size_t unit) const {
    const auto uses = units_.uses.of(v);
    return home_[v.index()] == block_ &&
           std::all_of(uses.begin(), uses.end(), [&](const ValueUses::Use& use) { return use.unit == unit; });
  }

  // --- Operations ----------------------------------------------------------------------------------------------------

  void operation(std::size_t number) {
    Unit& u = units_.all[number];
    reset(u);
    if (u.shift || u.op->decl->entries == nullptr || u.op->results.size() != 1) return;
    std::vector<Pending> pending;
    for (const Unit::Operand& o : u.operands) {
      for (const Pending& p : type(o.value).pending) {
        if (std::find(pending.begin(), pending.end(), p) == pending.end()) pending.push_back(p);
      }
    }
    std::sort(pending.begin(), pending.end());
    for (const auto& [over, monoid] : pending) {
      const auto entry = passing_entry(number, over.axis(), monoid);
      if (!entry) continue;
      const auto add = [&, over = over, monoid = monoid](Layout& layout) { layout.add_pending(over, monoid); };
      change(u.results[0], add);
      for (std::size_t k = 0; k < u.operands.size(); ++k) {
        if (entry->operands[k].is_partial()) change(u.operands[k].needed, add);
      }
      u.passed_on.emplace_back(over.axis(), *entry);
    }
  }

  /// Removes the decisions of an earlier pass over the same loop.
  static void reset(Unit& u) {
    for (Unit::Operand& o : u.operands) set_pending(o.needed, {});
    for (const auto& [axis, entry] : u.passed_on)
      change(u.results[0], [&, axis = axis](Layout& layout) { layout.drop_pending(axis); });
    u.passed_on.clear();
  }

  /// The entry by which the unit passes on a pending reduction of its operands, if there is one and passing on is
  /// worthwhile. Zeros that all devices hold are a pending sum, too: of zeros.
  [[nodiscard]] std::optional<Entry> passing_entry(std::size_t number, Axis axis, Monoid monoid) {
    const Unit& u = units_.all[number];
    if (contains(u.axes, axis)) return std::nullopt;
    std::vector<bool> stays(u.operands.size(), false);
    std::int64_t largest = 0;
    for (std::size_t k = 0; k < u.operands.size(); ++k) {
      const ValueId v = u.operands[k].value;
      const auto held = type(v).pending_over(axis);
      if (!held) continue;
      if (*held != monoid || !is_only_use(v, number)) return std::nullopt;
      stays[k] = true;
      largest = std::max(largest, bytes(v));
    }
    const ValueId result = u.op->results[0];
    if (bytes(result) > largest && !is_added_up(result, axis, largest)) return std::nullopt;
    for (const Entry& e : s_.form(number).entries()) {
      bool fits = e.results[0].is_partial() && e.results[0].monoid == monoid && e.operands.size() == stays.size();
      for (std::size_t k = 0; fits && k < stays.size(); ++k) {
        const bool sums_zeros = monoid == Monoid::sum && is_zeros(s_.splat(u.operands[k].value));
        fits = e.operands[k] == Action::partial(monoid) ? stays[k] || sums_zeros
                                                        : e.operands[k] == Action::any() && !stays[k];
      }
      if (!fits) continue;
      if (stays.size() == 1) return e;
      std::vector<std::optional<Monoid>> partial;
      for (const Action& a : e.operands) partial.push_back(a.is_partial() ? std::optional(monoid) : std::nullopt);
      return needs_finite(*u.op, partial, infinities_) ? std::nullopt : std::optional(e);
    }
    return std::nullopt;
  }

  // --- Loops ---------------------------------------------------------------------------------------------------------

  /// A loop-carried value that may be carried as a pending sum over an axis.
  struct Carried {
    std::size_t flow;
    Axis axis;
    /// The units between the body's block argument and the yielded value, each with the operand through which the sum
    /// passes.
    std::vector<std::pair<std::size_t, ValueId>> chain;
  };

  /// Assumes that all candidates are carried as pending sums, and decides the body. If the body does not yield some of
  /// them in that form, drops these candidates and decides the body again.
  void loop(std::size_t number) {
    Unit& u = units_.all[number];
    const std::vector<Flow> flows = flows_of(*u.op);
    std::vector<Carried> carried = may_carry(number, flows);
    for (const Carried& c : carried) {
      for (const auto& [unit, v] : c.chain) additions_[{unit, c.axis}] = &u;
    }
    while (true) {
      assume(u, flows, carried);
      for (const auto& region : u.regions) block(region);
      const auto failed =
          std::stable_partition(carried.begin(), carried.end(), [&](const Carried& c) { return is_carried(u, c); });
      if (failed == carried.end()) break;
      for (auto it = failed; it != carried.end(); ++it) {
        for (const auto& [unit, v] : it->chain) additions_.erase({unit, it->axis});
      }
      carried.erase(failed, carried.end());
    }
    for (const Carried& c : carried) {
      for (const auto& [unit, v] : c.chain) additions_.erase({unit, c.axis});
    }
  }

  void assume(Unit& u, const std::vector<Flow>& flows, const std::vector<Carried>& carried) {
    for (SharedLayout& type : u.results) set_pending(type, {});
    for (const Carried& c : carried)
      change(u.results[c.flow], [&](Layout& layout) { layout.add_pending(c.axis, Monoid::sum); });
    Unit& yield = units_.all[u.regions.back().back()];
    for (std::size_t k = 0; k < flows.size(); ++k) {
      set_pending(u.operands[k].needed, u.results[k]->pending);
      set_pending(yield.operands[k].needed, u.results[k]->pending);
      for (std::size_t r = 0; r < u.regions.size(); ++r)
        define(u.op->regions[r].arguments[k], u.results[k], u.regions[r].front());
      define(u.op->results[k], u.results[k], block_);
    }
  }

  /// Whether the body yields the value as a pending sum to which something was added.
  [[nodiscard]] bool is_carried(const Unit& u, const Carried& c) const {
    const Unit& yield = units_.all[u.regions.back().back()];
    if (type(yield.operands[c.flow].value).pending_over(c.axis) != Monoid::sum) return false;
    return std::any_of(c.chain.begin(), c.chain.end(), [&](const auto& link) {
      const auto& [number, v] = link;
      const Unit& by = units_.all[number];
      if (is_loop(by)) return true;  // a loop that carries it adds to it
      return std::any_of(by.operands.begin(), by.operands.end(), [&, v = v](const Unit::Operand& o) {
        return o.value != v && type(o.value).pending_over(c.axis).has_value();
      });
    });
  }

  /// The candidates: the initial value is zero (the sum of the devices' zeros) or itself pending; the loop's condition
  /// does not read the value; and the body leads its block argument straight to the yielded value.
  [[nodiscard]] std::vector<Carried> may_carry(std::size_t number, const std::vector<Flow>& flows) const {
    const Unit& u = units_.all[number];
    std::vector<Carried> out;
    for (std::size_t k = 0; k < flows.size(); ++k) {
      const ValueId start = flows[k].from[0];
      const bool zero = is_zeros(s_.splat(start));
      if (!zero && type(start).pending.empty()) continue;
      if (!units_.uses.of(u.op->regions[0].arguments[k]).empty()) continue;
      for (std::size_t a = 0; a < s_.mesh().rank(); ++a) {
        const Axis axis(a);
        if (!zero && (type(start).pending_over(axis) != Monoid::sum || !is_only_use(start, number))) continue;
        if (auto chain = chain_of(u, k, axis)) out.push_back({k, axis, std::move(*chain)});
      }
    }
    return out;
  }

  /// Follows the carried value from the body's block argument to the value yielded in its place, through units that are
  /// the only readers. No unit may be tiled by the axis, since a part of the sum is smaller than a complete addend. The
  /// addend must be as large as the sum; otherwise it is cheaper to reduce it where it is small. For `acc * c + g`, the
  /// chain is the multiplication, then the addition.
  [[nodiscard]] std::optional<std::vector<std::pair<std::size_t, ValueId>>> chain_of(const Unit& loop, std::size_t flow,
                                                                                     Axis axis) const {
    const std::vector<std::size_t>& body = loop.regions.back();
    std::vector<std::pair<std::size_t, ValueId>> out;
    ValueId v = loop.op->regions.back().arguments[flow];
    const Layout* from = nullptr;
    while (true) {
      const auto uses = units_.uses.of(v);
      if (uses.empty()) return std::nullopt;
      const auto [number, operand] = uses[0];
      const Unit& u = units_.all[number];
      if (number == body.back()) {
        const bool yielded = uses.size() == 1 && operand == flow && from != nullptr;
        return yielded && from->dims == loop.results[flow]->dims ? std::optional(std::move(out)) : std::nullopt;
      }
      if (!std::binary_search(body.begin(), body.end(), number)) return std::nullopt;
      if (std::any_of(uses.begin(), uses.end(), [&, n = number](const auto& use) { return use.unit != n; }))
        return std::nullopt;
      out.emplace_back(number, v);
      std::size_t result = 0;
      if (is_loop(u)) {
        if (uses.size() != 1) return std::nullopt;
        result = operand;
      } else if (u.local == nullptr || u.op->results.size() != 1 || contains(u.axes, axis)) {
        return std::nullopt;
      } else {
        const auto is_large = [&, v = v](const Unit::Operand& o) {
          return o.value != v && bytes(o.value) >= bytes(u.op->results[0]);
        };
        const auto is_it = [v = v](const Unit::Operand& o) { return o.value == v; };
        if (std::none_of(u.operands.begin(), u.operands.end(), is_large) &&
            !std::all_of(u.operands.begin(), u.operands.end(), is_it))
          return std::nullopt;
      }
      v = u.op->results[result];
      from = &*u.results[result];
    }
  }

  /// Whether a result that is larger than the operation's operands is added directly to a sum that a loop carries.
  /// Reducing it once after the loop then costs no more bytes than reducing the operands in each iteration (16-bit
  /// gradients accumulated in 32 bits).
  [[nodiscard]] bool is_added_up(ValueId result, Axis axis, std::int64_t smaller) {
    const auto uses = units_.uses.of(result);
    if (uses.size() != 1) return false;
    const auto addition = additions_.find({uses[0].unit, axis});
    if (addition == additions_.end() || addition->second->regions.back().front() != block_) return false;
    if (!trips_) trips_.emplace(f_);
    const auto trips = trips_->of(*addition->second->op);
    return trips && *trips > 0 && (bytes(result) - 1) / *trips < smaller;
  }

  static bool is_loop(const Unit& u) { return u.op->decl->control == Control::loop && runs_regions(*u.op); }

  const State& s_;
  const Function& f_;
  const RewrittenInfinities& infinities_;
  Units& units_;
  std::vector<const Layout*> type_;  ///< by value
  std::vector<std::size_t> home_;    ///< by value: the block that defines it, named by the number of its first unit
  std::size_t block_ = 0;
  /// The units that, by the current assumption, add to a pending sum over an axis, with the loop that carries it.
  std::map<std::pair<std::size_t, Axis>, const Unit*> additions_;
  std::optional<TripCounts> trips_;  ///< computed when first needed
};

}  // namespace

void pass_pending_on(const State& state, const RewrittenInfinities& infinities, Units& units) {
  PendingPass(state, infinities, units).run();
}

}  // namespace partir
