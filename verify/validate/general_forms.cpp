// Rewrites single operations (generalize), what only passes values on (Forwarding), and chains of reshapes and
// broadcasts (Movement).
#include "verify/validate/general_forms.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/control_flow.h"
#include "ir/linear_algebra.h"
#include "ir/op_decl.h"
#include "ir/sharding/attributes.h"
#include "verify/validate/library.h"

namespace partir::validate {
namespace {

/// Drops the compare_type of a comparison if the element type implies it: FLOAT, SIGNED or UNSIGNED.
void drop_default_comparison(const Function& f, Op& op) {
  const Type& type = f.type(op.operands[0]);
  const Attribute* how = find(op.attributes, "compare_type");
  if (!type.is_tensor() || how == nullptr) return;
  const char* usual = is_float(type->element) || is_complex(type->element) ? "FLOAT"
                      : is_signed(type->element)                           ? "SIGNED"
                                                                           : "UNSIGNED";
  if (how->str() == usual) drop(op.attributes, "compare_type");
}

/// Rewrites `dot x, y`, which sums over the last dimension of x and the first of y, as a dot_general.
void generalize_dot(const Function& f, Op& op) {
  const auto last = static_cast<std::int64_t>(f.type(op.operands[0]).rank()) - 1;
  op.decl = find_decl("stablehlo.dot_general");
  set(op.attributes, "lhs_contracting_dimensions", {IntsAttr{{last}}});
  set(op.attributes, "rhs_contracting_dimensions", {IntsAttr{{0}}});
}

void generalize_square(Op& op) {
  op.decl = find_decl("stablehlo.multiply");
  op.operands.push_back(op.operands[0]);
}

/// Removes the differences between custom_calls as written by jaxlib's converter of HLO and by JAX: attributes about
/// buffers and versions, and the name of the backend_config.
void generalize_call(Op& op) {
  for (const char* about : {"api_version", "output_operand_aliases", "result_layout", "xla_shape", "sdy.sharding_rule"})
    drop(op.attributes, about);
  if (const Attribute* config = find(op.attributes, "mhlo.backend_config")) {
    set(op.attributes, "backend_config", *config);
    drop(op.attributes, "mhlo.backend_config");
  }
}

/// Drops barriers, and rewrites linear-algebra calls that return a tuple, used by get_tuple_element only, to return the
/// items.
class Forwarding {
 public:
  explicit Forwarding(Function& f) : f_(f) {
    for_each_op(f.body, [&](const Op& op) {
      if (op.name() != "stablehlo.get_tuple_element") taken_whole_.insert(op.operands.begin(), op.operands.end());
    });
  }

  void block(Block& b) {
    std::vector<Op> kept;
    for (Op& op : b.ops) {
      for (ValueId& v : op.operands) {
        if (const auto it = instead_.find(v); it != instead_.end()) v = it->second;
      }
      for (Block& inner : op.regions) block(inner);
      if (op.name() == "stablehlo.optimization_barrier") {
        for (std::size_t k = 0; k < op.results.size(); ++k) instead_[op.results[k]] = op.operands[k];
        continue;
      }
      if (op.name() == "stablehlo.get_tuple_element" && items_.contains(op.operands[0])) {
        const auto index = static_cast<std::size_t>(find(op.attributes, "index")->as<IntAttr>()->value);
        instead_[op.results[0]] = items_.at(op.operands[0]).at(index);
        continue;
      }
      const TupleType* tuple = op.results.size() == 1 ? f_.type(op.results[0]).as<TupleType>() : nullptr;
      if (tuple != nullptr && calls_linear_algebra(op) && !taken_whole_.contains(op.results[0])) {
        std::vector<ValueId> list;
        for (const Type& t : std::vector<Type>(tuple->elements)) list.push_back(f_.add_value(t));
        items_[op.results[0]] = list;
        op.results = std::move(list);
      }
      kept.push_back(std::move(op));
    }
    b.ops = std::move(kept);
  }

 private:
  Function& f_;
  std::unordered_set<ValueId> taken_whole_;
  std::unordered_map<ValueId, std::vector<ValueId>> items_;  ///< items by tuple
  std::unordered_map<ValueId, ValueId> instead_;
};

void generalize(const Function& f, Block& block) {
  for (Op& op : block.ops) {
    drop(op.attributes, "mhlo.frontend_attributes");
    if (op.decl->kind == OpDecl::Kind::array) {  // the result's memory layout in XLA
      drop(op.attributes, "result_layout");
      drop(op.attributes, "xla_shape");
    }
    if (calls_linear_algebra(op)) {
      generalize_call(op);
      if (const OpDecl* decl = linear_algebra_decl(f, op)) op.decl = decl;
    }
    if (op.name() == "stablehlo.dot") generalize_dot(f, op);
    if (op.name() == "stablehlo.compare") drop_default_comparison(f, op);
    if (op.name() == "chlo.square") generalize_square(op);
    for (Block& inner : op.regions) generalize(f, inner);
  }
}

/// Rewrites reshapes and broadcasts into one form (with_one_form_of_movement).
class Movement {
 public:
  explicit Movement(Function& f) : f_(f) {}

  void block(Block& b) {
    std::vector<Op> ops = std::move(b.ops);
    b.ops.clear();
    for (Op& op : ops) {
      for (ValueId& v : op.operands) v = now(v);
      for (Block& inner : op.regions) block(inner);
      if (op.name() == "stablehlo.reshape" || only_reshapes(op)) {
        reshape(b, std::move(op));
      } else if (op.name() == "stablehlo.broadcast_in_dim") {
        broadcast(b, std::move(op));
      } else {
        b.ops.push_back(std::move(op));
      }
    }
  }

 private:
  [[nodiscard]] ValueId now(ValueId v) const {
    const auto it = instead_.find(v);
    return it == instead_.end() ? v : it->second;
  }

  static const std::vector<std::int64_t>& dims_of(const Op& op) {
    return find(op.attributes, "broadcast_dimensions")->as<IntsAttr>()->values;
  }

  /// Whether a broadcast only adds dimensions of size 1.
  [[nodiscard]] bool only_reshapes(const Op& op) const {
    if (op.name() != "stablehlo.broadcast_in_dim") return false;
    const auto& dims = dims_of(op);
    return f_.tensor(op.operands[0]).elements() == f_.tensor(op.results[0]).elements() &&
           f_.tensor(op.results[0]).elements() > 0 && std::is_sorted(dims.begin(), dims.end());
  }

  /// Emits a reshape of the value before any earlier reshapes; no operation if that value has the shape already.
  void reshape(Block& b, Op op) {
    const auto known = reshaped_.find(op.operands[0]);
    const ValueId base = known != reshaped_.end() ? known->second : op.operands[0];
    if (f_.type(base) == f_.type(op.results[0])) {
      instead_[op.results[0]] = base;
      return;
    }
    reshaped_[op.results[0]] = base;
    op.decl = find_decl("stablehlo.reshape");
    op.attributes = {};
    op.operands = {base};
    b.ops.push_back(std::move(op));
  }

  /// Emits a broadcast of the operand, reshaped to have no dimensions of size 1.
  void broadcast(Block& b, Op op) {
    const TensorType& from = f_.tensor(op.operands[0]);
    TensorType without{from.element, {}};
    IntsAttr dims;
    for (Dim d = 0; d < from.rank(); ++d) {
      if (from.dims[d] == 1) continue;
      without.dims.push_back(from.dims[d]);
      dims.values.push_back(dims_of(op)[d]);
    }
    if (without.rank() != from.rank()) {
      Op narrow(f_.new_op(), find_decl("stablehlo.reshape"));
      narrow.place = op.place;
      narrow.location = op.location;
      narrow.operands = {op.operands[0]};
      narrow.results = {f_.add_value(without)};
      const ValueId result = narrow.results[0];
      reshape(b, std::move(narrow));
      op.operands = {now(result)};
      set(op.attributes, "broadcast_dimensions", {std::move(dims)});
    }
    b.ops.push_back(std::move(op));
  }

  Function& f_;
  std::unordered_map<ValueId, ValueId> instead_;
  std::unordered_map<ValueId, ValueId> reshaped_;  ///< result of a reshape -> the value before the chain of reshapes
};

}  // namespace

Module with_general_forms(Module module) {
  for (Function& f : module.functions) {
    drop_shardings(f.body);
    Forwarding(f).block(f.body);  // first: a call that returns a tuple has no meaning
    generalize(f, f.body);
  }
  return module;
}

Function with_one_form_of_movement(Function function) {
  Movement(function).block(function.body);
  return function;
}

}  // namespace partir::validate
