// Classifies values in three passes: arguments by name or donation, parameters forward through operations that only
// move data, and gradients backward from the results that take over parameters or optimizer state.
#include "simulate/memory_kinds.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "ir/op_decl.h"
#include "simulate/block_graph.h"

namespace partir {
namespace {

bool has_part(const std::string& path, std::initializer_list<std::string_view> parts) {
  std::size_t start = 0;
  while (start <= path.size()) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    const std::string_view part = std::string_view(path).substr(start, slash - start);
    if (std::find(parts.begin(), parts.end(), part) != parts.end()) return true;
    start = slash + 1;
  }
  return false;
}

bool moves_only(const Op& op) {
  const OpTraits& is = op.decl->traits;
  return op.decl->kind == OpDecl::Kind::collective || is.permutes || is.converts || is.cuts ||
         op.decl->control == Control::barrier;
}

bool is_pointwise(const Op& op) {
  return op.decl->kind == OpDecl::Kind::array && !is_matrix(op) && op.regions.empty() && !op.decl->traits.repeats &&
         !op.decl->traits.looks_up;
}

}  // namespace

std::string_view name_of(MemoryKind kind) {
  constexpr std::string_view names[] = {"parameters", "optimizer_state", "gradients", "activations", "inputs"};
  return names[static_cast<std::size_t>(kind)];
}

double total(const MemoryByKind& bytes) { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

std::vector<std::optional<std::size_t>> donations(const Function& function) {
  const std::size_t results = function.returned().size();
  std::vector<std::optional<std::size_t>> out(function.arguments().size());
  std::vector<bool> taken(results, false);
  std::vector<std::size_t> donors;
  for (std::size_t i = 0; i < out.size() && i < function.argument_attributes.size(); ++i) {
    const AttributeList& attributes = function.argument_attributes[i];
    const Attribute* alias = find(attributes, "tf.aliasing_output");
    const IntAttr* number = alias != nullptr ? alias->as<IntAttr>() : nullptr;
    if (number != nullptr && number->value >= 0 && static_cast<std::size_t>(number->value) < results) {
      out[i] = static_cast<std::size_t>(number->value);
      taken[*out[i]] = true;
    } else if (const Attribute* donor = find(attributes, "jax.buffer_donor");
               donor != nullptr && donor->as<bool>() != nullptr && *donor->as<bool>()) {
      donors.push_back(i);
    }
  }
  for (const std::size_t i : donors) {
    for (std::size_t r = 0; r < results && !out[i]; ++r) {
      if (taken[r] || function.type(function.returned()[r]) != function.type(function.arguments()[i])) continue;
      out[i] = r;
      taken[r] = true;
    }
  }
  return out;
}

// --- Kinds ----------------------------------------------------------------------------------------------------------

ValueKinds::ValueKinds(const Function& function, const Names& names)
    : f_(function), kinds_(function.types.size(), MemoryKind::activations), donated_(donations(function)) {
  arguments(names);
  forward(f_.body);
  std::vector<ValueId> state;
  for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
    const MemoryKind kind = of(f_.arguments()[i]);
    const auto result = donated_[i];
    if (result && (kind == MemoryKind::parameters || kind == MemoryKind::optimizer_state))
      state.push_back(f_.returned()[*result]);
  }
  backward(f_.body, std::move(state));
}

void ValueKinds::arguments(const Names& names) {
  const auto& arguments = f_.arguments();
  bool named = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    MemoryKind kind = MemoryKind::inputs;
    const std::string name = i < names.arguments.size() ? names.arguments[i] : "";
    if (has_part(name, {"opt_state", "optimizer", "mu", "nu"}))
      kind = MemoryKind::optimizer_state;
    else if (has_part(name, {"params", "parameters"}))
      kind = MemoryKind::parameters;
    named = named || kind != MemoryKind::inputs;
    kinds_[arguments[i].index()] = kind;
  }
  if (named) return;
  std::vector<bool> reaches(f_.types.size(), false);  // a matrix product, through operations that only move elements
  for (std::size_t i = f_.body.ops.size(); i-- > 0;) {
    const Op& op = f_.body.ops[i];
    const bool on = is_matrix(op) || (moves_only(op) && std::any_of(op.results.begin(), op.results.end(),
                                                                    [&](ValueId v) { return reaches[v.index()]; }));
    if (!on) continue;
    for (const ValueId v : op.operands) reaches[v.index()] = true;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!donated_[i]) continue;
    kinds_[arguments[i].index()] = reaches[arguments[i].index()] ? MemoryKind::parameters : MemoryKind::optimizer_state;
  }
}

void ValueKinds::forward(const Block& block) {
  for (const Op& op : block.ops) {
    if (moves_only(op) && !op.operands.empty()) {
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        const ValueId from = op.operands[std::min(k, op.operands.size() - 1)];
        const ValueId first = op.results.size() == 1 ? op.operands[0] : from;
        if (of(first) == MemoryKind::parameters) kinds_[op.results[k].index()] = MemoryKind::parameters;
      }
    }
    if (op.decl->control == Control::loop && op.regions.size() == 2) {
      const Block& body = op.regions[1];
      for (std::size_t k = 0; k < body.arguments.size() && k < op.operands.size(); ++k) {
        const MemoryKind kind = of(op.operands[k]);
        const bool same = body.ops.back().operands.at(k) == body.arguments[k];
        if (kind != MemoryKind::parameters || !same) continue;
        for (const ValueId v : {body.arguments[k], op.results.at(k), op.regions[0].arguments.at(k)})
          kinds_[v.index()] = kind;
      }
    }
    if (op.decl->kind == OpDecl::Kind::control) {
      for (const Block& region : op.regions) forward(region);
    }
  }
}

void ValueKinds::backward(const Block& block, std::vector<ValueId> from) {
  std::unordered_map<ValueId, std::pair<const Op*, std::size_t>> made_by;
  for (const Op& op : block.ops) {
    for (std::size_t k = 0; k < op.results.size(); ++k) made_by[op.results[k]] = {&op, k};
  }
  std::unordered_map<const Op*, std::vector<ValueId>> bodies;
  std::vector<bool> seen(f_.types.size(), false);
  while (!from.empty()) {
    const ValueId v = from.back();
    from.pop_back();
    const auto it = made_by.find(v);
    if (it == made_by.end() || seen[v.index()]) continue;
    seen[v.index()] = true;
    const auto& [op, k] = it->second;
    if (of(v) == MemoryKind::activations && f_.type(v).rank() != 0) kinds_[v.index()] = MemoryKind::gradients;
    if (op->decl->control == Control::loop && op->regions.size() == 2) {
      kinds_[op->regions[1].arguments.at(k).index()] = MemoryKind::gradients;
      bodies[op].push_back(op->regions[1].ops.back().operands.at(k));
      continue;
    }
    if (!moves_only(*op) && !is_pointwise(*op)) continue;
    for (const ValueId operand : op->operands) from.push_back(operand);
  }
  for (auto& [op, values] : bodies) backward(op->regions[1], std::move(values));
}

}  // namespace partir
