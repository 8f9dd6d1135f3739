// Matches the entries of an operation against what is known of its operands and what its uses demand.
#include <algorithm>
#include <functional>
#include <numeric>

#include "rewrite/microbatches.h"
#include "rewrite/propagation.h"

namespace partir {

Propagation::Passes Propagation::passes_of(std::size_t site) const {
  static const OpDecl* const barrier = find_decl("sdy.sharding_constraint");
  if (s_.is_flow(site) || s_.op(site).decl != barrier) return {};
  const Attribute* direction = find(s_.op(site).attributes, "allowed_direction");
  const KeywordAttr* allowed = direction != nullptr ? direction->as<KeywordAttr>() : nullptr;
  if (allowed == nullptr) return {};
  const bool both = allowed->value == "BOTH";
  return {both || allowed->value == "FORWARD", both || allowed->value == "BACKWARD"};
}

std::optional<Dim> Propagation::tiled_microbatches(std::size_t site) const {
  const auto m = microbatches_of(s_, site);
  if (!m) return std::nullopt;
  if (!s_.is_flow(site) && !moves_for_slices(*m, f_.type(s_.reads(site)[0])->dims[m->steps])) return std::nullopt;
  const auto as_read = defined_[s_.reads(site)[0].index()];
  const bool steps_tiled = as_read ? as_read == m->steps : defined_[m->whole.index()] == m->split;
  if (!steps_tiled) return std::nullopt;
  const Form& form = s_.form(site);
  const auto& entries = form.entries();
  const bool divides = std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.operands[0] == Action::tile(m->batch) && form.localized(entry, n_) != nullptr;
  });
  return divides ? std::optional(m->batch) : std::nullopt;
}

/// Whether slices of single steps should have the tile moved to the rows. Where no part of the axis divides the steps,
/// the value is gathered in any case. Where all of it does, the batch is an argument: gradients of slices of a computed
/// value are merged again, which keeps no tile of the rows. Where only a part does, the axis is better used in parts
/// (driver/partition.h).
bool Propagation::moves_for_slices(const Microbatches& m, std::int64_t steps) const {
  const std::int64_t common = std::gcd(steps, n_);
  return common == 1 || (common == n_ && !s_.defining_site(m.whole));
}

Propagation::Match Propagation::match(std::size_t site) {
  Match out = match(site, {});
  if (!out.candidates.empty() || out.obstacle || !out.operand_tiled) return out;
  const std::vector<bool> ignored = recomputable(site);
  if (ignored.empty()) return out;
  Match without = match(site, ignored);
  return without.candidates.empty() ? std::move(out) : std::move(without);
}

std::vector<bool> Propagation::recomputable(std::size_t site) const {
  std::vector<bool> out(s_.reads(site).size());
  if (s_.is_flow(site) || runs_regions(s_.op(site))) return {};
  std::optional<std::size_t> first;
  bool others = false;
  bool some = false;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const ValueId v = s_.reads(site)[k];
    if (!defined_[v.index()]) continue;
    const auto source = s_.defining_site(v);
    if (!source || !s_.enlarges(*source)) {
      others = true;
      continue;
    }
    out[k] = some = true;
    if (!first) first = k;
  }
  if (!some) return {};
  if (!others) out[*first] = false;
  return out;
}

Propagation::Match Propagation::match(std::size_t site, const std::vector<bool>& ignored) {
  Match out;
  const auto& reads = s_.reads(site);
  const auto& defines = s_.defines(site);
  const auto microbatches = tiled_microbatches(site);
  // The initial value of a loop, and what a slice takes a part of, is operand 0.
  const auto tiled = [&](std::size_t k) {
    if (k < ignored.size() && ignored[k]) return std::optional<Dim>();
    return k == 0 && microbatches ? microbatches : defined_[reads[k].index()];
  };
  for (std::size_t k = 0; k < reads.size(); ++k) out.operand_tiled = out.operand_tiled || tiled(k).has_value();
  if (!s_.is_flow(site) && !s_.op(site).regions.empty() && !runs_regions(s_.op(site))) {
    for (const ValueId v : captured(s_.op(site)))
      out.operand_tiled = out.operand_tiled || defined_[v.index()].has_value();
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
      if (tiled(k) == entry.operands[k].dim) {
        by_operands = true;
      } else if (tiled(k)) {
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
    if (const auto element = without_collective(site, entry)) {
      obstacle = about(Conflict::Reason::no_collective, site);
      obstacle->entries = {entry};
      obstacle->type = name_of(*element);
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
        obstacle->part = form.part_that_divides(entry, n_);
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

std::optional<ElementType> Propagation::without_collective(std::size_t site, const Entry& entry) const {
  const auto& defines = s_.defines(site);
  for (std::size_t k = 0; k < defines.size(); ++k) {
    if (!entry.results[k].is_partial()) continue;
    const ElementType element = f_.type(defines[k])->element;
    if (!has_collective(entry.results[k].monoid, element)) return element;
  }
  return std::nullopt;
}

std::optional<Monoid> Propagation::partial(ValueId v, int depth) const {
  const auto site = s_.defining_site(v);
  if (!site || s_.uses(v).size() != 1 || depth > 8) return std::nullopt;
  if (const Step* step = s_.step(*site, axis_)) {
    const Action& a = step->entry.results[s_.result_number(v)];
    return a.is_partial() ? std::optional(a.monoid) : std::nullopt;
  }
  return partial_by_operands(*site, depth + 1);
}

std::optional<Monoid> Propagation::partial_by_operands(std::size_t site, int depth) const {
  if (s_.is_flow(site)) return std::nullopt;  // control flow forwards reduced values only
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

bool Propagation::merges_partial_values(std::size_t site) const {
  const auto& operands = s_.reads(site);
  const auto count = std::count_if(operands.begin(), operands.end(), [&](ValueId v) { return partial(v).has_value(); });
  return count > 1 && partial_by_operands(site, 0).has_value();
}

}  // namespace partir
