// iota: out[i] = i[iota_dimension] (specification, "iota").
#include "ir/ops/common.h"
#include "ir/ops/offsets.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"

namespace partir::ops {

OpDecl iota() {
  OpDecl d;
  d.name = "stablehlo.iota";
  d.kind = OpDecl::Kind::array;
  d.types = OpDecl::TypeForm::same;
  d.attributes = {integer_attr("iota_dimension", "dim")};
  d.verify = [](const OpInstance& op) {
    require(op.operands.empty() && op.results.size() == 1, op, "arity", "no operand and one result");
    const std::int64_t dim = op.integer("iota_dimension");
    require(dim >= 0 && dim < static_cast<std::int64_t>(op.results[0].rank()), op, "C1", "0 <= iota_dimension < rank");
    require(op.results[0]->element != ElementType::i1, op, "type",
            "a result of integer, floating-point or complex type");
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    b.define(0, b.from_index(i.at(at(op.integer("iota_dimension"))), op.results[0]->element));
  };
  // There is no entry along the iota's own dimension, where a chunk differs from an iota by the shard offset; see
  // iota_by_blocks.
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.results[0].rank(); ++k) {
      if (k != at(op.integer("iota_dimension"))) out.push_back({{}, {Action::tile(k)}});
    }
    return out;
  };
  d.by_offsets = iota_by_blocks;
  d.padded = iota_padded;
  return d;
}

}  // namespace partir::ops
