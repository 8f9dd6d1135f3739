#include "rewrite/state.h"

#include <algorithm>

#include "rewrite/named_values.h"
#include "support/check.h"

namespace partir {

State::State(const Function& function, const Mesh& mesh)
    : function_(&function),
      mesh_(mesh),
      site_of_(function.op_ids),
      arguments_(function.arguments().size()),
      results_(function.returned().size()),
      defined_by_(function.types.size()),
      argument_of_(function.types.size()),
      result_number_(function.types.size()),
      uses_(function.types.size()),
      constant_(function.types.size()),
      splats_(function.types.size()) {
  for (std::size_t i = 0; i < function.arguments().size(); ++i) argument_of_[function.arguments()[i].index()] = i;
  number(function.body, false);
  steps_.resize(sites());
  global_forms_.resize(sites());
  forms_.resize(sites());
  for (std::size_t site = 0; site < sites(); ++site) read(site);
}

void State::read(std::size_t site) {
  const Op& op = this->op(site);
  bool constant = !is_flow(site) && op.decl->kind == OpDecl::Kind::array && op.regions.empty();
  const std::vector<ValueId>& operands = reads(site);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    uses_[operands[k].index()].push_back({site, k});
    constant = constant && constant_[operands[k].index()];
  }
  if (!is_flow(site) && !runs_regions(op)) {
    for (const ValueId v : captured(op)) uses_[v.index()].push_back({site, std::nullopt});
  }
  for (std::size_t k = 0; k < defines(site).size(); ++k) {
    const ValueId v = defines(site)[k];
    defined_by_[v.index()] = site;
    result_number_[v.index()] = k;
    constant_[v.index()] = constant;
    if (is_flow(site)) continue;
    splats_[v] = splat_of(op, splats_);
    splats_.places(v) = places_of(*function_, op, splats_);
  }
}

/// `yields`: control flow forwards the operands of the block's terminator.
void State::number(const Block& block, bool yields) {
  for (const Op& op : block.ops) {
    const std::size_t number = ops_.size();
    std::vector<Flow> flows = flows_of(op);
    const bool reads = !hands_operands_on(op) && !(yields && &op == &block.ops.back());
    ops_.push_back({&op, reads, flows.empty()});
    site_of_[op.id.index()] = number;
    for (std::size_t k = 0; k < flows.size(); ++k) flows_.push_back({number, k, std::move(flows[k])});
    if (!runs_regions(op)) continue;
    for (std::size_t r = 0; r < op.regions.size(); ++r) this->number(op.regions[r], hands_on_from(op, r));
  }
}

const std::vector<ValueId>& State::reads(std::size_t site) const {
  static const std::vector<ValueId> nothing;
  if (is_flow(site)) return flows_[site - ops_.size()].flow.from;
  return ops_[site].reads ? ops_[site].op->operands : nothing;
}

const std::vector<ValueId>& State::defines(std::size_t site) const {
  static const std::vector<ValueId> nothing;
  if (is_flow(site)) return flows_[site - ops_.size()].flow.to;
  return ops_[site].defines ? ops_[site].op->results : nothing;
}

bool State::enlarges(std::size_t site) const {
  return !is_flow(site) && op(site).decl->traits.repeats &&
         function_->tensor(defines(site)[0]).elements() > function_->tensor(reads(site)[0]).elements();
}

OpInstance State::global(std::size_t site) const {
  if (is_flow(site)) {
    // A flow is described by its types only; the attributes of the operation concern all its values.
    OpInstance identity;
    identity.decl = op(site).decl;
    for (const ValueId v : reads(site)) identity.operands.push_back(function_->type(v));
    for (const ValueId v : defines(site)) identity.results.push_back(function_->type(v));
    identity.place = op(site).place;
    return identity;
  }
  return instance_of(*function_, op(site), splats_);
}

const Form& State::global_form(std::size_t site) const {
  const Form*& form = global_forms_[site];
  if (form == nullptr) form = is_flow(site) ? table_->carried(global(site)) : table_->of(global(site));
  return *form;
}

const Form& State::form(std::size_t site) const { return forms_[site] != nullptr ? *forms_[site] : global_form(site); }

State::Computation State::computed(std::size_t site) const {
  Computation out;
  const auto& steps = steps_[site];
  out.steps.reserve(steps.size());
  if (is_flow(site) || op(site).decl->in_blocks == nullptr) {
    for (const Step& s : steps) out.steps.push_back(&s);
    out.form = &form(site);
    return out;
  }
  const Form* whole = &global_form(site);
  const OpInstance& instance = whole->instance();
  if (instance.decl->shift != nullptr) out.shift = instance.decl->shift(instance);
  const auto shifts = [&](const Step& s) { return out.shift && s.entry.operands[0] == Action::tile(out.shift->dim); };
  if (out.shift) {
    std::int64_t chunk = instance.operands[0]->dims[out.shift->dim];
    bool tiled = false;
    for (const Step& s : steps) {
      if (!shifts(s)) continue;
      chunk /= mesh_.size(s.axis);
      tiled = true;
    }
    if (!tiled || !out.shift->moves_chunks(chunk)) out.shift.reset();
  }
  for (const Step& s : steps) {
    if (whole->in_blocks(s.entry) && !shifts(s)) continue;
    out.steps.push_back(&s);
    whole = whole->localized(s.entry, mesh_.size(s.axis));
    PARTIR_CHECK(whole != nullptr, "a joined entry that does not divide");
  }
  out.form = whole;
  return out;
}

const Step* State::step(std::size_t site, Axis axis) const {
  for (const Step& s : steps_[site]) {
    if (s.axis == axis) return &s;
  }
  return nullptr;
}

std::optional<std::size_t> State::identity_after(ValueId v) const {
  for (const Use& u : uses(v)) {
    if (!is_flow(u.site) && names_value(op(u.site)) && !names_result(op(u.site))) return u.site;
  }
  return std::nullopt;
}

std::vector<TileDecision> State::natural(ValueId v) const {
  std::vector<TileDecision> out;
  if (const auto i = argument_number(v)) {
    for (const TileDecision& p : arguments_[*i]) {
      if (p.dim) out.push_back(p);
    }
  } else if (const auto site = defining_site(v)) {
    for (const Step& s : steps_[*site]) {
      const Action& a = s.entry.results[result_number(v)];
      if (a.is_tile()) out.push_back({s.axis, a.dim});
    }
  }
  return out;
}

std::vector<TileDecision> State::returned(std::size_t i) const {
  std::vector<TileDecision> out = results_[i];
  for (const TileDecision& p : natural(function_->returned()[i])) {
    const auto same = [&](const TileDecision& q) { return q.axis == p.axis; };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back(p);
  }
  return out;
}

void State::join(std::size_t site, Axis axis, const Entry& entry, const Form& local, std::size_t later) {
  PARTIR_CHECK(step(site, axis) == nullptr, "an operation that joins twice along one axis");
  trail_.push_back({Change::Kind::join, site, forms_[site], axis});
  steps_[site].push_back({axis, entry, tactic_ + later});
  forms_[site] = &local;
}

void State::place_argument(std::size_t i, const TileDecision& placement) {
  trail_.push_back({Change::Kind::argument, i, nullptr, placement.axis});
  arguments_[i].push_back(placement);
}

void State::place_result(std::size_t i, const TileDecision& placement) {
  trail_.push_back({Change::Kind::result, i, nullptr, placement.axis});
  results_[i].push_back(placement);
}

void State::keep_replicated(Axis axis, ValueId v) {
  trail_.push_back({Change::Kind::replicated, v.index(), nullptr, axis});
  replicated_.emplace_back(axis, v);
}

void State::close(const Closed& closed) {
  trail_.push_back({Change::Kind::closed, closed.value.index(), nullptr, closed.axis});
  closed_.push_back(closed);
}

void State::order_argument(std::size_t i, std::vector<std::int64_t> device_ids) {
  trail_.push_back({Change::Kind::ordered_argument, i, nullptr, {}});
  PARTIR_CHECK(orders_.arguments.emplace(i, std::move(device_ids)).second, "an argument in two orders");
}

void State::order_result(std::size_t i, std::vector<std::int64_t> device_ids) {
  trail_.push_back({Change::Kind::ordered_result, i, nullptr, {}});
  PARTIR_CHECK(orders_.results.emplace(i, std::move(device_ids)).second, "a result in two orders");
}

const std::set<std::size_t>& State::unfitted(Axis axis) const {
  static const std::set<std::size_t> none;
  const auto it = unfitted_.find(axis);
  return it == unfitted_.end() ? none : it->second;
}

bool State::note_unfitted(Axis axis, std::size_t site) {
  if (!unfitted_[axis].insert(site).second) return false;
  trail_.push_back({Change::Kind::unfitted, site, nullptr, axis});
  return true;
}

void State::begin_tactic() {
  trail_.push_back({Change::Kind::tactic, 0, nullptr, {}});
  ++tactic_;
}

void State::undo_to(std::size_t mark) {
  PARTIR_CHECK(mark <= trail_.size(), "a mark of another history");
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Change& c = trail_.back();
    switch (c.kind) {
      case Change::Kind::join:
        steps_[c.index].pop_back();
        forms_[c.index] = c.form;
        break;
      case Change::Kind::argument: arguments_[c.index].pop_back(); break;
      case Change::Kind::result: results_[c.index].pop_back(); break;
      case Change::Kind::replicated: replicated_.pop_back(); break;
      case Change::Kind::closed: closed_.pop_back(); break;
      case Change::Kind::ordered_argument: orders_.arguments.erase(c.index); break;
      case Change::Kind::ordered_result: orders_.results.erase(c.index); break;
      case Change::Kind::unfitted: unfitted_[c.axis].erase(c.index); break;
      case Change::Kind::tactic: --tactic_; break;
    }
  }
}

namespace {

/// The operations of a block, and of regions that run as part of it, that compute something live or have an effect.
Block live_part(const Block& block, std::vector<bool>& live, bool (*keeps)(const Op&)) {
  const auto has_kept = [&](const Block& b) { return keeps != nullptr && find_op(b, keeps) != nullptr; };
  Block out;
  out.arguments = block.arguments;
  out.ops.reserve(block.ops.size());
  for (auto it = block.ops.rbegin(); it != block.ops.rend(); ++it) {
    const Op& op = *it;
    const bool keep = !op.decl->pure || op.decl->kind == OpDecl::Kind::terminator || (keeps != nullptr && keeps(op)) ||
                      (runs_regions(op) && std::any_of(op.regions.begin(), op.regions.end(), has_kept)) ||
                      std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return live[v.index()]; });
    if (!keep) continue;
    for (const ValueId v : op.operands) live[v.index()] = true;
    if (runs_regions(op)) {
      Op part = op;
      for (Block& b : part.regions) b = live_part(b, live, keeps);
      out.ops.push_back(std::move(part));
    } else {
      for (const ValueId v : captured(op)) live[v.index()] = true;
      out.ops.push_back(op);
    }
  }
  std::reverse(out.ops.begin(), out.ops.end());
  return out;
}

}  // namespace

Function without_dead_code(const Function& function, bool (*keeps)(const Op&)) {
  std::vector<bool> live(function.types.size(), false);
  Function out = signature_of(function);
  out.types = function.types;
  out.body = live_part(function.body, live, keeps);
  return out;
}

}  // namespace partir
