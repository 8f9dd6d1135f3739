#include "rewrite/propagate.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "rewrite/pin_layouts.h"
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
        closed_(f_.types.size(), 0),
        demand_(f_.types.size(), 0) {
    // What tactics did along this axis so far. Layouts in place whose turn comes later are kept, and say nothing yet.
    for (std::size_t site = 0; site < s_.sites(); ++site) {
      const Step* step = s_.step(site, axis_);
      if (step != nullptr && step->tactic <= s_.tactic()) record(site, step->entry);
    }
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
      for (const TileDecision& p : s_.argument(i)) {
        if (p.axis != axis_) continue;
        const ValueId v = f_.arguments()[i];
        if (p.tactic > s_.tactic()) {
          closed_[v.index()] = ~std::uint64_t{0};
        } else if (p.dim) {
          defined_[v.index()] = *p.dim;
        } else {
          atomic_[v.index()] = true;
        }
      }
    }
    for (std::size_t i = 0; i < f_.returned().size(); ++i) {
      for (const TileDecision& p : s_.result(i)) {
        if (p.axis == axis_ && p.dim) demand_[f_.returned()[i].index()] |= bit(*p.dim);
      }
    }
    for (const auto& [along, v] : s_.replicated()) {
      if (along == axis_) atomic_[v.index()] = true;
    }
    for (const State::Closed& c : s_.closed()) {
      if (c.axis == axis_) closed_[c.value.index()] |= c.dims;
    }
  }

  /// Starts from the layouts along this axis whose turn it is (rewrite/pin_layouts.h).
  void ask_layouts() {
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
      for (const TileDecision& p : s_.argument(i)) {
        if (p.axis == axis_ && p.tactic == s_.tactic()) enqueue_users(f_.arguments()[i]);
      }
    }
    for (std::size_t site = 0; site < s_.operations(); ++site) {
      const Step* step = s_.step(site, axis_);
      if (step == nullptr || step->tactic != s_.tactic()) continue;
      for (const ValueId v : s_.defines(site)) enqueue_users(v);
      for (const ValueId v : s_.reads(site)) {
        if (const auto definition = s_.defining_site(v)) enqueue(*definition);
      }
    }
  }

  void request_argument(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file) {
    const ValueId v = f_.arguments()[number];
    if (defined_[v.index()] || atomic_[v.index()]) {
      if (r.request.kind != Request::Kind::unknown) report(about(Conflict::Reason::decided_before, name));
      return;
    }
    const auto dim = requested_dim(v, s_.argument(number), r, name, file);
    if (r.request.kind == Request::Kind::replicated) {
      s_.place_argument(number, {axis_, std::nullopt, s_.tactic(), true});
      atomic_[v.index()] = true;
    } else if (dim) {
      s_.place_argument(number, {axis_, *dim, s_.tactic(), true});
      defined_[v.index()] = *dim;
      enqueue_users(v);
    }
  }

  void request_result(std::size_t number, const PatternRequest& r, const std::string& name, const std::string& file) {
    const ValueId v = f_.returned()[number];
    const auto& placements = s_.result(number);
    if (std::any_of(placements.begin(), placements.end(), [&](const TileDecision& p) { return p.axis == axis_; })) {
      if (r.request.kind != Request::Kind::unknown) report(about(Conflict::Reason::decided_before, name));
      return;
    }
    // A result asked to be tiled otherwise than it is computed keeps what it has.
    if (r.request.kind == Request::Kind::dim && tiled_otherwise(v, r.request.dim, name)) return;
    // Sizes are those of what would be returned: as it is computed, and as asked for by earlier tactics.
    std::vector<TileDecision> placed = s_.natural(v);
    std::erase_if(placed, [&](const TileDecision& p) { return p.axis == axis_; });
    for (const TileDecision& p : placements) {
      if (std::none_of(placed.begin(), placed.end(), [&](const TileDecision& q) { return q.axis == p.axis; }))
        placed.push_back(p);
    }
    const auto dim = requested_dim(v, placed, r, name, file);
    if (r.request.kind == Request::Kind::replicated) {
      s_.place_result(number, {axis_, std::nullopt, s_.tactic(), true});
    } else if (dim) {
      if (tiled_otherwise(v, *dim, name)) return;
      s_.place_result(number, {axis_, *dim, s_.tactic(), true});
      demand(v, *dim);
    }
  }

  /// Whether the axis tiles another dimension of it, which is reported.
  bool tiled_otherwise(ValueId v, Dim dim, const std::string& name) {
    if (!defined_[v.index()] || defined_[v.index()] == dim) return false;
    Conflict c = about(Conflict::Reason::tiled_otherwise, name);
    c.dim = defined_[v.index()];
    report(std::move(c));
    return true;
  }

  /// At the identity that stands behind the value. Its operation is tiled alike if that follows; else the value is
  /// converted there.
  void request_value(const NamedValue& value, const PatternRequest& r, const std::string& file) {
    const auto& uses = s_.uses(value.value);
    const auto identity = std::find_if(uses.begin(), uses.end(), [&](const State::Use& u) {
      return !s_.is_flow(u.site) && names_value(s_.op(u.site));
    });
    if (identity == uses.end() || r.request.kind == Request::Kind::unknown) return;  // nothing reads it
    const ValueId v = s_.op(identity->site).results[0];
    if (defined_[v.index()] || atomic_[v.index()]) {
      const bool same = r.request.kind == Request::Kind::dim && defined_[v.index()] == r.request.dim;
      if (!same) report(about(Conflict::Reason::decided_before, value.name));
      return;
    }
    const auto dim = requested_dim(v, s_.natural(v), r, value.name, file);
    if (r.request.kind == Request::Kind::replicated) {
      s_.keep_replicated(axis_, v);
      atomic_[v.index()] = true;
    } else if (dim) {
      const Entry entry{{Action::tile(*dim)}, {Action::tile(*dim)}};
      const Form* local = s_.form(identity->site).localized(entry, n_);
      PARTIR_CHECK(local != nullptr, "a size that was checked");
      s_.join(identity->site, axis_, entry, *local);
      defined_[v.index()] = *dim;
      enqueue_users(v);
      demand(value.value, *dim);
    }
  }

  void run() {
    pass_on_requests();
    while (!queue_.empty() || !waiting_.empty()) {
      Worklist& next = queue_.empty() ? waiting_ : queue_;
      const std::size_t site = next.begin()->second;
      next.erase(next.begin());
      visit(site, &next == &waiting_);
    }
    tile_constants();
    tile_arguments();
    for (const auto& [order, site] : touched_) explain(site);
  }

  /// Asks again operations that no entry fitted along this axis and that have become smaller.
  void ask_again(const std::vector<std::size_t>& smaller) {
    const auto& unfitted = s_.unfitted(axis_);
    for (const std::size_t site : smaller) {
      if (unfitted.contains(site)) enqueue(site);
    }
    if (queue_.empty() && constants_.empty()) return;
    again_ = true;
    run();
  }

  std::vector<Conflict> conflicts;
  std::vector<std::size_t> joined;  ///< sites, in order

 private:
  /// Sites in the order in which the program runs.
  using Worklist = std::set<std::pair<std::size_t, std::size_t>>;

  static std::uint64_t bit(Dim d) { return std::uint64_t{1} << d; }

  void report(Conflict conflict) { conflicts.push_back(std::move(conflict)); }
  /// A conflict about an argument, a result or an internal value.
  Conflict about(Conflict::Reason reason, const std::string& name) const {
    Conflict out;
    out.reason = reason;
    out.axis = axis_;
    out.name = name;
    return out;
  }
  /// A conflict about an operation or a loop-carried value.
  Conflict about(Conflict::Reason reason, std::size_t site) const {
    Conflict out = about(reason, std::string());
    out.op = s_.op(site).id;
    if (s_.is_flow(site)) out.carried = s_.flow_number(site);
    return out;
  }

  /// Sizes of a value's dimensions after the tiles placed on it so far.
  std::int64_t local_size(ValueId v, const std::vector<TileDecision>& placed, Dim d) const {
    std::int64_t size = f_.type(v)->dims[d];
    for (const TileDecision& p : placed) {
      if (p.dim == d) size /= s_.mesh().size(p.axis);
    }
    return size;
  }

  /// Whether the axis divides a size. A dimension without elements has nothing to divide, and XLA gathers none.
  [[nodiscard]] bool splits(std::int64_t size) const { return size > 0 && size % n_ == 0; }

  std::optional<Dim> requested_dim(ValueId v, const std::vector<TileDecision>& placed, const PatternRequest& r,
                                   const std::string& name, const std::string& file) {
    const Type& type = f_.type(v);
    if (r.request.kind == Request::Kind::dim) {
      const std::int64_t size = local_size(v, placed, r.request.dim);
      if (!splits(size)) {
        throw UserError(
            Diagnostic{"schedule", file, r.place,
                       fmt::format("dimension {} of '{}' ({}) of local size {}", r.request.dim, name, type.str(), size),
                       fmt::format("a size that the axis {} of {} divides", s_.mesh().name(axis_), n_)});
      }
      return r.request.dim;
    }
    if (r.request.kind == Request::Kind::first_divisible) {
      for (Dim d = 0; d < type.rank(); ++d) {
        if (splits(local_size(v, placed, d))) return d;
      }
      Conflict c = about(Conflict::Reason::indivisible, name);
      c.type = type.str();
      report(std::move(c));
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_constant(std::size_t site) const {
    return !s_.defines(site).empty() && s_.is_constant(s_.defines(site)[0]);
  }
  void enqueue(std::size_t site) {
    const bool terminator = !s_.is_flow(site) && s_.op(site).decl->kind == OpDecl::Kind::terminator;
    if (terminator || s_.step(site, axis_) != nullptr) return;
    (is_constant(site) ? constants_ : queue_).insert(s_.order(site));
  }
  void enqueue_users(ValueId v) {
    for (const State::Use& u : s_.uses(v)) enqueue(u.site);
  }
  void demand(ValueId v, Dim d) {
    if ((demand_[v.index()] & bit(d)) != 0) return;
    demand_[v.index()] |= bit(d);
    if (const auto site = s_.defining_site(v)) enqueue(*site);
  }

  void record(std::size_t site, const Entry& entry) {
    const auto& reads = s_.reads(site);
    const auto& defines = s_.defines(site);
    for (std::size_t k = 0; k < reads.size(); ++k) {
      if (entry.operands[k].is_tile()) demand_[reads[k].index()] |= bit(entry.operands[k].dim);
    }
    for (std::size_t k = 0; k < defines.size(); ++k) {
      if (entry.results[k].is_tile()) defined_[defines[k].index()] = entry.results[k].dim;
    }
  }

  /// What is asked to stay whole stays so under the names by which control flow hands it on.
  void pass_on_requests() {
    for (std::size_t site = s_.operations(); site < s_.sites(); ++site) {
      const auto& from = s_.reads(site);
      if (std::none_of(from.begin(), from.end(), [&](ValueId v) { return atomic_[v.index()]; })) continue;
      for (const ValueId v : s_.defines(site)) atomic_[v.index()] = true;
    }
  }

  struct Candidate {
    const Entry* entry = nullptr;
    const Form* local = nullptr;
    bool by_operands = false;
    bool by_demand = false;
  };

  /// Whether operands may decide for the results of a site, and uses for its operands.
  struct Passes {
    bool forward = true;
    bool backward = true;
  };
  [[nodiscard]] Passes passes_of(std::size_t site) const {
    static const OpDecl* const barrier = find_decl("sdy.sharding_constraint");
    if (s_.is_flow(site) || s_.op(site).decl != barrier) return {};
    const Attribute* direction = find(s_.op(site).attributes, "allowed_direction");
    const KeywordAttr* allowed = direction != nullptr ? direction->as<KeywordAttr>() : nullptr;
    if (allowed == nullptr) return {};
    const bool both = allowed->value == "BOTH";
    return {both || allowed->value == "FORWARD", both || allowed->value == "BACKWARD"};
  }

  struct Match {
    std::vector<Candidate> candidates;  ///< nothing contradicts them, and something known asks for them
    bool operand_tiled = false;
    std::optional<Conflict> obstacle;  ///< why an entry that something asks for does not hold here
  };

  Match match(std::size_t site) {
    Match out;
    const auto& reads = s_.reads(site);
    const auto& defines = s_.defines(site);
    const auto see = [&](ValueId v) { out.operand_tiled = out.operand_tiled || defined_[v.index()].has_value(); };
    std::for_each(reads.begin(), reads.end(), see);
    if (!s_.is_flow(site) && !s_.op(site).regions.empty() && !runs_regions(s_.op(site))) {
      for (const ValueId v : captured(s_.op(site))) see(v);
    }
    const Form& form = s_.form(site);
    const std::vector<Entry>& entries = form.entries();
    if (entries.empty()) return out;
    const Passes passes = passes_of(site);
    for (const Entry& entry : entries) {
      if (entry.has_partial_operand()) continue;
      bool by_operands = false;
      bool by_demand = false;
      bool contradicted = false;
      std::optional<Conflict> obstacle;
      for (std::size_t k = 0; k < reads.size(); ++k) {
        if (!entry.operands[k].is_tile()) continue;
        const ValueId v = reads[k];
        if (defined_[v.index()] == entry.operands[k].dim) {
          by_operands = true;
        } else if (defined_[v.index()]) {
          contradicted = true;
        } else if (atomic_[v.index()]) {
          obstacle = about(Conflict::Reason::kept_replicated, site);
          obstacle->operand = k;
        }
      }
      for (std::size_t k = 0; k < defines.size(); ++k) {
        if (entry.results[k].is_tile() && (demand_[defines[k].index()] & bit(entry.results[k].dim)) != 0)
          by_demand = true;
        if (!entry.results[k].is_tile()) continue;
        if (atomic_[defines[k].index()]) obstacle = about(Conflict::Reason::kept_replicated, site);
        if ((closed_[defines[k].index()] & bit(entry.results[k].dim)) != 0)
          obstacle = about(Conflict::Reason::closed, site);
      }
      by_operands = by_operands && passes.forward;
      by_demand = by_demand && passes.backward && !form.in_blocks(entry);
      if (contradicted || (!by_operands && !by_demand)) continue;
      const Form* local = nullptr;
      if (!obstacle) {
        local = form.localized(entry, n_);
        if (local == nullptr) {
          obstacle = about(Conflict::Reason::entry_indivisible, site);
          obstacle->entries = {entry};
        }
      }
      if (obstacle) {
        if (by_operands || !out.obstacle) out.obstacle = std::move(obstacle);
        continue;
      }
      const auto same = [&](const Candidate& c) { return *c.entry == entry; };
      if (std::none_of(out.candidates.begin(), out.candidates.end(), same))
        out.candidates.push_back({&entry, local, by_operands, by_demand});
    }
    // Operands decide first; demands break ties.
    if (out.operand_tiled) {
      std::erase_if(out.candidates, [](const Candidate& c) { return !c.by_operands; });
    }
    const auto demanded = [](const Candidate& c) { return c.by_demand; };
    if (out.candidates.size() > 1 && std::any_of(out.candidates.begin(), out.candidates.end(), demanded)) {
      std::erase_if(out.candidates, std::not_fn(demanded));
    }
    if (!out.operand_tiled && !out.candidates.empty() && merges_partial_values(site)) out.candidates.clear();
    return out;
  }

  /// The combination that a value is over the axis before it is reduced: its operation's result, or what passes it on
  /// (looked for through a few operations only). It must have one use, or its reduction is shared here.
  [[nodiscard]] std::optional<Monoid> partial(ValueId v, int depth = 0) const {
    const auto site = s_.defining_site(v);
    if (!site || s_.uses(v).size() != 1 || depth > 8) return std::nullopt;
    if (const Step* step = s_.step(*site, axis_)) {
      const Action& a = step->entry.results[s_.result_number(v)];
      return a.is_partial() ? std::optional(a.monoid) : std::nullopt;
    }
    return partial_by_operands(*site, depth + 1);
  }

  /// What becomes of an operation's result when its partial operands are passed on.
  [[nodiscard]] std::optional<Monoid> partial_by_operands(std::size_t site, int depth) const {
    if (s_.is_flow(site)) return std::nullopt;  // it is reduced before control flow hands it on
    const Op& o = s_.op(site);
    if (o.results.size() != 1 || o.decl->entries == nullptr) return std::nullopt;
    std::vector<Action> actions;
    bool some = false;
    for (const ValueId v : o.operands) {
      const auto m = partial(v, depth);
      some = some || m.has_value();
      actions.push_back(m ? Action::partial(*m) : Action::any());
    }
    if (!some) return std::nullopt;
    for (const Entry& e : s_.global_form(site).entries()) {
      if (e.operands == actions && e.results[0].is_partial()) return e.results[0].monoid;
    }
    return std::nullopt;
  }

  /// A sum of several partial values is left for one reduction: slicing it by demand would reduce each of them apart.
  [[nodiscard]] bool merges_partial_values(std::size_t site) const {
    const auto& operands = s_.reads(site);
    const auto count =
        std::count_if(operands.begin(), operands.end(), [&](ValueId v) { return partial(v).has_value(); });
    return count > 1 && partial_by_operands(site, 0).has_value();
  }

  /// Operands decide first: a value that control flow hands on is decided by its uses only when nothing else moves,
  /// since what the regions yield is not known before.
  void visit(std::size_t site, bool waited) {
    touched_.insert(s_.order(site));
    if (s_.step(site, axis_) != nullptr) return;
    Match m = match(site);
    if (s_.is_flow(site) && !m.operand_tiled && !waited) {
      waiting_.insert(s_.order(site));
    } else {
      join_if_one(site, m);
    }
  }

  void join_if_one(std::size_t site, const Match& m) {
    if (m.candidates.size() != 1) return;
    const Candidate& c = m.candidates[0];
    const Entry& entry = *c.entry;
    s_.join(site, axis_, entry, *c.local);
    joined.push_back(site);
    const auto& defines = s_.defines(site);
    for (std::size_t k = 0; k < defines.size(); ++k) {
      if (!entry.results[k].is_tile()) continue;
      defined_[defines[k].index()] = entry.results[k].dim;
      enqueue_users(defines[k]);
    }
    const auto& reads = s_.reads(site);
    for (std::size_t k = 0; k < reads.size(); ++k) {
      if (entry.operands[k].is_tile()) demand(reads[k], entry.operands[k].dim);
    }
  }

  /// The one dimension along which every use slices the value.
  std::optional<Dim> sliced_by_all_uses(ValueId v) {
    std::optional<Dim> dim;
    const bool all =
        !s_.uses(v).empty() && std::all_of(s_.uses(v).begin(), s_.uses(v).end(), [&](const State::Use& use) {
          const Step* step = s_.step(use.site, axis_);
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
      const std::size_t site = constants_.rbegin()->second;
      constants_.erase(s_.order(site));
      const auto dim = sliced_by_all_uses(s_.defines(site)[0]);
      if (dim) join_if_one(site, match(site));
    }
  }

  /// An argument that is not atomic and whose uses all slice one dimension becomes tiled along it.
  void tile_arguments() {
    for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
      const ValueId v = f_.arguments()[i];
      if (defined_[v.index()] || atomic_[v.index()]) continue;
      const auto dim = sliced_by_all_uses(v);
      if (dim && (closed_[v.index()] & bit(*dim)) != 0) continue;
      // Tiles on one dimension nest in the order of tactics, in uses as in the argument.
      if (dim && splits(local_size(v, s_.argument(i), *dim))) {
        s_.place_argument(i, {axis_, *dim, s_.tactic(), false});
        defined_[v.index()] = *dim;
      }
    }
  }

  void explain(std::size_t site) {
    if (s_.step(site, axis_) != nullptr) {
      explain_conversion(site);
      return;
    }
    const Match m = match(site);
    const bool known = m.candidates.empty() && !s_.note_unfitted(axis_, site);
    if (known && again_) return;  // said before
    if (!m.operand_tiled && m.candidates.size() < 2 && !m.obstacle) return;
    // Uses slice what is closed; nothing is lost.
    if (!m.operand_tiled && m.obstacle && m.obstacle->reason == Conflict::Reason::closed) return;
    if (m.candidates.size() > 1) {
      Conflict c = about(Conflict::Reason::several_entries, site);
      for (const Candidate& candidate : m.candidates) c.entries.push_back(*candidate.entry);
      report(std::move(c));
    } else if (m.obstacle) {
      report(*m.obstacle);
    } else if (s_.op(site).decl->entries == nullptr && !s_.is_flow(site)) {
      report(about(Conflict::Reason::no_entries, site));
    } else {
      Conflict c = about(Conflict::Reason::no_match, site);
      const auto& reads = s_.reads(site);
      for (std::size_t k = 0; k < reads.size(); ++k) {
        if (const auto d = defined_[reads[k].index()]) c.tiled.emplace_back(k, *d);
      }
      report(std::move(c));
    }
  }

  /// A loop-carried value that is yielded tiled otherwise is converted each time.
  void explain_conversion(std::size_t site) {
    if (!s_.is_flow(site)) return;
    const Entry& entry = s_.step(site, axis_)->entry;
    for (std::size_t k = 0; k < s_.reads(site).size(); ++k) {
      const auto d = defined_[s_.reads(site)[k].index()];
      if (!d || *d == entry.operands[k].dim) continue;
      Conflict c = about(Conflict::Reason::converted, site);
      c.actions = {entry.operands[k]};
      c.dim = d;
      report(std::move(c));
    }
  }

  State& s_;
  const Function& f_;
  Axis axis_;
  std::int64_t n_;
  std::vector<std::optional<Dim>> defined_;  ///< the dimension along which a value is tiled where it is defined
  std::vector<bool> atomic_;
  std::vector<std::uint64_t> closed_;  ///< dimensions along which a value may not be tiled where it is defined
  std::vector<std::uint64_t> demand_;  ///< dimensions along which uses slice a value
  Worklist queue_;
  Worklist waiting_;    ///< values that control flow hands on, which only uses ask for
  Worklist constants_;  ///< operations on constants alone that uses slice
  Worklist touched_;
  bool again_ = false;
};

/// Along other axes, operations that no entry fitted and that have become smaller; conflicts are added to the first's.
void ask_others_again(Propagation& propagation, State& state, Axis done) {
  for (std::size_t a = 0; a < state.mesh().rank(); ++a) {
    const Axis axis(a);
    if (axis == done) continue;
    const auto smaller = [&](std::size_t site) { return state.unfitted(axis).contains(site); };
    if (std::none_of(propagation.joined.begin(), propagation.joined.end(), smaller)) continue;
    Propagation earlier(state, axis);
    earlier.ask_again(propagation.joined);
    propagation.conflicts.insert(propagation.conflicts.end(), earlier.conflicts.begin(), earlier.conflicts.end());
  }
}

std::vector<Conflict> apply_layouts(State& state, const ResolvedTactic& tactic, const Names& names) {
  std::vector<Conflict> out = pin_layouts(state, tactic.layouts, names);
  for (const Axis axis : tactic.along) {
    Propagation propagation(state, axis);
    propagation.ask_layouts();
    propagation.run();
    ask_others_again(propagation, state, axis);
    out.insert(out.end(), propagation.conflicts.begin(), propagation.conflicts.end());
  }
  return out;
}

}  // namespace

Result<std::vector<Conflict>> apply_tactic(State& state, const ResolvedTactic& tactic, const Names& names,
                                           const std::string& file) {
  const std::size_t before = state.mark();
  try {
    state.begin_tactic();
    if (!tactic.along.empty()) return apply_layouts(state, tactic, names);
    Propagation propagation(state, tactic.axis);
    for (std::size_t i = 0; i < tactic.arguments.size(); ++i) {
      if (tactic.arguments[i]) propagation.request_argument(i, *tactic.arguments[i], names.arguments[i], file);
    }
    for (std::size_t i = 0; i < tactic.results.size(); ++i) {
      if (tactic.results[i]) propagation.request_result(i, *tactic.results[i], names.results[i], file);
    }
    for (const auto& [value, request] : tactic.values) propagation.request_value(value, request, file);
    propagation.run();
    ask_others_again(propagation, state, tactic.axis);
    return std::move(propagation.conflicts);
  } catch (const UserError& error) {
    state.undo_to(before);
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir
