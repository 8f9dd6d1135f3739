// Inference of device-local operations: matches each with a source operation on the same values, by tile-mapping
// entries (fit_entries). Also of open values, whose layouts follow from their uses.
#include <fmt/format.h>

#include <algorithm>

#include "ir/ops/common.h"
#include "ir/zeros.h"
#include "verify/certificate/effects.h"
#include "verify/certificate/local.h"
#include "verify/validate/inferring.h"

namespace partir::validate {

const Form& Inferring::form_of(const Op& op) {
  const Form*& known = forms_[&op];
  if (known == nullptr) known = table_.of(instance_of(s_, op, splats_));
  return *known;
}

namespace {

/// Whether swapping the operands leaves the result equal bit by bit, except for NaN payloads. (A maximum of complex
/// numbers with NaN parts returns the first, so it does not commute.)
bool commutes(const Function& f, const Op& op) {
  const auto fn = op.operands.size() == 2 ? ops::scalar_fn_of(op.name()) : std::nullopt;
  if (!fn) return false;
  switch (*fn) {
    case ScalarFn::add:
    case ScalarFn::multiply:
    case ScalarFn::logical_and:
    case ScalarFn::logical_or:
    case ScalarFn::logical_xor: return true;
    case ScalarFn::maximum:
    case ScalarFn::minimum: return !is_complex(f.tensor(op.operands[0]).element);
    default: return false;
  }
}

}  // namespace

void Inferring::local(const Op& op, const Enclosing& around) {
  try {
    local_in_order(op, around);
  } catch (const Unexplained&) {
    if (!commutes(t_, op)) throw;
    Op& other = swapped_.emplace_back(op);
    std::swap(other.operands[0], other.operands[1]);
    made_by_[op.results[0].index()] = &other;
    local_in_order(other, around);
  }
}

void Inferring::local_in_order(const Op& op, const Enclosing& around) {
  if (const auto why = depends_on_device_or_has_effects(op)) throw Unexplained{*why};
  KnownTypes known(op.operands.size());
  std::optional<std::size_t> first;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    if (open_[op.operands[k].index()]) continue;
    const auto it = parts_.find(op.operands[k]);
    if (it == parts_.end()) throw Unexplained{"uses a value that is not explained"};
    known[k] = it->second.type;
    if (!first) first = k;
  }
  if (!first) throw Unexplained{"reads other values inside its regions alone"};
  if (op.results.empty()) throw Unexplained{"gives nothing"};
  std::string why = "no such operation in the source on these values";
  struct Way {
    const Op* source;
    EntryFit fit;
  };
  std::vector<Way> ways;
  for (const auto& [source, place] : users_[parts_.at(op.operands[*first]).source]) {
    if (place != *first || source->decl != op.decl || source->operands.size() != op.operands.size()) continue;
    if (!encloses(around, block_of_.at(source))) continue;
    bool same = true;
    for (std::size_t k = 0; k < op.operands.size() && same; ++k)
      same = !known[k] || parts_.at(op.operands[k]).source == resolved(source->operands[k]);
    if (!same) continue;
    auto fits = fit_entries(form_of(*source), instance_of(t_, op), known, KnownTypes(op.results.size()), mesh_);
    if (fits.empty()) {
      if (const auto pending = with_pending_zeros(*source, known))
        fits = fit_entries(form_of(*source), instance_of(t_, op), *pending, KnownTypes(op.results.size()), mesh_);
    }
    if (fits.empty()) {
      why = "no entries of the operation take its operands so, or they make another local operation of it";
      continue;
    }
    if (!regions_agree(*source, op)) {
      why = "a region that is not the source's";
      continue;
    }
    for (EntryFit& fit : fits) ways.push_back({source, std::move(fit)});
  }
  // Keep the ways for which all operands are available in the required layouts.
  std::vector<Op> made;
  std::vector<Alternative> alternatives;
  std::size_t chosen = 0;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    why = "an operand is not computed as the source's is";
    auto out = with_operands(op, *ways[w].source, ways[w].fit);
    if (!out) continue;
    const Alternative is{resolved(ways[w].source->results[0]), ways[w].fit.results[0]};
    if (std::find(alternatives.begin(), alternatives.end(), is) != alternatives.end()) continue;
    if (made.empty()) chosen = w;
    alternatives.push_back(is);
    made.push_back(std::move(*out));
  }
  if (made.empty()) throw Unexplained{why};
  if (made.size() > 1 && op.results.size() == 1) {
    open_[op.results[0].index()] = true;
    alternatives_[op.results[0]] = std::move(alternatives);
    return;
  }
  const auto& [source, fit] = ways[chosen];
  CertificateStep& step = emit(std::move(made[0]));
  step.source = paths_.at(source);
  step.along = fit.along;
  for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source->results[k], fit.results[k]);
}

/// The layouts of the operands with zeros as the pending sum that another operand is (law zeros-pending); nullopt if no
/// operand is known to be zero, or none is pending.
std::optional<KnownTypes> Inferring::with_pending_zeros(const Op& source, KnownTypes known) {
  std::vector<Pending> sums;
  for (const auto& type : known) {
    if (type && type->pending.size() > sums.size()) sums = type->pending;
  }
  bool some = false;
  for (std::size_t k = 0; k < known.size() && !sums.empty(); ++k) {
    if (!known[k] || !known[k]->pending.empty() || !is_zeros(splats_[resolved(source.operands[k])])) continue;
    known[k]->pending = sums;
    some = true;
  }
  return some ? std::optional(std::move(known)) : std::nullopt;
}

std::optional<Op> Inferring::with_operands(const Op& op, const Op& source, const EntryFit& fit) {
  Op out = op;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    Layout wanted = fit.operands[k];
    if (is_zeros(splats_[resolved(source.operands[k])])) wanted.pending.clear();  // they are a pending sum, too
    const auto v = copy_as(op.operands[k], resolved(source.operands[k]), wanted);
    if (!v) return std::nullopt;
    out.operands[k] = *v;
  }
  return out;
}

bool Inferring::regions_agree(const Op& source, const Op& op) const {
  if (source.regions.size() != op.regions.size()) return false;
  for (std::size_t r = 0; r < op.regions.size(); ++r) {
    const auto same = [&](ValueId x, ValueId y) {
      const auto it = parts_.find(y);
      return it != parts_.end() && it->second.source == resolved(x) && it->second.type.is_replicated();
    };
    if (!same_block(s_, source.regions[r], t_, op.regions[r], same)) return false;
  }
  return true;
}

const std::vector<Inferring::Alternative>& Inferring::alternatives_of(ValueId v) {
  const auto [it, fresh] = alternatives_.try_emplace(v);
  if (!fresh) return it->second;
  const Op* op = made_by_[v.index()];
  std::vector<Alternative> out;
  for (std::size_t k = 0; op != nullptr && k < op->operands.size() && out.empty(); ++k) {
    std::vector<Alternative> operand;
    if (open_[op->operands[k].index()]) operand = alternatives_of(op->operands[k]);
    for (const Alternative& a : operand) {
      KnownTypes known(op->operands.size());
      known[k] = a.type;
      for (const auto& [source, place] : users_[a.source]) {
        if (place != k || source->decl != op->decl || source->operands.size() != op->operands.size()) continue;
        for (const EntryFit& f :
             fit_entries(form_of(*source), instance_of(t_, *op), known, KnownTypes(op->results.size()), mesh_))
          out.push_back({resolved(source->results[0]), f.results[0]});
      }
    }
  }
  return alternatives_[v] = std::move(out);
}

std::optional<ValueId> Inferring::copy_as(ValueId v, ValueId source, const Layout& type) {
  if (!open_[v.index()]) {
    const auto it = parts_.find(v);
    return it != parts_.end() && it->second.source == source && it->second.type == type ? std::optional(v)
                                                                                        : std::nullopt;
  }
  const auto key = std::tuple(into_.back().number, v, source, type);
  if (const auto it = copies_.find(key); it != copies_.end()) return it->second;
  const Op* op = made_by_[v.index()];
  const auto origin = origins_.find(source);
  if (op == nullptr || origin == origins_.end() || op->results.size() != 1) return std::nullopt;
  if (!is_layout_of(type, s_.type(source), mesh_) || type.local(s_.type(source), mesh_) != t_.type(v))
    return std::nullopt;
  const Op& from = *origin->second.op;
  std::optional<ValueId> out;
  KnownTypes known(op->operands.size());
  for (std::size_t k = 0; k < op->operands.size(); ++k) {
    if (const auto it = parts_.find(op->operands[k]); it != parts_.end()) known[k] = it->second.type;
  }
  if (from.decl == op->decl && from.operands.size() == op->operands.size() && regions_agree(from, *op)) {
    for (const EntryFit& fit : fit_entries(form_of(from), instance_of(t_, *op), known, KnownTypes{type}, mesh_)) {
      auto copy = with_operands(*op, from, fit);
      if (!copy) continue;
      out = w_->add_value(t_.type(v));
      copy->id = w_->new_op();
      copy->results = {*out};
      CertificateStep& step = emit(std::move(*copy));
      step.source = origin->second.path;
      step.along = fit.along;
      break;
    }
  }
  if (!out && op->name() == "stablehlo.dynamic_slice") out = copy_slice_as(*op, source, type);
  if (!out) return std::nullopt;
  parts_[*out] = {source, type};
  copies_.emplace(key, *out);
  return out;
}

std::optional<ValueId> Inferring::copy_slice_as(const Op& op, ValueId source, const Layout& type) {
  const Type& global = s_.type(source);
  for (std::size_t k = 1; k < op.operands.size(); ++k) {
    if (positions_.find(op.operands[k]) == nullptr) return std::nullopt;
  }
  Layout before = type;
  for (Dim d = 0; d < global.rank(); ++d) {
    while (!before.dims[d].empty() && before.local(global, mesh_)->dims[d] != t_.type(op.operands[0])->dims[d])
      before.dims[d].pop_back();
  }
  if (before.local(global, mesh_) != t_.type(op.operands[0])) return std::nullopt;
  if (converted(*w_, op, before, type, global, mesh_, positions_).wrong) return std::nullopt;
  const auto operand = copy_as(op.operands[0], source, before);
  if (!operand) return std::nullopt;
  Op copy = op;
  copy.operands[0] = *operand;
  const ValueId out = w_->add_value(t_.type(op.results[0]));
  copy.id = w_->new_op();
  copy.results = {out};
  emit(std::move(copy)).types = {type.str(mesh_)};
  return out;
}

}  // namespace partir::validate
