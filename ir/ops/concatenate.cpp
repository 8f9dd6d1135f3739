// concatenate: out[i] = the operand that i[dimension] falls into, at i less what stands before it.
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "support/checked.h"

namespace partir::ops {

OpDecl concatenate() {
  OpDecl d;
  d.name = "stablehlo.concatenate";
  d.kind = OpDecl::Kind::array;
  d.attributes = {integer_attr("dimension", "dim")};
  d.verify = [](const OpInstance& op) {
    require(op.results.size() == 1, op, "arity", "one result");
    require(!op.operands.empty(), op, "C3", "at least one operand");
    const TensorType& first = *op.operands[0];
    const std::int64_t dim = op.integer("dimension");
    require(dim >= 0 && dim < static_cast<std::int64_t>(first.rank()), op, "C4", "0 <= dimension < rank");
    std::int64_t total = 0;
    for (const Type& t : op.operands) {
      require(t->element == first.element, op, "C1", "operands of one element type");
      require(t.rank() == first.rank(), op, "C2", "operands of one shape but for the dimension");
      for (std::size_t k = 0; k < t.rank(); ++k) {
        require(k == at(dim) || t->dims[k] == first.dims[k], op, "C2", "operands of one shape but for the dimension");
      }
      total = checked_add(total, t->dims[at(dim)]).value_or(-1);
      require(total >= 0, op, "C6", "a sum of sizes of 64 bits");
    }
    require(op.results[0]->element == first.element, op, "C5", "a result of the operands' element type");
    std::vector<std::int64_t> dims = first.dims;
    dims[at(dim)] = total;
    require(op.results[0]->dims == dims, op, "C6", "sizes added along the dimension");
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const std::size_t dim = at(op.integer("dimension"));
    std::int64_t start = op.results[0]->dims[dim];
    Term out;
    for (std::size_t k = op.operands.size(); k-- > 0;) {
      start -= op.operands[k]->dims[dim];
      std::vector<Index> from = i;
      from[dim] = from[dim] - start;
      const Term here = b.read(k, from);
      out = out.builder == nullptr
                ? here
                : b.guarded({non_negative(b.constant(start + op.operands[k]->dims[dim] - 1) - i[dim])}, here, out);
    }
    b.define(0, out);
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < op.operands.size(); ++k) all.push_back(k);
    for (Dim k = 0; k < op.results[0].rank(); ++k) {
      if (k != at(op.integer("dimension"))) {
        out.push_back({std::vector<Action>(op.operands.size(), Action::tile(k)), {Action::tile(k)}});
      }
    }
    index_only_entries(op, all, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
