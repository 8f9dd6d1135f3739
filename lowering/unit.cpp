#include "lowering/unit.h"

#include <deque>
#include <map>

#include "ir/control_flow.h"
#include "lowering/gather_before_broadcast.h"
#include "lowering/pass_on.h"
#include "rewrite/yielded.h"
#include "support/check.h"

namespace partir {
namespace {

class UnitReader {
 public:
  UnitReader(const State& state, const LazyInfinities& given)
      : s_(state), f_(state.function()), infinities_(given, f_), yielded_(state) {}

  Units run() {
    out_.all.resize(s_.operations());
    for (std::size_t i = 0; i < f_.arguments().size(); ++i)
      out_.arguments.emplace_back(layout_of(s_.argument(i), f_.type(f_.arguments()[i]).rank()));
    out_.body = block(f_.body, [&](std::size_t k, ValueId) { return yielded_.result(k); });
    const auto reorder = [&](SharedLayout& layout, const std::vector<std::int64_t>& order) {
      layout = layout->in_order(order, s_.mesh());
    };
    for (const auto& [i, order] : s_.orders().arguments) reorder(out_.arguments[i], order);
    for (const auto& [k, order] : s_.orders().results) reorder(out_.all[out_.body.back()].operands.at(k).needed, order);
    out_.uses = ValueUses(out_.all, f_.types.size());
    pass_pending_on(s_, infinities_, out_);
    gather_before_broadcasts(s_, out_);
    return std::move(out_);
  }

 private:
  /// Reads the units of a block; `tiling(k, v)` returns the tiling of operand k of its terminator.
  template <class F>
  std::vector<std::size_t> block(const Block& b, const F& tiling) {
    std::vector<std::size_t> out;
    out.reserve(b.ops.size());
    for (const Op& op : b.ops) {
      const std::size_t site = s_.site_of(op.id);
      out.push_back(site);
      Unit& u = out_.all[site];
      u.op = &op;
      if (op.decl->kind == OpDecl::Kind::terminator) {
        for (std::size_t k = 0; k < op.operands.size(); ++k)
          u.operands.push_back({op.operands[k], layout_of(tiling(k, op.operands[k]), rank(op.operands[k]))});
      } else if (runs_regions(op) || hands_operands_on(op)) {
        control_flow(site, op);
      } else {
        operation(site, op);
      }
    }
    return out;
  }

  [[nodiscard]] std::size_t rank(ValueId v) const { return f_.type(v).rank(); }

  void operation(std::size_t site, const Op& op) {
    Unit& u = out_.all[site];
    const State::Computation computed = s_.computed(site);
    u.local = &computed.form->instance();
    u.shift = computed.shift;
    for (const Step* step : computed.steps) u.axes.push_back(step->axis);
    u.operands.reserve(op.operands.size() + (op.regions.empty() ? 0 : 4));
    for (std::size_t k = 0; k < op.operands.size(); ++k)
      u.operands.push_back({op.operands[k], layout(op.operands[k], computed.steps, &Entry::operands, k)});
    u.results.reserve(op.results.size());
    for (std::size_t k = 0; k < op.results.size(); ++k)
      u.results.push_back(layout(op.results[k], computed.steps, &Entry::results, k));
    if (u.shift) u.operands.resize(1);  // collective_permute itself fills in zeros
    if (op.regions.empty()) return;
    for (const ValueId v : captured(op)) u.operands.push_back({v, replicated(rank(v))});
  }

  /// The layout of operand or result k of an operation that took these entries; equal layouts are shared.
  const SharedLayout& layout(ValueId v, const SmallVector<const Step*, 4>& steps, std::vector<Action> Entry::*side,
                             std::size_t k) {
    key_.clear();
    for (const Step* step : steps) {
      const Action& a = (step->entry.*side)[k];
      if (a.is_tile() || a.is_partial()) key_.emplace_back(step->axis, a);
    }
    if (key_.empty()) return replicated(rank(v));
    const auto [it, added] = layouts_.try_emplace({rank(v), key_});
    if (added) {
      Layout made = Layout::replicated(rank(v));
      for (const auto& [axis, a] : key_) {
        if (a.is_tile()) made.dims.at(a.dim).emplace_back(axis);
        if (a.is_partial()) made.add_pending(axis, a.monoid);
      }
      it->second = std::move(made);
    }
    return it->second;
  }

  const SharedLayout& replicated(std::size_t rank) {
    while (replicated_.size() <= rank) replicated_.emplace_back(Layout::replicated(replicated_.size()));
    return replicated_[rank];
  }

  void control_flow(std::size_t site, const Op& op) {
    const std::vector<Flow> flows = flows_of(op);
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const ValueId v = op.operands[k];
      SharedLayout needed =
          hands_operands_on(op) ? SharedLayout(layout_of(yielded_.carried(v, flows[k]), rank(v))) : replicated(rank(v));
      out_.all[site].operands.push_back({v, std::move(needed)});
    }
    for (const Flow& flow : flows) {
      const ValueId v = flow.to.back();
      out_.all[site].results.emplace_back(layout_of(s_.natural(v), rank(v)));
    }
    out_.all[site].regions.resize(op.regions.size());
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const bool yields = hands_on_from(op, r);
      auto units = block(op.regions[r], [&](std::size_t k, ValueId v) {
        return yields ? yielded_.carried(v, flows[k]) : std::vector<TileDecision>();
      });
      out_.all[site].regions[r] = std::move(units);
    }
  }

  const State& s_;
  const Function& f_;
  RewrittenInfinities infinities_;
  Yielded yielded_;
  std::map<std::pair<std::size_t, std::vector<std::pair<Axis, Action>>>, SharedLayout> layouts_;  ///< by rank and tiles
  std::deque<SharedLayout> replicated_;                                                           ///< by rank
  std::vector<std::pair<Axis, Action>> key_;
  Units out_;
};

}  // namespace

ValueUses::ValueUses(const std::vector<Unit>& units, std::size_t values) : begin_(values + 1, 0) {
  // Counting sort: counts are stored one index further on, so that prefix sums give where each value's uses begin.
  for (const Unit& unit : units) {
    for (const Unit::Operand& operand : unit.operands) ++begin_[operand.value.index() + 1];
  }
  for (std::size_t v = 0; v < values; ++v) begin_[v + 1] += begin_[v];
  all_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (std::size_t k = 0; k < units[i].operands.size(); ++k)
      all_[next[units[i].operands[k].value.index()]++] = {i, k};
  }
}

Layout layout_of(const std::vector<TileDecision>& decisions, std::size_t rank) {
  Layout out = Layout::replicated(rank);
  for (const TileDecision& p : decisions) {
    if (p.dim) out.dims.at(*p.dim).push_back(p.axis);
  }
  return out;
}

Units units_of(const State& state, const LazyInfinities& given) { return UnitReader(state, given).run(); }

}  // namespace partir
