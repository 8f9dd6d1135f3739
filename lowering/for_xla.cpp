#include "lowering/for_xla.h"

#include <unordered_set>

#include "ir/control_flow.h"
#include "ir/op_decl.h"

namespace partir {
namespace {

/// Whether the result is a part of the first operand at a computed position, as of dynamic_slice.
bool slices(const Op& op) { return op.decl->traits.cuts && op.operands.size() > 1; }

/// Whether the operation reads or writes its operands at computed positions.
bool computes_positions(const Op& op) {
  return slices(op) || op.decl->traits.looks_up || op.decl->traits.update.has_value();
}

/// Whether the operation is a gather with one index, which XLA turns into a dynamic_slice.
bool looks_up_once(const Function& f, const Op& op) {
  return op.decl->traits.looks_up && f.type(op.operands[1]).is_tensor() &&
         f.tensor(op.operands[1]).elements() <= static_cast<std::int64_t>(f.tensor(op.operands[0]).rank());
}

/// Whether XLA sees through the operation to a slice below it.
bool passes_on(const Op& op) {
  return op.decl->traits.permutes || op.decl->traits.converts || op.name() == "stablehlo.bitcast_convert";
}

class Barriers {
 public:
  explicit Barriers(Function& f) : f_(f) {}

  void block(Block& b) {
    std::vector<Op> ops = std::move(b.ops);
    b.ops.clear();
    for (Op& op : ops) {
      if (computes_positions(op) || hands_operands_on(op)) {  // XLA unrolls short loops
        for (ValueId& v : op.operands) {
          if (sliced_.contains(v)) v = behind_barrier(v, op.place, b);
        }
      }
      if (slices(op) || looks_up_once(f_, op) || (passes_on(op) && sliced_.contains(op.operands[0])))
        sliced_.insert(op.results[0]);
      for (Block& inner : op.regions) block(inner);
      b.ops.push_back(std::move(op));
    }
  }

 private:
  ValueId behind_barrier(ValueId v, Place place, Block& to) {
    Op barrier(f_.new_op(), find_decl("stablehlo.optimization_barrier"));
    barrier.operands = {v};
    barrier.results = {f_.add_value(f_.type(v))};
    barrier.place = place;
    const ValueId out = barrier.results[0];
    to.ops.push_back(std::move(barrier));
    return out;
  }

  Function& f_;
  std::unordered_set<ValueId> sliced_;  ///< results of dynamic slices, also passed on
};

}  // namespace

Module for_xla(Module module) {
  for (Function& f : module.functions) Barriers(f).block(f.body);
  return module;
}

}  // namespace partir
