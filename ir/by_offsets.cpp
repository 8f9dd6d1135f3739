#include "ir/by_offsets.h"

#include <fmt/format.h>

#include <utility>

#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"

namespace partir {
namespace {

class Writer {
 public:
  Writer(Function& function, const OperationsByOffsets& operations) : f_(function), wanted_(operations) {}

  void block(Block& b) {
    std::vector<Op> ops = std::exchange(b.ops, {});
    for (Op& op : ops) {
      if (runs_regions(op)) {
        for (Block& inner : op.regions) block(inner);
      }
      const auto it = op.results.empty() ? wanted_.end() : wanted_.find(op.results[0]);
      std::optional<Function> others;
      if (it != wanted_.end() && op.decl->by_offsets != nullptr) {
        const ByOffsets& how = it->second;
        others = op.decl->by_offsets(instance_of(f_, op), how.operand, how.dim, how.devices);
      }
      if (others) {
        append(*others, op, b);
      } else {
        b.ops.push_back(std::move(op));
      }
    }
  }

 private:
  /// The body of `others` on the operation's operands; what it returns are the operation's results.
  void append(const Function& others, const Op& op, Block& into) {
    Cloner cloner(others, f_);
    for (std::size_t k = 0; k < op.operands.size(); ++k) cloner.map(others.arguments()[k], op.operands[k]);
    for (std::size_t k = 0; k < op.results.size(); ++k) cloner.map(others.returned()[k], op.results[k]);
    for (const Op& o : others.body.ops) {
      if (o.decl->kind == OpDecl::Kind::terminator) break;
      into.ops.push_back(cloner.op(o));
      number(into.ops.back());
      into.ops.back().place = op.place;
      into.ops.back().location = op.location;
    }
  }

  void number(Op& op) {
    op.id = f_.new_op();
    for (Block& b : op.regions) {
      for (Op& inner : b.ops) number(inner);
    }
  }

  Function& f_;
  const OperationsByOffsets& wanted_;
};

}  // namespace

const TensorType* tiled_type(const ByOffsets& how, const OpInstance& op) {
  const bool of_result = how.operand == op.operands.size() && op.results.size() == 1;
  if (how.operand >= op.operands.size() && !of_result) return nullptr;
  const Type& type = of_result ? op.results[0] : op.operands[how.operand];
  return how.dim < type.rank() ? &*type : nullptr;
}

std::string text_of(const ByOffsets& how, const Op& op) {
  return how.operand < op.operands.size() ? fmt::format("operand {} #tile<{}>", how.operand, how.dim)
                                          : fmt::format("result #tile<{}>", how.dim);
}

Function written_by_offsets(const Function& function, const OperationsByOffsets& operations) {
  Function out = function;
  if (!operations.empty()) Writer(out, operations).block(out.body);
  return out;
}

}  // namespace partir
