// broadcast_in_dim: out[i] = operand[i[dims[d]] or 0 where the operand's size is 1] (specification,
// "broadcast_in_dim").
#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {

OpDecl broadcast_in_dim() {
  OpDecl d;
  d.name = "stablehlo.broadcast_in_dim";
  d.kind = OpDecl::Kind::array;
  d.traits = {.rearranges = true, .repeats = true};
  d.attributes = {ints_attr("broadcast_dimensions", "dims")};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    const TensorType& x = *op.operands[0];
    const TensorType& out = *op.results[0];
    const auto& dims = op.ints("broadcast_dimensions");
    require(x.element == out.element, op, "C1", "a result of the operand's element type");
    require(dims.size() == x.rank(), op, "C2", "as many broadcast_dimensions as the operand has dimensions");
    require(in_range(dims, out.rank()), op, "C3", "0 <= broadcast_dimensions < rank of the result");
    require(is_unique(dims), op, "C4", "distinct broadcast_dimensions");
    for (std::size_t k = 0; k < dims.size(); ++k) {
      require(x.dims[k] == 1 || x.dims[k] == out.dims[at(dims[k])], op, "C5", "operand sizes of 1 or of the result");
    }
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const auto& dims = op.ints("broadcast_dimensions");
    std::vector<Index> from;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      const bool expands = op.operands[0]->dims[k] == 1 && op.results[0]->dims[at(dims[k])] != 1;
      from.push_back(expands ? b.constant(0) : i[at(dims[k])]);
    }
    b.define(0, b.read(0, from));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    const auto& dims = op.ints("broadcast_dimensions");
    for (Dim k = 0; k < op.results[0].rank(); ++k) {
      Action operand = Action::any();  // replicated where the dimension is new or expanded
      for (std::size_t j = 0; j < dims.size(); ++j) {
        if (at(dims[j]) == k && op.operands[0]->dims[j] == op.results[0]->dims[k]) operand = Action::tile(j);
      }
      out.push_back({{operand}, {Action::tile(k)}});
    }
    index_only_entries(op, {0}, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
