// Folds splats forwards through each block; only functions that IEEE 754 determines (Rounding::none and once) are computed.
#include "verify/validate/fold_constants.h"

#include <cmath>
#include <unordered_map>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/splat.h"
#include "semantics/splat_function.h"
#include "verify/validate/bits.h"

namespace partir::validate {
namespace {

class Folding {
 public:
  explicit Folding(const Function& function) : f_(function), splats_(function.types.size()) {}

  Function run() {
    block(f_.body);
    return std::move(f_);
  }

 private:
  [[nodiscard]] ValueId now(ValueId v) const {
    const auto it = instead_.find(v);
    return it == instead_.end() ? v : it->second;
  }
  [[nodiscard]] const LiteralPtr& splat(const Op& op, std::size_t operand) const {
    return splats_[op.operands[operand]];
  }

  void block(Block& b) {
    std::vector<Op> kept;
    for (Op& op : b.ops) {
      for (ValueId& v : op.operands) v = now(v);
      for (Block& inner : op.regions) block(inner);
      if (op.name() == "stablehlo.select" && op.operands[1] == op.operands[2]) {
        instead_[op.results[0]] = op.operands[1];
        continue;
      }
      const LiteralPtr known = op.results.size() == 1 && op.regions.empty() ? splat_of_result(op) : nullptr;
      if (known != nullptr) {
        splats_[op.results[0]] = known;
        if (!op.decl->traits.constant) become_constant(op, *known);
      }
      kept.push_back(std::move(op));
    }
    b.ops = std::move(kept);
  }

  void become_constant(Op& op, const Literal& scalar) {
    op.decl = find_decl("stablehlo.constant");
    op.operands.clear();
    op.attributes = {{"value", {DenseAttr{partir::splat_of(scalar, f_.tensor(op.results[0]).dims)}}}};
  }

  [[nodiscard]] LiteralPtr splat_of_result(const Op& op) const {
    if (op.decl->kind != OpDecl::Kind::array || !op.decl->pure || !f_.type(op.results[0]).is_tensor()) return nullptr;
    if (LiteralPtr known = splat_of(op, splats_)) return known;
    if (op.name() == "stablehlo.select")
      return splat(op, 1) != nullptr && splat(op, 2) != nullptr && *splat(op, 1) == *splat(op, 2) ? splat(op, 1)
                                                                                                  : nullptr;
    const auto fn = ops::scalar_fn_of(op.name());
    return fn && rounding_of(*fn) != Rounding::several ? computed(*fn, op) : nullptr;
  }

  /// The result of the function for operands that are known splats. Null if an operand is unknown, or if machines may
  /// differ: functions of floats that do not return a float, quotients of integers, results that are infinite or NaN.
  [[nodiscard]] LiteralPtr computed(ScalarFn fn, const Op& op) const {
    const ElementType to = f_.tensor(op.results[0]).element;
    if (op.operands.empty() || is_complex(to)) return nullptr;
    const ElementType in = f_.tensor(op.operands[0]).element;
    if (is_complex(in) || (is_integer(in) && fn == ScalarFn::divide) || (is_float(in) && !is_float(to))) return nullptr;
    const auto out = applied_to_splats(fn, f_, op, splats_);
    return out && (!is_float(to) || std::isfinite(out->data[0].f)) ? to_literal(*out) : nullptr;
  }

  Function f_;
  Splats splats_;
  std::unordered_map<ValueId, ValueId> instead_;
};

}  // namespace

Function with_folded_constants(const Function& function) { return Folding(function).run(); }

}  // namespace partir::validate
