// transpose: out[i[p0], i[p1], …] = operand[i]: dimension d of the result is dimension p = permutation[d] of the
// operand (specification, "transpose").
#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {

OpDecl transpose() {
  OpDecl d;
  d.name = "stablehlo.transpose";
  d.kind = OpDecl::Kind::array;
  d.traits = {.rearranges = true, .permutes = true};
  d.attributes = {ints_attr("permutation", "dims")};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    const auto& p = op.ints("permutation");
    require(op.operands[0]->element == op.results[0]->element, op, "C1", "a result of the operand's element type");
    require(p.size() == op.operands[0].rank() && in_range(p, p.size()) && is_unique(p), op, "C2",
            "a permutation of the operand's dimensions", ints_text(p));
    require(op.results[0].rank() == p.size(), op, "C3", "sizes permuted");
    for (std::size_t k = 0; k < p.size(); ++k) {
      require(op.results[0]->dims[k] == op.operands[0]->dims[at(p[k])], op, "C3", "sizes permuted");
    }
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const auto& p = op.ints("permutation");
    std::vector<Index> from(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) from[at(p[k])] = i[k];
    b.define(0, b.read(0, from));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    const auto& p = op.ints("permutation");
    for (std::size_t k = 0; k < p.size(); ++k) out.push_back({{Action::tile(at(p[k]))}, {Action::tile(k)}});
    index_only_entries(op, {0}, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
