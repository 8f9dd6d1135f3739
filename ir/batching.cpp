#include "ir/batching.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/ops/decomposition.h"
#include "ir/ops/lookup_names.h"
#include "ir/splat.h"
#include "support/check.h"

namespace partir {
namespace {

/// The dimension along which each element of an integer tensor equals its own position; nullopt if unknown.
using OwnDim = std::optional<Dim>;

/// Infers OwnDim for whole values and for the positions of their last dimension, which are the components of indices.
class OwnPositions {
 public:
  explicit OwnPositions(const Function& f) : f_(f), splats_(f.types.size()) {
    for_each_op(f.body, [this](const Op& op) { note(op); });
  }

  /// By position of the last dimension; empty if nothing is known.
  [[nodiscard]] std::vector<OwnDim> components(ValueId v) const {
    const auto it = components_.find(v);
    return it == components_.end() ? std::vector<OwnDim>() : it->second;
  }

 private:
  [[nodiscard]] OwnDim whole(ValueId v) const {
    const auto it = whole_.find(v);
    return it == whole_.end() ? std::nullopt : OwnDim(it->second);
  }

  void note(const Op& op) {
    if (op.results.size() != 1) return;
    splats_[op.results[0]] = splat_of(op, splats_);
    if (op.name() == "stablehlo.compare" && is_never(op)) never_.insert(op.results[0]);
    const TensorType* type = f_.type(op.results[0]).as<TensorType>();
    if (type == nullptr || !is_integer(type->element)) return;
    const OwnDim along = of(op, *type);
    // A position that the element type cannot represent has wrapped.
    if (along && ops::counts(type->element, type->dims[*along])) whole_.emplace(op.results[0], *along);
    if (op.name() == "stablehlo.concatenate") join(op, *type);
  }

  [[nodiscard]] OwnDim of(const Op& op, const TensorType& type) const {
    const std::string& name = op.name();
    if (name == "stablehlo.iota") return static_cast<Dim>(find(op.attributes, "iota_dimension")->as<IntAttr>()->value);
    if (name == "stablehlo.convert") return whole(op.operands[0]);
    if (name == "stablehlo.select") return selected(op);
    const OwnDim from = op.operands.empty() ? std::nullopt : whole(op.operands[0]);
    if (!from) return std::nullopt;
    const std::vector<std::int64_t>& dims = f_.tensor(op.operands[0]).dims;
    if (name == "stablehlo.broadcast_in_dim") {
      const auto to = static_cast<Dim>(find(op.attributes, "broadcast_dimensions")->as<IntsAttr>()->values[*from]);
      return type.dims[to] == dims[*from] ? OwnDim(to) : std::nullopt;
    }
    return name == "stablehlo.reshape" ? reshaped(*from, dims, type.dims) : std::nullopt;
  }

  /// The dimension that `d` becomes if a reshape only adds and removes dimensions of size 1.
  static OwnDim reshaped(Dim d, const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
    if (from[d] == 1) return std::nullopt;
    std::vector<Dim> a;
    std::vector<Dim> b;
    for (Dim k = 0; k < from.size(); ++k) {
      if (from[k] != 1) a.push_back(k);
    }
    for (Dim k = 0; k < to.size(); ++k) {
      if (to[k] != 1) b.push_back(k);
    }
    if (a.size() != b.size()) return std::nullopt;
    OwnDim out;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (from[a[k]] != to[b[k]]) return std::nullopt;
      if (a[k] == d) out = b[k];
    }
    return out;
  }

  /// Whether a comparison asks for positions below 0.
  [[nodiscard]] bool is_never(const Op& op) const {
    const LiteralPtr& bound = splats_[op.operands[1]];
    return find(op.attributes, "comparison_direction")->as<KeywordAttr>()->value == "LT" && whole(op.operands[0]) &&
           bound != nullptr && bound->as_int(0) == 0;
  }

  /// JAX counts negative indices from the end: select(i < 0, i + n, i), which is i where i is a position.
  [[nodiscard]] OwnDim selected(const Op& op) const {
    return never_.contains(op.operands[0]) ? whole(op.operands[2]) : std::nullopt;
  }

  void join(const Op& op, const TensorType& type) {
    const auto last = static_cast<Dim>(find(op.attributes, "dimension")->as<IntAttr>()->value);
    if (last + 1 != type.rank()) return;
    std::vector<OwnDim> out;
    for (const ValueId v : op.operands) {
      const auto size = static_cast<std::size_t>(f_.tensor(v).dims[last]);
      const OwnDim along = whole(v);
      std::vector<OwnDim> part = components(v);
      if (part.empty()) part.assign(size, along && *along != last ? along : std::nullopt);
      out.insert(out.end(), part.begin(), part.end());
      if (out.size() > kComponents) return;
    }
    if (std::any_of(out.begin(), out.end(), [](const OwnDim& a) { return a.has_value(); }))
      components_.emplace(op.results[0], std::move(out));
  }

  static constexpr std::size_t kComponents = 8;  ///< more components than any operand has dimensions are not analysed

  const Function& f_;
  Splats splats_;
  std::unordered_map<ValueId, Dim> whole_;
  std::unordered_map<ValueId, std::vector<OwnDim>> components_;
  std::set<ValueId> never_;  ///< predicates that are false everywhere
};

using Ints = std::vector<std::int64_t>;

/// Null for operations other than gathers and scatters of one input.
const ops::LookupNames* lookup_of(const Op& op) {
  if (op.name() == "stablehlo.gather") return &ops::kGatherNames;
  return op.name() == "stablehlo.scatter" && op.results.size() == 1 ? &ops::kScatterNames : nullptr;
}

/// The operand that holds the indices.
constexpr std::size_t kIndices = 1;

/// The dimensions that become batching dimensions: by component of the indices, its dimension of the indices. At least
/// one component is left out, because indices without components are unusual input for other compilers.
std::map<std::size_t, Dim> batching_of(const OpInstance& op, const ops::LookupNames& lookup,
                                       const std::vector<OwnDim>& known) {
  std::map<std::size_t, Dim> out;
  const TensorType& x = *op.operands[0];
  const TensorType& indices = *op.operands[kIndices];
  const Ints& map = op.ints(lookup.map);
  if (known.size() != map.size() || op.integer("index_vector_dim") + 1 != static_cast<std::int64_t>(indices.rank()))
    return out;
  std::set<Dim> taken;
  for (const std::int64_t d : op.ints(lookup.indices_batching)) taken.insert(ops::at(d));
  for (std::size_t k = 0; k < known.size() && out.size() + 1 < known.size(); ++k) {
    if (!known[k] || x.dims[ops::at(map[k])] != indices.dims[*known[k]] ||
        !ops::contains(op.ints(lookup.single), map[k]) || !taken.insert(*known[k]).second)
      continue;
    out.emplace(k, *known[k]);
  }
  return out;
}

Ints without(Ints list, const std::set<std::int64_t>& dropped) {
  std::erase_if(list, [&](std::int64_t d) { return dropped.contains(d); });
  return list;
}

class Rewriter {
 public:
  Rewriter(const Function& source, Function& function, const std::set<ValueId>& wanted)
      : positions_(source), f_(function), wanted_(wanted) {}

  void block(Block& b) {
    for (Op& op : std::exchange(b.ops, {})) {
      for (Block& inner : op.regions) block(inner);
      const ops::LookupNames* lookup = lookup_of(op);
      if (lookup != nullptr && wanted_.contains(op.results[0])) batch(op, *lookup, b);
      b.ops.push_back(std::move(op));
    }
  }

 private:
  /// Rewrites an operation on the components of its indices that are left, which are computed in front of it.
  void batch(Op& op, const ops::LookupNames& lookup, Block& into) {
    const OpInstance instance = instance_of(f_, op);
    const ValueId indices = op.operands[kIndices];
    const std::map<std::size_t, Dim> batching = batching_of(instance, lookup, positions_.components(indices));
    PARTIR_CHECK(!batching.empty(), "an operation that is not batchable");
    const Ints& map = instance.ints(lookup.map);
    std::map<std::int64_t, std::int64_t> pairs;  ///< by batching dimension of operand 0
    for (std::size_t k = 0; k < instance.ints(lookup.operand_batching).size(); ++k)
      pairs.emplace(instance.ints(lookup.operand_batching)[k], instance.ints(lookup.indices_batching)[k]);
    std::set<std::int64_t> dims;
    Builder b(f_, into);
    b.from(op.place, op.location);
    std::vector<ValueId> left;
    const Dim last = f_.type(indices).rank() - 1;
    for (std::size_t k = 0; k < map.size(); ++k) {
      if (const auto it = batching.find(k); it != batching.end()) {
        dims.insert(map[k]);
        pairs.emplace(map[k], static_cast<std::int64_t>(it->second));
      } else {
        const auto at = static_cast<std::int64_t>(k);
        left.push_back(b.slice_along(indices, last, at, at + 1));
      }
    }
    op.operands[kIndices] = left.size() == 1 ? left[0] : b.concatenate(left, last);
    Ints of_operand;
    Ints of_indices;
    for (const auto& [operand, index] : pairs) {
      of_operand.push_back(operand);
      of_indices.push_back(index);
    }
    set(op.attributes, lookup.single, {IntsAttr{without(instance.ints(lookup.single), dims)}});
    set(op.attributes, lookup.map, {IntsAttr{without(map, dims)}});
    set(op.attributes, lookup.operand_batching, {IntsAttr{std::move(of_operand)}});
    set(op.attributes, lookup.indices_batching, {IntsAttr{std::move(of_indices)}});
    set(op.attributes, "indices_are_sorted", {false});
  }

  const OwnPositions positions_;
  Function& f_;
  const std::set<ValueId>& wanted_;
};

}  // namespace

std::set<ValueId> batchable(const Function& function) {
  std::set<ValueId> out;
  const bool looks_up = find_op(function.body, [](const Op& op) { return lookup_of(op) != nullptr; }) != nullptr;
  if (!looks_up) return out;
  const OwnPositions positions(function);
  for_each_op(function.body, [&](const Op& op) {
    const ops::LookupNames* lookup = lookup_of(op);
    if (lookup == nullptr) return;
    const OpInstance instance = instance_of(function, op);
    if (!op.regions.empty() && !ops::is_closed(instance)) return;
    if (!batching_of(instance, *lookup, positions.components(op.operands[kIndices])).empty()) out.insert(op.results[0]);
  });
  return out;
}

Function with_batching(const Function& function, const std::set<ValueId>& operations) {
  Function out = function;
  if (!operations.empty()) Rewriter(function, out, operations).block(out.body);
  return out;
}

}  // namespace partir
