// reverse: out[i] = operand[size - 1 - i] along the dimensions named (specification, "reverse").
#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {

OpDecl reverse() {
  OpDecl d;
  d.name = "stablehlo.reverse";
  d.kind = OpDecl::Kind::array;
  d.traits = {.rearranges = true};
  d.types = OpDecl::TypeForm::same;
  d.attributes = {ints_attr("dimensions", "dims")};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    require(op.operands[0] == op.results[0], op, "C1", "operand and result of one type");
    require(is_unique(op.ints("dimensions")), op, "C2", "distinct dimensions");
    require(in_range(op.ints("dimensions"), op.operands[0].rank()), op, "C3", "0 <= dimensions < rank");
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    std::vector<Index> from = b.result();
    for (const std::int64_t k : op.ints("dimensions")) {
      from[at(k)] = b.constant(op.operands[0]->dims[at(k)] - 1) - from[at(k)];
    }
    b.define(0, b.read(0, from));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      if (!contains(op.ints("dimensions"), static_cast<std::int64_t>(k)))
        out.push_back({{Action::tile(k)}, {Action::tile(k)}});
    }
    index_only_entries(op, {0}, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
