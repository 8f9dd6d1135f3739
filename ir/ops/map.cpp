// map: out[i] = computation(x0[i], x1[i], …) (specification, "map").
#include "ir/ops/common.h"
#include "ir/ops/elementwise.h"
#include "ir/ops/ops.h"

namespace partir::ops {

OpDecl map() {
  OpDecl d;
  d.name = "stablehlo.map";
  d.kind = OpDecl::Kind::array;
  d.attributes = {ints_attr("dimensions")};
  d.generic = true;
  d.verify = [](const OpInstance& op) {
    require(op.results.size() == 1, op, "arity", "one result");
    require(!op.operands.empty(), op, "C2", "at least one input", "no input");
    for (const Type& t : op.operands)
      require(t->dims == op.results[0]->dims, op, "C1", "operands and result of one shape", t.str());
    const auto& dims = op.ints("dimensions");
    bool all = dims.size() == op.operands[0].rank();
    for (std::size_t k = 0; all && k < dims.size(); ++k) all = dims[k] == static_cast<std::int64_t>(k);
    require(all, op, "C3", "dimensions = 0 to rank - 1", ints_text(dims));
    if (op.regions == nullptr || op.function == nullptr) return;
    require(op.regions->size() == 1 && op.regions->front().arguments.size() == op.operands.size() &&
                !op.regions->front().ops.empty() && op.regions->front().ops.back().operands.size() == 1,
            op, "C4", "a computation of a scalar of each operand", "another number of regions, arguments or results");
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const TensorType& t = *op.function->type(op.regions->front().arguments[k]);
      require(t.rank() == 0 && t.element == op.operands[k]->element, op, "C4",
              "a computation of a scalar of each operand", t.str());
    }
    const TensorType& out = *op.function->type(op.regions->front().ops.back().operands[0]);
    require(out.rank() == 0 && out.element == op.results[0]->element, op, "C4",
            "a computation that gives the result's type", out.str());
  };
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && has_scalar_region(op, 0, op.operands.size());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    std::vector<Term> arguments;
    for (std::size_t k = 0; k < op.operands.size(); ++k) arguments.push_back(b.read(k, i));
    b.define(0, region_term(op, 0, arguments, b));
  };
  d.entries = tiled_alike;
  return d;
}

}  // namespace partir::ops
