#include "rewrite/propagate.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "ir/text/print.h"
#include "support/check.h"

namespace partir {
namespace {

class Propagation {
 public:
  Propagation(State& state, Axis axis)
      : s_(state),
        f_(state.function()),
        axis_(axis),
        n_(state.mesh().size(axis)),
        defined_(f_.types.size()),
        atomic_(f_.types.size(), false),
        demand_(f_.types.size(), 0) {
    // What earlier tactics did along this axis.
    for (std::size_t i = 0; i < f_.body.ops.size(); ++i) {
      if (const Step* step = s_.step(i, axis_)) record(i, step->entry);
    }
    const auto placed = [&](const std::vector<std::vector<Placement>>& list, const auto& f) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        for (const Placement& p : list[i]) {
          if (p.axis == axis_) f(i, p);
        }
      }
    };
    placed(s_.arguments, [&](std::size_t i, const Placement& p) {
      const ValueId v = f_.arguments()[i];
      if (p.dim) {
        defined_[v.index()] = *p.dim;
      } else {
        atomic_[v.index()] = true;
      }
    });
    placed(s_.results, [&](std::size_t i, const Placement& p) {
      if (p.dim) demand_[f_.returned()[i].index()] |= bit(*p.dim);
    });
    for (const auto& [whole_along, v] : s_.whole) {
      if (whole_along == axis_) atomic_[v.index()] = true;
    }
  }

  void request_argument(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file) {
    const ValueId v = f_.arguments()[number];
    if (defined_[v.index()] || atomic_[v.index()]) {
      if (r.request.kind != Request::Kind::unknown)
        report(name, "an earlier tactic already decided this axis for the value");
      return;
    }
    const auto dim = requested_dim(v, s_.arguments[number], r, name, file);
    if (r.request.kind == Request::Kind::replicated) {
      s_.arguments[number].push_back({axis_, std::nullopt, s_.tactic, true});
      atomic_[v.index()] = true;
    } else if (dim) {
      s_.arguments[number].push_back({axis_, *dim, s_.tactic, true});
      defined_[v.index()] = *dim;
      enqueue_users(v);
    }
  }

  void request_result(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file) {
    const ValueId v = f_.returned()[number];
    const auto& placements = s_.results[number];
    if (std::any_of(placements.begin(), placements.end(), [&](const Placement& p) { return p.axis == axis_; })) {
      if (r.request.kind != Request::Kind::unknown)
        report(name, "an earlier tactic already decided this axis for the result");
      return;
    }
    // A result asked to be tiled otherwise than it is computed keeps what it has.
    // Sizes are those of what would be returned: as it is computed, and as asked for by earlier tactics.
    std::vector<Placement> placed = s_.natural(v);
    std::erase_if(placed, [&](const Placement& p) { return p.axis == axis_; });
    for (const Placement& p : placements) {
      if (std::none_of(placed.begin(), placed.end(), [&](const Placement& q) { return q.axis == p.axis; }))
        placed.push_back(p);
    }
    const auto dim = requested_dim(v, placed, r, name, file);
    if (r.request.kind == Request::Kind::replicated) {
      s_.results[number].push_back({axis_, std::nullopt, s_.tactic, true});
    } else if (dim) {
      if (defined_[v.index()] && defined_[v.index()] != dim) {
        report(name, fmt::format("computed tiled along dimension {} already", *defined_[v.index()]));
        return;
      }
      s_.results[number].push_back({axis_, *dim, s_.tactic, true});
      demand(v, *dim);
    }
  }

  /// At the identity that stands behind the value. Its operation is tiled alike if that follows; else the value is
  /// converted there.
  void request_value(const NamedValue& value, const PatternRequest& r, const std::string& file) {
    const auto& uses = s_.uses(value.value);
    const auto identity =
        std::find_if(uses.begin(), uses.end(), [&](const State::Use& u) { return names_value(f_.body.ops[u.op]); });
    if (identity == uses.end() || r.request.kind == Request::Kind::unknown) return;  // nothing reads it
    const ValueId v = f_.body.ops[identity->op].results[0];
    const auto dim = requested_dim(v, s_.natural(v), r, value.name, file);
    if (defined_[v.index()] || atomic_[v.index()]) {
      if (!dim || defined_[v.index()] != dim)
        report(value.name, "an earlier tactic already decided this axis for the value");
    } else if (r.request.kind == Request::Kind::replicated) {
      s_.whole.emplace_back(axis_, v);
      atomic_[v.index()] = true;
    } else if (dim) {
      const Entry entry{{Action::tile(*dim)}, {Action::tile(*dim)}};
      auto inner = localize(s_.local(identity->op), entry, n_);
      PARTIR_CHECK(inner.has_value(), "a size that was checked");
      s_.join(identity->op, axis_, entry, std::move(*inner));
      defined_[v.index()] = *dim;
      enqueue_users(v);
      demand(value.value, *dim);
    }
  }

  void run() {
    while (!queue_.empty()) {
      const std::size_t op = *queue_.begin();
      queue_.erase(queue_.begin());
      visit(op);
    }
    tile_constants();
    tile_arguments();
    for (const std::size_t op : touched_) explain(op);
  }

  std::vector<Conflict> conflicts;

 private:
  static std::uint64_t bit(Dim d) { return std::uint64_t{1} << d; }

  void report(std::string operation, std::string reason) {
    conflicts.push_back({std::move(operation), s_.mesh().name(axis_), std::move(reason)});
  }

  /// Sizes of a value's dimensions after the tiles placed on it so far.
  std::int64_t local_size(ValueId v, const std::vector<Placement>& placed, Dim d) const {
    std::int64_t size = f_.type(v).dims[d];
    for (const Placement& p : placed) {
      if (p.dim == d) size /= s_.mesh().size(p.axis);
    }
    return size;
  }

  std::optional<Dim> requested_dim(ValueId v, const std::vector<Placement>& placed, const PatternRequest& r,
                                   const std::string& name, const std::string& file) {
    const TensorType& type = f_.type(v);
    if (r.request.kind == Request::Kind::dim) {
      const std::int64_t size = local_size(v, placed, r.request.dim);
      if (size % n_ != 0) {
        throw UserError(
            Diagnostic{"schedule", file, r.place,
                       fmt::format("dimension {} of '{}' ({}) of local size {}", r.request.dim, name, type.str(), size),
                       fmt::format("a size that the axis {} of {} divides", s_.mesh().name(axis_), n_)});
      }
      return r.request.dim;
    }
    if (r.request.kind == Request::Kind::first_divisible) {
      for (Dim d = 0; d < type.rank(); ++d) {
        if (local_size(v, placed, d) % n_ == 0) return d;
      }
      report(name, fmt::format("stays whole: no dimension of {} that {} divides", type.str(), n_));
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_constant(std::size_t op) const {
    const auto& results = f_.body.ops[op].results;
    return !results.empty() && s_.is_constant(results[0]);
  }
  void enqueue(std::size_t op) {
    if (f_.body.ops[op].decl->kind == OpDecl::Kind::terminator || s_.step(op, axis_) != nullptr) return;
    (is_constant(op) ? constants_ : queue_).insert(op);
  }
  void enqueue_users(ValueId v) {
    for (const State::Use& u : s_.uses(v)) enqueue(u.op);
  }
  void demand(ValueId v, Dim d) {
    if ((demand_[v.index()] & bit(d)) != 0) return;
    demand_[v.index()] |= bit(d);
    if (const auto op = s_.defining_op(v)) enqueue(*op);
  }

  void record(std::size_t op, const Entry& entry) {
    const Op& o = f_.body.ops[op];
    for (std::size_t k = 0; k < o.operands.size(); ++k) {
      if (entry.operands[k].is_tile()) demand_[o.operands[k].index()] |= bit(entry.operands[k].dim);
    }
    for (std::size_t k = 0; k < o.results.size(); ++k) {
      if (entry.results[k].is_tile()) defined_[o.results[k].index()] = entry.results[k].dim;
    }
  }

  struct Candidate {
    Entry entry;
    OpInstance local;
    bool by_operands = false;
    bool by_demand = false;
    bool operator==(const Candidate& other) const { return entry == other.entry; }
  };

  struct Match {
    std::vector<Candidate> candidates;  ///< nothing contradicts them, and something known asks for them
    bool operand_tiled = false;
    std::string obstacle;  ///< why an entry that something asks for does not hold here
  };

  Match match(std::size_t op) {
    Match out;
    const Op& o = f_.body.ops[op];
    for (const ValueId v : o.operands) out.operand_tiled = out.operand_tiled || defined_[v.index()].has_value();
    for (const ValueId v : captured(o)) out.operand_tiled = out.operand_tiled || defined_[v.index()].has_value();
    if (o.decl->entries == nullptr) return out;
    const OpInstance& local = s_.local(op);
    for (const Entry& entry : entries_of(local)) {
      if (entry.has_partial_operand()) continue;
      Candidate c{entry, {}, false, false};
      bool contradicted = false;
      std::string obstacle;
      for (std::size_t k = 0; k < o.operands.size(); ++k) {
        if (!entry.operands[k].is_tile()) continue;
        const ValueId v = o.operands[k];
        if (defined_[v.index()] == entry.operands[k].dim) {
          c.by_operands = true;
        } else if (defined_[v.index()]) {
          contradicted = true;
        } else if (atomic_[v.index()]) {
          obstacle = fmt::format("operand {} stays whole by request", k);
        }
      }
      for (std::size_t k = 0; k < o.results.size(); ++k) {
        if (entry.results[k].is_tile() && (demand_[o.results[k].index()] & bit(entry.results[k].dim)) != 0)
          c.by_demand = true;
        if (entry.results[k].is_tile() && atomic_[o.results[k].index()]) obstacle = "its result stays whole by request";
      }
      if (contradicted || (!c.by_operands && !c.by_demand)) continue;
      if (obstacle.empty()) {
        auto inner = localize(local, entry, n_);
        if (inner) {
          c.local = std::move(*inner);
        } else {
          obstacle = fmt::format("{} needs sizes that {} divides", entry.str(), n_);
        }
      }
      if (!obstacle.empty()) {
        if (c.by_operands || out.obstacle.empty()) out.obstacle = std::move(obstacle);
        continue;
      }
      if (std::find(out.candidates.begin(), out.candidates.end(), c) == out.candidates.end())
        out.candidates.push_back(std::move(c));
    }
    // Operands decide first; demands break ties.
    if (out.operand_tiled) {
      std::erase_if(out.candidates, [](const Candidate& c) { return !c.by_operands; });
    }
    const auto demanded = [](const Candidate& c) { return c.by_demand; };
    if (out.candidates.size() > 1 && std::any_of(out.candidates.begin(), out.candidates.end(), demanded)) {
      std::erase_if(out.candidates, std::not_fn(demanded));
    }
    if (!out.operand_tiled && !out.candidates.empty() && merges_partial_values(op)) out.candidates.clear();
    return out;
  }

  /// The combination that a value is over the axis before it is reduced: its operation's result, or what passes it on
  /// (looked for through a few operations only). It must have one use, or its reduction is shared here.
  [[nodiscard]] std::optional<Monoid> partial(ValueId v, int depth = 0) const {
    const auto op = s_.defining_op(v);
    if (!op || s_.uses(v).size() != 1 || depth > 8) return std::nullopt;
    if (const Step* step = s_.step(*op, axis_)) {
      const Action& a = step->entry.results[s_.result_number(v)];
      return a.is_partial() ? std::optional(a.monoid) : std::nullopt;
    }
    return partial_by_operands(*op, depth + 1);
  }

  /// What becomes of an operation's result when its partial operands are passed on.
  [[nodiscard]] std::optional<Monoid> partial_by_operands(std::size_t op, int depth) const {
    const Op& o = f_.body.ops[op];
    if (o.results.size() != 1 || o.decl->entries == nullptr) return std::nullopt;
    std::vector<Action> actions;
    bool some = false;
    for (const ValueId v : o.operands) {
      const auto m = partial(v, depth);
      some = some || m.has_value();
      actions.push_back(m ? Action::partial(*m) : Action::any());
    }
    if (!some) return std::nullopt;
    for (const Entry& e : entries_of(s_.global(op))) {
      if (e.operands == actions && e.results[0].is_partial()) return e.results[0].monoid;
    }
    return std::nullopt;
  }

  /// A sum of several partial values is left for one reduction: slicing it by demand would reduce each of them apart.
  [[nodiscard]] bool merges_partial_values(std::size_t op) const {
    const auto& operands = f_.body.ops[op].operands;
    const auto count =
        std::count_if(operands.begin(), operands.end(), [&](ValueId v) { return partial(v).has_value(); });
    return count > 1 && partial_by_operands(op, 0).has_value();
  }

  void visit(std::size_t op) {
    touched_.insert(op);
    join_if_one(op, match(op));
  }

  void join_if_one(std::size_t op, Match m) {
    if (m.candidates.size() != 1) return;
    Candidate& c = m.candidates[0];
    const Op& o = f_.body.ops[op];
    const Entry entry = c.entry;
    s_.join(op, axis_, entry, std::move(c.local));
    for (std::size_t k = 0; k < o.results.size(); ++k) {
      if (!entry.results[k].is_tile()) continue;
      defined_[o.results[k].index()] = entry.results[k].dim;
      enqueue_users(o.results[k]);
    }
    for (std::size_t k = 0; k < o.operands.size(); ++k) {
      if (entry.operands[k].is_tile()) demand(o.operands[k], entry.operands[k].dim);
    }
  }

  /// The one dimension along which every use slices the value.
  std::optional<Dim> sliced_by_all_uses(ValueId v) {
    std::optional<Dim> dim;
    const bool all =
        !s_.uses(v).empty() && std::all_of(s_.uses(v).begin(), s_.uses(v).end(), [&](const State::Use& use) {
          const Step* step = s_.step(use.op, axis_);
          if (step == nullptr || !use.operand || !step->entry.operands[*use.operand].is_tile()) return false;
          const Dim d = step->entry.operands[*use.operand].dim;
          if (!dim) dim = d;
          return *dim == d;
        });
    return all ? dim : std::nullopt;
  }

  /// Constants and what is computed from them alone: computed in parts where all uses slice alike, last first, else
  /// sliced where they are used. They never decide anything for others.
  void tile_constants() {
    while (!constants_.empty()) {
      const std::size_t op = *constants_.rbegin();
      constants_.erase(op);
      const auto dim = sliced_by_all_uses(f_.body.ops[op].results[0]);
      if (dim) join_if_one(op, match(op));
    }
  }

  /// An argument that is not atomic and whose uses all slice one dimension becomes tiled along it.
  void tile_arguments() {
    for (std::size_t i = 0; i < s_.arguments.size(); ++i) {
      const ValueId v = f_.arguments()[i];
      if (defined_[v.index()] || atomic_[v.index()]) continue;
      const auto dim = sliced_by_all_uses(v);
      // Tiles on one dimension nest in the order of tactics, in uses as in the argument.
      if (dim && local_size(v, s_.arguments[i], *dim) % n_ == 0) {
        s_.arguments[i].push_back({axis_, *dim, s_.tactic, false});
        defined_[v.index()] = *dim;
      }
    }
  }

  void explain(std::size_t op) {
    if (s_.step(op, axis_) != nullptr) return;
    const Op& o = f_.body.ops[op];
    const Match m = match(op);
    if (!m.operand_tiled && m.candidates.size() < 2 && m.obstacle.empty()) return;
    std::string reason;
    if (m.candidates.size() > 1) {
      reason = "several entries match:";
      for (const Candidate& c : m.candidates) reason += " " + c.entry.str();
    } else if (!m.obstacle.empty()) {
      reason = m.obstacle;
    } else if (o.decl->entries == nullptr) {
      reason = "its meaning is not declared here, so it takes its operands whole";
    } else {
      reason = "no entry takes its operands as they are tiled:";
      for (std::size_t k = 0; k < o.operands.size(); ++k) {
        if (const auto d = defined_[o.operands[k].index()]) reason += fmt::format(" operand {} #tile<{}>", k, *d);
      }
    }
    std::string text = print_op(f_, o);
    text = text.substr(text.find('=') == std::string::npos ? 0 : text.find('=') + 2);
    text = text.substr(0, text.find('\n'));
    report(fmt::format("line {}: {}", o.place.line, text.substr(0, 160)), std::move(reason));
  }

  State& s_;
  const Function& f_;
  Axis axis_;
  std::int64_t n_;
  std::vector<std::optional<Dim>> defined_;  ///< the dimension along which a value is tiled where it is defined
  std::vector<bool> atomic_;
  std::vector<std::uint64_t> demand_;  ///< dimensions along which uses slice a value
  std::set<std::size_t> queue_;
  std::set<std::size_t> constants_;  ///< operations on constants alone that uses slice
  std::set<std::size_t> touched_;
};

}  // namespace

Result<std::vector<Conflict>> apply_tactic(State& state, const ResolvedTactic& tactic, const Names& names,
                                           const std::string& file) {
  try {
    ++state.tactic;
    Propagation propagation(state, tactic.axis);
    for (std::size_t i = 0; i < tactic.arguments.size(); ++i) {
      if (tactic.arguments[i]) propagation.request_argument(i, *tactic.arguments[i], names.arguments[i], file);
    }
    for (std::size_t i = 0; i < tactic.results.size(); ++i) {
      if (tactic.results[i]) propagation.request_result(i, *tactic.results[i], names.results[i], file);
    }
    for (const auto& [value, request] : tactic.values) propagation.request_value(value, request, file);
    propagation.run();
    return std::move(propagation.conflicts);
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir
