#include "simulate/recompute.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "simulate/memory_kinds.h"

namespace partir {
namespace {

/// Returns the values of the enclosing block that an operation reads, including those that its regions capture.
std::vector<ValueId> read_by(const Op& op) {
  std::vector<ValueId> out = op.operands;
  if (!op.regions.empty()) {
    const std::vector<ValueId> inside = captured(op);
    out.insert(out.end(), inside.begin(), inside.end());
  }
  return out;
}

class Recomputing {
 public:
  Recomputing(const Function& f, const Names& names, Recomputation policy)
      : f_(f), policy_(policy), kinds_(f, names), out_(signature_of(f)), cloner_(f, out_), backward_(f, out_) {}

  Result<Recomputed> run() {
    if (!find_forward())
      return tl::unexpected(Diagnostic{"remat", "", f_.place, "no result that could be a loss",
                                       "a result without dimensions that no donated argument takes"});
    find_activations();
    keep();
    write();
    return Recomputed{std::move(out_), recomputed_, loops(), count_kept(), {}};
  }

 private:
  [[nodiscard]] const std::vector<Op>& ops() const { return f_.body.ops; }

  /// Finds the operations that the loss depends on, and the position where the forward pass ends.
  bool find_forward() {
    const std::size_t n = ops().size();
    maker_.assign(f_.types.size(), n);
    for (std::size_t i = 0; i < n; ++i) {
      for (const ValueId v : ops()[i].results) maker_[v.index()] = i;
    }
    std::vector<bool> donated(f_.returned().size(), false);
    for (const auto& result : donations(f_)) {
      if (result) donated[*result] = true;
    }
    forward_.assign(n, false);
    bool any = false;
    for (std::size_t r = 0; r < f_.returned().size(); ++r) {
      const Type& type = f_.type(f_.returned()[r]);
      const std::size_t i = maker_[f_.returned()[r].index()];
      if (donated[r] || i == n || !type.is_tensor() || type.rank() != 0 || !is_float(type->element)) continue;
      forward_[i] = any = true;
    }
    mark_operands(n);
    // Scalars may be reduced over devices much later and do not count for the end.
    end_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto has_dims = [&](ValueId v) { return f_.type(v).is_tensor() && f_.type(v).rank() > 0; };
      if (forward_[i] && std::any_of(ops()[i].operands.begin(), ops()[i].operands.end(), has_dims)) end_ = i + 1;
    }
    for (std::size_t i = 0; i < end_; ++i) forward_[i] = forward_[i] || runs_once(ops()[i]);
    mark_operands(end_);
    return any;
  }

  void mark_operands(std::size_t end) {
    for (std::size_t i = end; i-- > 0;) {
      if (!forward_[i]) continue;
      for (const ValueId v : read_by(ops()[i])) {
        if (maker_[v.index()] < ops().size()) forward_[maker_[v.index()]] = true;
      }
    }
  }

  /// True for operations that must run once, at their position: loops, branches, effects, operations without a meaning.
  [[nodiscard]] static bool runs_once(const Op& op) { return !op.decl->pure || op.decl->kind == OpDecl::Kind::opaque; }

  /// Finds the floating-point values of the forward pass that depend both on inputs and on trained state.
  void find_activations() {
    std::vector<bool> input(f_.types.size(), false);
    std::vector<bool> trained(f_.types.size(), false);
    for (const ValueId v : f_.arguments()) {
      const bool is_input = kinds_.of(v) == MemoryKind::inputs;
      input[v.index()] = is_input;
      trained[v.index()] = !is_input;
    }
    activation_.assign(f_.types.size(), false);
    for (std::size_t i = 0; i < ops().size(); ++i) {
      const std::vector<ValueId> reads = read_by(ops()[i]);
      const auto any = [&](const std::vector<bool>& what) {
        return std::any_of(reads.begin(), reads.end(), [&](ValueId v) { return what[v.index()]; });
      };
      const bool from_input = any(input);
      const bool from_trained = any(trained);
      for (const ValueId v : ops()[i].results) {
        input[v.index()] = from_input;
        trained[v.index()] = from_trained;
        activation_[v.index()] =
            forward_[i] && from_input && from_trained && f_.type(v).is_tensor() && is_float(f_.type(v)->element);
      }
    }
  }

  void keep() {
    kept_.assign(f_.types.size(), false);
    for (std::size_t i = 0; i < end_; ++i) {
      const Op& op = ops()[i];
      if (runs_once(op) || (policy_ == Recomputation::selective && keeps_result(op))) {
        for (const ValueId v : op.results) kept_[v.index()] = true;
      }
    }
    if (policy_ == Recomputation::full) keep_narrow_points();
  }

  /// True for operations whose results the selective policy keeps: products without batch dimensions, and collectives
  /// other than all_gathers.
  [[nodiscard]] bool keeps_result(const Op& op) const {
    if (op.results.size() != 1 || !activation_[op.results[0].index()]) return false;
    if (op.decl->kind == OpDecl::Kind::collective)
      return op.decl->collective.kind != CollectiveKind::all_gather && op.decl->collective.kind.has_value();
    if (!op.decl->traits.contracts) return false;
    const Attribute* dims = find(op.attributes, "lhs_batching_dimensions");
    const IntsAttr* batching = dims != nullptr ? dims->as<IntsAttr>() : nullptr;
    return batching == nullptr || batching->values.empty();
  }

  /// Keeps activations that are the only live one right after their definition, if they are read more than once or by a
  /// product; an elementwise chain between two such points is recomputed.
  void keep_narrow_points() {
    std::vector<std::size_t> last(f_.types.size(), 0);
    std::vector<std::size_t> readers(f_.types.size(), 0);
    std::vector<bool> multiplied(f_.types.size(), false);
    for (std::size_t i = 0; i < end_; ++i) {
      if (!forward_[i]) continue;
      for (const ValueId v : read_by(ops()[i])) {
        last[v.index()] = i;
        ++readers[v.index()];
        if (ops()[i].decl->traits.contracts) multiplied[v.index()] = true;
      }
    }
    std::vector<std::vector<ValueId>> ending(end_);  // by operation: activations whose last reader it is
    std::size_t open = 0;
    for (std::size_t i = 0; i < end_; ++i) {
      open -= ending[i].size();
      if (!forward_[i]) continue;
      for (const ValueId v : ops()[i].results) {
        if (!activation_[v.index()] || last[v.index()] <= i) continue;
        ++open;
        ending[last[v.index()]].push_back(v);
        if (open == 1 && (readers[v.index()] > 1 || multiplied[v.index()])) kept_[v.index()] = true;
      }
    }
  }

  // --- The step anew -------------------------------------------------------------------------------------------------

  void write() {
    const std::vector<ValueId> arguments = f_.arguments();
    for (const ValueId v : arguments) out_.body.arguments.push_back(cloner_.declare(v));
    backward_value_.assign(f_.types.size(), std::nullopt);
    for (std::size_t i = 0; i < ops().size(); ++i) {
      const Op& op = ops()[i];
      if (i < end_) {
        // Values that differentiation computed early are computed when they are needed.
        if (forward_[i] || is_constant(op)) out_.body.ops.push_back(cloner_.op(op));
        continue;
      }
      // The rest of the loss, and the returned values, use the values of the forward pass.
      const bool as_it_is = forward_[i] || op.decl->kind == OpDecl::Kind::terminator;
      for (const ValueId v : read_by(op)) {
        const auto known = as_it_is ? cloner_.find(v) : std::nullopt;
        backward_.map(v, known ? *known : backward_value(v));
      }
      Op copy = backward_.op(op);
      for (std::size_t r = 0; r < op.results.size(); ++r) {
        backward_value_[op.results[r].index()] = copy.results[r];
        cloner_.map(op.results[r], copy.results[r]);
      }
      out_.body.ops.push_back(std::move(copy));
    }
  }

  [[nodiscard]] static bool is_constant(const Op& op) {
    return op.operands.empty() && op.regions.empty() && op.decl->pure;
  }

  /// Returns the value that the backward pass reads in place of `v`, after emitting the operations that recompute it.
  ValueId backward_value(ValueId v) {
    std::vector<ValueId> stack{v};
    while (!stack.empty()) {
      const ValueId at = stack.back();
      if (backward_value_[at.index()]) {
        stack.pop_back();
        continue;
      }
      const std::size_t i = maker_[at.index()];
      const bool argument = i == ops().size();
      if (argument || kept_[at.index()] || is_constant(ops()[i])) {
        backward_value_[at.index()] = cloner_.at(at);
        stack.pop_back();
        continue;
      }
      const std::vector<ValueId> reads = read_by(ops()[i]);
      bool ready = true;
      for (const ValueId w : reads) {
        if (!backward_value_[w.index()]) {
          stack.push_back(w);
          ready = false;
        }
      }
      if (!ready) continue;
      recompute_op(i, reads);
      stack.pop_back();
    }
    return *backward_value_[v.index()];
  }

  void recompute_op(std::size_t i, const std::vector<ValueId>& reads) {
    const Op& op = ops()[i];
    Cloner here(f_, out_);
    for (const ValueId w : reads) here.map(w, forward_[i] ? through_barrier(w) : *backward_value_[w.index()]);
    Op copy = here.op(op);
    if (forward_[i]) {
      copy.id = out_.new_op();
      ++recomputed_;
    }
    for (std::size_t r = 0; r < op.results.size(); ++r) backward_value_[op.results[r].index()] = copy.results[r];
    out_.body.ops.push_back(std::move(copy));
  }

  /// Returns the value that recomputed operations read in place of `v`: the barrier's result for kept values and
  /// arguments.
  ValueId through_barrier(ValueId v) {
    const bool kept = maker_[v.index()] == ops().size() || kept_[v.index()];
    if (!kept || !f_.type(v).is_tensor()) return *backward_value_[v.index()];
    auto [it, added] = barriers_.emplace(v, ValueId());
    if (added) {
      Op barrier(out_.new_op(), find_decl("stablehlo.optimization_barrier"));
      barrier.operands = {cloner_.at(v)};
      barrier.results = {it->second = out_.add_value(f_.type(v))};
      out_.body.ops.push_back(std::move(barrier));
    }
    return it->second;
  }

  [[nodiscard]] std::size_t loops() const {
    std::size_t out = 0;
    for (std::size_t i = 0; i < end_; ++i) {
      const Op& op = ops()[i];
      const bool active =
          std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return activation_[v.index()]; });
      out += op.decl->control == Control::loop && forward_[i] && active ? 1 : 0;
    }
    return out;
  }

  [[nodiscard]] std::size_t count_kept() const {
    std::size_t out = 0;
    for (const auto& [v, barrier] : barriers_) out += activation_[v.index()] ? 1 : 0;
    return out;
  }

  const Function& f_;
  Recomputation policy_;
  ValueKinds kinds_;
  Function out_;
  Cloner cloner_;    ///< to values of the forward pass
  Cloner backward_;  ///< to values of the backward pass
  /// By value: position of the operation that defines it; number of operations for arguments.
  std::vector<std::size_t> maker_;
  std::vector<bool> forward_;                           ///< by operation: the loss depends on it
  std::size_t end_ = 0;                                 ///< position where the forward pass ends
  std::vector<bool> activation_;                        ///< by value
  std::vector<bool> kept_;                              ///< by value
  std::vector<std::optional<ValueId>> backward_value_;  ///< by value: what the backward pass reads in its place
  std::unordered_map<ValueId, ValueId> barriers_;
  std::size_t recomputed_ = 0;
};

std::string note_of(const Recomputed& r, Recomputation policy) {
  std::string out = fmt::format(
      "recomputation {}: {} operations a second time, {} activations kept; each result is the same expression of the "
      "arguments (proved)",
      policy == Recomputation::full ? "full" : "selective", r.again, r.kept);
  if (r.loops == 0) return out;
  return out + fmt::format(
                   "; what {} in the forward pass compute{} stays: recompute their layers in the model "
                   "(jax.checkpoint around the scanned function), or unroll them (jax.lax.scan(..., unroll=True))",
                   r.loops == 1 ? "a loop" : fmt::format("{} loops", r.loops), r.loops == 1 ? "s" : "");
}

}  // namespace

std::optional<Recomputation> recomputation_named(std::string_view name) {
  if (name == "none") return Recomputation::none;
  if (name == "selective") return Recomputation::selective;
  if (name == "full") return Recomputation::full;
  return std::nullopt;
}

Result<Recomputed> recompute(const Function& function, const Names& names, Recomputation policy) {
  if (policy == Recomputation::none) return Recomputed{function, 0, 0, 0, {}};
  auto out = Recomputing(function, names, policy).run();
  if (!out) return out;
  if (!same_expressions(function, out->function))
    return tl::unexpected(Diagnostic{"remat", "", {}, "results that are not the same expressions", "the same ones"});
  out->note = note_of(*out, policy);
  return out;
}

}  // namespace partir
