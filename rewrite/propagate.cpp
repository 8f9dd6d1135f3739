// The worklist of propagation, and apply_tactic. Facts about operands and demands of uses enqueue sites until nothing
// changes; then constants and arguments are tiled by their uses, and sites that were left alone are reported.
#include "rewrite/propagate.h"

#include <algorithm>

#include "rewrite/microbatches.h"
#include "rewrite/pin_layouts.h"
#include "rewrite/propagation.h"

namespace partir {

Propagation::Propagation(State& state, Axis axis, bool uneven)
    : s_(state),
      f_(state.function()),
      axis_(axis),
      n_(state.mesh().size(axis)),
      uneven_(uneven),
      defined_(f_.types.size()),
      atomic_(f_.types.size(), false),
      closed_(f_.types.size(), 0),
      demand_(f_.types.size(), 0) {
  // Start from what tactics did along this axis so far. Layouts of later tactics are protected but do not propagate
  // yet.
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

void Propagation::ask_layouts() {
  chooses_ = true;
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

void Propagation::infer() {
  while (!queue_.empty() || !waiting_.empty()) {
    Worklist& next = queue_.empty() ? waiting_ : queue_;
    const std::size_t site = next.begin()->second;
    next.erase(next.begin());
    visit(site, &next == &waiting_);
  }
}

bool Propagation::choose() {
  while (!open_.empty()) {
    const std::size_t site = open_.begin()->second;
    open_.erase(open_.begin());
    if (s_.step(site, axis_) != nullptr) continue;
    Match m = match(site);
    const std::size_t operands = s_.reads(site).size();
    for (std::size_t k = 0; k < operands; ++k) {
      const std::optional<Dim> tile = defined_[s_.reads(site)[k].index()];
      const auto tiles = [&](const Candidate& c) {
        return tile && c.entry->operands[k].is_tile() && c.entry->operands[k].dim == *tile;
      };
      const auto chosen = std::find_if(m.candidates.begin(), m.candidates.end(), tiles);
      if (chosen == m.candidates.end()) continue;
      m.candidates = {*chosen};
      join_if_one(site, m);
      return true;
    }
  }
  return false;
}

void Propagation::run() {
  forward_replicated_requests();
  do infer();
  while (chooses_ && choose());
  tile_constants();
  tile_arguments();
  for (const auto& [order, site] : touched_) explain(site);
}

void Propagation::ask_again(const std::vector<std::size_t>& smaller) {
  const auto& unfitted = s_.unfitted(axis_);
  for (const std::size_t site : smaller) {
    if (unfitted.contains(site)) enqueue(site);
  }
  if (queue_.empty() && constants_.empty()) return;
  again_ = true;
  run();
}

void Propagation::enqueue(std::size_t site) {
  const bool terminator = !s_.is_flow(site) && s_.op(site).decl->kind == OpDecl::Kind::terminator;
  if (terminator || s_.step(site, axis_) != nullptr) return;
  (is_constant(site) ? constants_ : queue_).insert(s_.order(site));
}

void Propagation::enqueue_users(ValueId v) {
  for (const State::Use& u : s_.uses(v)) enqueue(u.site);
}

void Propagation::demand(ValueId v, Dim d) {
  if ((demand_[v.index()] & bit(d)) != 0) return;
  demand_[v.index()] |= bit(d);
  if (const auto site = s_.defining_site(v)) enqueue(*site);
}

void Propagation::record(std::size_t site, const Entry& entry) {
  const auto& reads = s_.reads(site);
  const auto& defines = s_.defines(site);
  for (std::size_t k = 0; k < reads.size(); ++k) {
    if (entry.operands[k].is_tile()) demand_[reads[k].index()] |= bit(entry.operands[k].dim);
  }
  for (std::size_t k = 0; k < defines.size(); ++k) {
    if (entry.results[k].is_tile()) defined_[defines[k].index()] = entry.results[k].dim;
  }
}

void Propagation::forward_replicated_requests() {
  for (std::size_t site = s_.operations(); site < s_.sites(); ++site) {
    const auto& from = s_.reads(site);
    if (std::none_of(from.begin(), from.end(), [&](ValueId v) { return atomic_[v.index()]; })) continue;
    for (const ValueId v : s_.defines(site)) atomic_[v.index()] = true;
  }
}

void Propagation::visit(std::size_t site, bool waited) {
  touched_.insert(s_.order(site));
  if (s_.step(site, axis_) != nullptr) return;
  Match m = match(site);
  if (s_.is_flow(site) && !m.operand_tiled && !waited) {
    waiting_.insert(s_.order(site));
    return;
  }
  join_if_one(site, m);
  if (chooses_ && m.operand_tiled && m.candidates.size() > 1) open_.insert(s_.order(site));
  // If a reshape cannot keep the tile, the loop or the slices that step through its result may.
  if (m.operand_tiled && m.candidates.empty()) {
    for (const std::size_t carried : readers_behind_cut(s_, site)) enqueue(carried);
  }
}

void Propagation::join_if_one(std::size_t site, const Match& m) {
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

std::optional<Dim> Propagation::sliced_by_all_uses(ValueId v) {
  std::optional<Dim> dim;
  const bool all = !s_.uses(v).empty() && std::all_of(s_.uses(v).begin(), s_.uses(v).end(), [&](const State::Use& use) {
    const Step* step = s_.step(use.site, axis_);
    if (step == nullptr || !use.operand || !step->entry.operands[*use.operand].is_tile()) return false;
    const Dim d = step->entry.operands[*use.operand].dim;
    if (!dim) dim = d;
    return *dim == d;
  });
  return all ? dim : std::nullopt;
}

void Propagation::tile_constants() {
  while (!constants_.empty()) {
    const std::size_t site = constants_.rbegin()->second;
    constants_.erase(s_.order(site));
    const auto dim = sliced_by_all_uses(s_.defines(site)[0]);
    if (dim) join_if_one(site, match(site));
  }
}

void Propagation::tile_arguments() {
  for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
    const ValueId v = f_.arguments()[i];
    if (defined_[v.index()] || atomic_[v.index()]) continue;
    const auto dim = sliced_by_all_uses(v);
    if (dim && (closed_[v.index()] & bit(*dim)) != 0) continue;
    // Tiles of one dimension nest in the order of tactics, in the uses as in the argument.
    if (dim && splits(local_size(v, s_.argument(i), *dim))) {
      s_.place_argument(i, {axis_, *dim, s_.tactic(), false});
      defined_[v.index()] = *dim;
    }
  }
}

bool Propagation::is_constant(std::size_t site) const {
  return !s_.defines(site).empty() && s_.is_constant(s_.defines(site)[0]);
}

namespace {

/// Revisits operations that no entry matched along other axes and that have become smaller. Adds their conflicts to
/// those of `propagation`.
void revisit_other_axes(Propagation& propagation, State& state, Axis done) {
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
    revisit_other_axes(propagation, state, axis);
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
    if (state.mesh().size(tactic.axis) == 1) return std::vector<Conflict>{};  // its one device holds everything
    Propagation propagation(state, tactic.axis, tactic.uneven);
    for (std::size_t i = 0; i < tactic.arguments.size(); ++i) {
      if (tactic.arguments[i]) propagation.request_argument(i, *tactic.arguments[i], names.arguments[i], file);
    }
    for (std::size_t i = 0; i < tactic.results.size(); ++i) {
      if (tactic.results[i]) propagation.request_result(i, *tactic.results[i], names.results[i], file);
    }
    for (const auto& [value, request] : tactic.values) propagation.request_value(value, request, file);
    propagation.run();
    revisit_other_axes(propagation, state, tactic.axis);
    return std::move(propagation.conflicts);
  } catch (const UserError& error) {
    state.undo_to(before);
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir
