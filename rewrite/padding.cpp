// Writes the padded program operation by operation. An operation is first moved to the padded sizes by its entries;
// padded dimensions that are left use the operation's own rule (OpDecl::padded); for any that remain after that the
// operands are sliced to their original sizes and the result is padded again.
#include "rewrite/padding.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "ir/builder.h"
#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/decomposition.h"
#include "ir/splat.h"
#include "rewrite/padded_sizes.h"
#include "rewrite/state.h"

namespace partir {
namespace {

Type& type_at(OpInstance& op, std::size_t number) {
  return number < op.operands.size() ? op.operands[number] : op.results[number - op.operands.size()];
}

using Sizes = PaddedSizes::Sizes;

/// Rewrites the function on padded values.
class Padder {
 public:
  Padder(const Function& from, const Padding& padding)
      : from_(from),
        to_(from),
        builder_(to_, to_.body),
        infinities_(from),
        subjects_(from),
        splats_(from.types.size()) {
    for_each_op(from.body, [&](const Op& op) {
      if (op.results.size() == 1) splats_[op.results[0]] = splat_of(op, splats_);
    });
    PaddedSizes sizes(from, splats_);
    for (const UnevenDim& u : padding.uneven) sizes.add(u);
    for (std::size_t v = 0; v < from.types.size(); ++v) sizes_.push_back(sizes.of(ValueId(v)));
    const auto asked = [&](ValueId v) {
      return std::any_of(padding.uneven.begin(), padding.uneven.end(),
                         [v](const UnevenDim& u) { return u.value == v; });
    };
    const auto without = [&](const std::set<std::size_t>& listed, const std::vector<ValueId>& values) {
      std::set<std::size_t> out = listed;
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (is_padded(values[k]) && !sizes.in_own_parts(values[k]) && !asked(values[k])) out.insert(k);
      }
      return out;
    };
    arguments_ = without(padding.arguments, from.arguments());
    results_ = without(padding.results, from.returned());
  }

  Function run() {
    to_.body.ops.clear();
    builder_.move_to(to_.body);
    for (std::size_t i = 0; i < from_.arguments().size(); ++i) {
      const ValueId v = from_.arguments()[i];
      if (!is_padded(v)) continue;
      if (arguments_.contains(i)) {
        wide_[v] = pad(v, sizes_[v.index()]);
      } else {
        to_.types[v.index()]->dims = sizes_[v.index()];
      }
    }
    block(from_.body);
    return std::move(to_);
  }

 private:
  using Place = std::pair<ValueId, Sizes>;

  [[nodiscard]] bool is_padded(ValueId v) const {
    return from_.type(v).is_tensor() && sizes_[v.index()] != from_.tensor(v).dims;
  }
  [[nodiscard]] ValueId wide(ValueId v) const {
    const auto it = wide_.find(v);
    return it == wide_.end() ? v : it->second;
  }

  /// Writes the operations of a block to the builder's block.
  void block(const Block& b) {
    const auto known = std::pair(cut_, masked_);  // cached values are visible in this block and in nested ones only
    for (const Op& op : b.ops) {
      builder_.from(op.place, op.location);
      if (op.decl->kind == OpDecl::Kind::terminator) {
        terminator(op);
      } else if (runs_regions(op) || !flows_of(op).empty()) {
        control(op);
      } else {
        operation(op);
      }
    }
    std::tie(cut_, masked_) = known;
  }

  void terminator(const Op& op) {
    Op out = op;
    const bool returns = op.name() == "func.return";
    for (std::size_t k = 0; k < out.operands.size(); ++k) {
      const ValueId v = out.operands[k];
      const bool own = returns && results_.contains(k);
      out.operands[k] = own && is_padded(v) ? cut(v, from_.tensor(v).dims) : wide(v);
    }
    builder_.append(std::move(out));
  }

  void control(const Op& op) {
    Op out = op;
    for (ValueId& v : out.operands) v = wide(v);
    for (const ValueId v : out.results) grow(v);
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      if (!runs_regions(op)) break;
      out.regions[r].ops.clear();
      for (const ValueId v : out.regions[r].arguments) grow(v);
      Block inner;
      inner.arguments = out.regions[r].arguments;
      Block* const outside = builder_.move_to(inner);
      block(op.regions[r]);
      builder_.move_to(*outside);
      out.regions[r] = std::move(inner);
    }
    builder_.from(op.place, op.location);
    builder_.append(std::move(out));
  }

  void grow(ValueId v) {
    if (is_padded(v)) to_.types[v.index()]->dims = sizes_[v.index()];
  }

  /// How an operation is written: its sizes, and the operands whose padding is masked first.
  struct Plan {
    OpInstance op;
    std::set<Slot> unhandled;  ///< padded dimensions that the operation does not handle yet
    struct Mask {
      std::size_t operand;
      Dim dim;
      Monoid monoid;
    };
    std::vector<Mask> masks;
    std::vector<Function> others;    ///< written instead of the operation; each prepares operands for the next
    std::set<std::size_t> prepared;  ///< operands that these do more to than mask, whose sizes are fixed from then on
    bool is_padded = false;          ///< whether an operand or result has padding
  };

  void operation(const Op& op) {
    if (const auto fused = subjects_.fused_selection(op)) {
      const Plan plan = plan_of(*fused);
      if (plan.unhandled.empty() && !plan.others.empty()) return write(*fused, plan);
    }
    Plan plan = plan_of(op);
    if (plan.is_padded) {
      write(op, plan);
    } else {
      builder_.append(Op(op));
    }
  }

  Plan plan_of(const Op& op) {
    const std::size_t operands = op.operands.size();
    Plan plan{instance_of(from_, op, splats_), {}, {}, {}, {}, false};
    const auto note_padded = [&](std::size_t number, ValueId v) {
      if (!is_padded(v)) return;
      for (Dim d = 0; d < sizes_[v.index()].size(); ++d) {
        if (sizes_[v.index()][d] != from_.tensor(v).dims[d]) plan.unhandled.insert({number, d});
      }
    };
    for (std::size_t k = 0; k < operands; ++k) note_padded(k, op.operands[k]);
    for (std::size_t k = 0; k < op.results.size(); ++k) note_padded(operands + k, op.results[k]);
    plan.is_padded = !plan.unhandled.empty();
    if (!plan.is_padded) return plan;
    const auto wanted = [&](const Slot& s) {
      const ValueId v = s.number < operands ? op.operands[s.number] : op.results[s.number - operands];
      return sizes_[v.index()][s.dim];
    };
    while (by_entry(plan, wanted)) {
    }
    const bool has_rule = !op.decl->traits.selects || infinities_.of(op.operands[0]).none();
    while (has_rule && by_own_rule(plan, wanted)) {
    }
    if (!plan.unhandled.empty() && !plan.others.empty()) by_what_replaces_it(plan, wanted);
    return plan;
  }

  /// Pads the dimensions that are left in the program that replaces the operation, which consists of other operations.
  template <class F>
  void by_what_replaces_it(Plan& plan, const F& wanted) {
    const Function& f = plan.others.back();
    const std::size_t operands = plan.op.operands.size();
    Padding rest;
    for (const Slot& s : plan.unhandled)
      rest.uneven.push_back(
          {s.number < operands ? f.arguments()[s.number] : f.returned().at(s.number - operands), s.dim, wanted(s)});
    Function wide = Padder(f, rest).run();
    OpInstance op = plan.op;
    for (const Slot& s : plan.unhandled) type_at(op, s.number)->dims[s.dim] = wanted(s);
    for (std::size_t k = 0; k < operands; ++k) {
      if (wide.type(wide.arguments()[k]) != op.operands[k]) return;
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      if (wide.type(wide.returned()[k]) != op.results[k]) return;
    }
    plan.op = std::move(op);
    plan.others.back() = std::move(wide);
    plan.unhandled.clear();
  }

  /// Moves one more group of dimensions to their padded sizes by an entry. Entries that reduce are tried last.
  template <class F>
  bool by_entry(Plan& plan, const F& wanted) {
    const std::vector<Entry> entries = entries_of(plan.op);
    for (const bool reduces : {false, true}) {
      for (const Entry& entry : entries) {
        const std::vector<Slot> slots = tiled_slots(entry);
        const auto partial = [](const Action& a) { return a.is_partial(); };
        const auto is_unhandled = [&](const Slot& s) { return plan.unhandled.contains(s); };
        if (slots.empty() || std::any_of(entry.results.begin(), entry.results.end(), partial) != reduces ||
            !std::all_of(slots.begin(), slots.end(), is_unhandled))
          continue;
        const std::int64_t size = type_at(plan.op, slots[0].number)->dims[slots[0].dim];
        const std::int64_t to = wanted(slots[0]);
        auto wide = resized(plan.op, entry, to, size);
        const auto fits = [&](const Slot& s) { return type_at(*wide, s.number)->dims[s.dim] == wanted(s); };
        if (!wide || !std::all_of(slots.begin(), slots.end(), fits)) continue;
        if (reduces && !add_masks(plan, entry, slots)) continue;
        for (const Slot& s : slots) plan.unhandled.erase(s);
        plan.op = std::move(*wide);
        return true;
      }
    }
    return false;
  }

  bool add_masks(Plan& plan, const Entry& entry, const std::vector<Slot>& slots) {
    if (entry.results.size() != 1 || !entry.results[0].is_partial()) return false;
    const Monoid monoid = entry.results[0].monoid;
    // Only the updates need a mask: an update by the identity changes nothing, wherever it is applied.
    const auto& update = plan.op.decl->traits.update;
    const auto is_masked = [&](const Slot& s) { return !update || s.number == *update; };
    for (const Slot& s : slots) {
      if (is_masked(s) && identity_splat(*plan.op.operands[s.number], monoid) == nullptr) return false;
    }
    for (const Slot& s : slots) {
      if (is_masked(s)) plan.masks.push_back({s.number, s.dim, monoid});
    }
    return true;
  }

  /// Handles one padded dimension that no entry accepts by the operation's own rule (OpDecl::padded). Returns true if
  /// the decomposed program ends in the same kind of operation, so that another dimension can be tried.
  template <class F>
  bool by_own_rule(Plan& plan, const F& wanted) {
    if (plan.op.decl->padded == nullptr || plan.unhandled.empty()) return false;
    const std::size_t operands = plan.op.operands.size();
    const Slot first = *plan.unhandled.begin();
    const std::size_t operand = std::min(first.number, operands);
    if (plan.prepared.contains(operand)) return false;
    auto others = plan.op.decl->padded(plan.op, operand, first.dim, wanted(first));
    if (!others) return false;
    const Type& result = others->type(others->returned().at(0));
    const Slot along{operands, first.dim};
    if (result == plan.op.results[0]) {
      if (operand == operands) return false;
    } else if (!plan.unhandled.contains(along) || result->dims[first.dim] != wanted(along)) {
      return false;
    }
    std::vector<Slot> together;  // operands of a fold of several values are padded together
    for (std::size_t k = 0; k < operands; ++k) {
      const Type& wide = others->type(others->arguments()[k]);
      for (Dim d = 0; d < wide.rank(); ++d) {
        if (wide->dims[d] == plan.op.operands[k]->dims[d]) continue;
        together.push_back({k, d});
        if (!plan.unhandled.contains({k, d}) || wide->dims[d] != wanted(Slot{k, d})) return false;
      }
    }
    if (result != plan.op.results[0]) plan.unhandled.erase(along);
    plan.unhandled.erase(first);
    for (const Slot& s : together) {
      plan.unhandled.erase(s);
      plan.op.operands[s.number]->dims[s.dim] = wanted(s);
    }
    plan.op.results[0] = result;
    const Op& last = others->body.ops.at(others->body.ops.size() - 2);
    plan.op.attributes = last.attributes;
    for (std::size_t k = 0; k < std::min(operands, last.operands.size()); ++k) {
      if (last.operands[k] != others->arguments()[k] && ops::mask_of(*others, last.operands[k], k) == nullptr)
        plan.prepared.insert(k);
    }
    plan.others.push_back(std::move(*others));
    return last.decl == plan.op.decl;
  }

  void write(const Op& op, const Plan& plan) {
    Op out = op;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const ValueId v = op.operands[k];
      out.operands[k] = is_padded(v) ? cut(v, plan.op.operands[k]->dims) : v;
      for (const auto& mask : plan.masks) {
        if (mask.operand == k)
          out.operands[k] = masked(out.operands[k], mask.dim, from_.tensor(v).dims[mask.dim], mask.monoid);
      }
    }
    out.attributes = plan.op.attributes;
    // Padding may hold any indices, so nothing can be promised about indices with padding.
    if (const auto k = op.decl->traits.indices; k && plan.op.operands[*k] != from_.type(op.operands[*k])) {
      for (const char* promise : {"indices_are_sorted", "unique_indices"}) {
        if (find(out.attributes, promise) != nullptr) set(out.attributes, promise, {false});
      }
    }
    for (std::size_t k = 0; k < out.results.size(); ++k) {
      const ValueId v = op.results[k];
      grow(v);
      if (plan.op.results[k] != to_.type(v)) out.results[k] = to_.add_value(plan.op.results[k]);
    }
    const std::vector<ValueId> results = out.results;
    if (!plan.others.empty()) {
      append(plan.others, out);
    } else {
      builder_.append(std::move(out));
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (results[k] != op.results[k]) pad_as(results[k], op.results[k]);
    }
  }

  /// Appends the bodies of `others`. Each but the last prepares operands for the next, and its own last operation is
  /// omitted, because the last operation of the next body represents it. The last body returns the operation's result.
  /// A mask is written for the operand as it arrives, which may be longer in other dimensions.
  void append(const std::vector<Function>& others, const Op& op) {
    std::vector<ValueId> operands = op.operands;
    for (const Function& f : others) {
      const bool last = &f == &others.back();
      Cloner cloner(f, to_);
      for (std::size_t k = 0; k < operands.size(); ++k) cloner.map(f.arguments()[k], operands[k]);
      for (std::size_t k = 0; last && k < f.returned().size(); ++k) cloner.map(f.returned()[k], op.results.at(k));
      const std::size_t represented = f.body.ops.size() - 2;
      for (std::size_t i = 0; i < represented + (last ? 1 : 0); ++i) {
        Op copy = cloner.op(f.body.ops[i]);
        copy.id = to_.new_op();
        builder_.append(std::move(copy));
      }
      if (last) break;
      const Op& o = f.body.ops[represented];
      for (std::size_t k = 0; k < operands.size(); ++k) {
        if (const Op* mask = ops::mask_of(f, o.operands[k], k)) {
          for (const ValueId v : {mask->operands[0], mask->operands[2], mask->results[0]})
            to_.types[cloner.at(v).index()]->dims = to_.tensor(operands[k]).dims;
        }
        operands[k] = cloner.at(o.operands[k]);
      }
    }
  }

  /// The value sliced to these sizes.
  ValueId cut(ValueId v, const Sizes& dims) {
    const ValueId from = wide(v);
    if (to_.tensor(from).dims == dims) return from;
    if (from != v && from_.tensor(v).dims == dims) return v;  // an argument that arrives without padding
    const auto [it, fresh] = cut_.try_emplace({from, dims});
    if (fresh) it->second = builder_.slice(from, Sizes(dims.size(), 0), dims);
    return it->second;
  }

  /// The value with the identity of a monoid in place of the elements from `size` on in a dimension.
  ValueId masked(ValueId v, Dim dim, std::int64_t size, Monoid monoid) {
    const auto [it, fresh] = masked_.try_emplace({v, dim, monoid});
    if (!fresh) return it->second;
    const TensorType type = to_.tensor(v);
    const TensorType line{ElementType::i32, {type.dims[dim]}};
    const ValueId inside = builder_.compare("LT", builder_.iota(line, 0), builder_.constant(line, size));
    const ValueId spread = builder_.broadcast_in_dim(inside, {static_cast<std::int64_t>(dim)}, type.dims);
    it->second = builder_.select(spread, v, builder_.constant(identity_splat(type, monoid)));
    return it->second;
  }

  ValueId pad(ValueId v, const Sizes& dims) {
    const TensorType type = to_.tensor(v);
    Sizes high;
    for (Dim d = 0; d < dims.size(); ++d) high.push_back(dims[d] - type.dims[d]);
    return builder_.pad(v, builder_.constant({type.element, {}}, 0), Sizes(dims.size(), 0), std::move(high));
  }

  /// Pads a value; the result gets the number of `as`.
  void pad_as(ValueId v, ValueId as) {
    pad(v, to_.tensor(as).dims);
    builder_.rename_result(as);
  }

  const Function& from_;
  std::set<std::size_t> arguments_;  ///< arguments that are passed without padding
  std::set<std::size_t> results_;    ///< results that are returned without padding
  Function to_;
  Builder builder_;
  LazyInfinities infinities_;
  ByOffsetsSubjects subjects_;
  Splats splats_;
  std::vector<Sizes> sizes_;                   ///< by value, with padding
  std::unordered_map<ValueId, ValueId> wide_;  ///< padded values of the arguments that are passed without padding
  std::map<Place, ValueId> cut_;
  std::map<std::tuple<ValueId, Dim, Monoid>, ValueId> masked_;
};

}  // namespace

Function padded(const Function& function, const Padding& padding) {
  if (padding.empty()) return function;
  return Padder(function, padding).run();
}

}  // namespace partir
