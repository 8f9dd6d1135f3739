// chlo.scan: a loop over slices of the inputs along a dimension that carries values and stacks what the body yields.
// The interpreter runs it (semantics/machine.cpp); the partitioner carries it whole.
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"

namespace partir::ops {

OpDecl scan() {
  OpDecl d;
  d.name = "chlo.scan";
  d.kind = OpDecl::Kind::control;
  d.generic = true;
  d.pure = false;
  d.attributes = {integer_attr("dimension"), boolean_attr("is_reverse"), ints_attr("operandSegmentSizes", "", false)};
  // (%x, …) inits(%c, …) dimension=0 { ^bb0(…): … } : (…) -> (…)
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    IntsAttr segments;
    const auto list = [&] {
      const std::size_t before = op.operands.size();
      p.expect("(");
      if (!p.at(")")) {
        const auto uses = p.uses();
        op.operands.insert(op.operands.end(), uses.begin(), uses.end());
      }
      p.expect(")");
      segments.values.push_back(static_cast<std::int64_t>(op.operands.size() - before));
    };
    list();
    p.expect("inits");
    list();
    p.expect("dimension");
    p.expect("=");
    set(op.attributes, "dimension", {IntAttr{p.integer(), ""}});
    set(op.attributes, "operandSegmentSizes", {std::move(segments)});
    if (p.accept("attributes")) p.optional_dictionary(op.attributes);
    op.regions.push_back(p.region(f));
    if (p.accept("attributes")) p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
  };
  d.verify = [](const OpInstance& op) {
    const auto& segments = op.ints("operandSegmentSizes");
    require(segments.size() == 2 && segments[0] >= 1 && segments[1] >= 0 &&
                segments[0] + segments[1] == static_cast<std::int64_t>(op.operands.size()) &&
                op.results.size() >= at(segments[1]),
            op, "arity", "inputs, and initial values that come back as the last results");
    const std::size_t inputs = at(segments[0]);
    const std::size_t carries = at(segments[1]);
    const std::int64_t dim = op.integer("dimension", -1);
    for (std::size_t k = 0; k < inputs; ++k) {
      require(in_range({dim}, op.operands[k].rank()) && op.operands[k].dims[at(dim)] == op.operands[0].dims[at(dim)],
              op, "C1", "inputs of one size along the dimension", op.operands[k].str());
    }
    for (std::size_t k = 0; k + carries < op.results.size(); ++k) {
      require(in_range({dim}, op.results[k].rank()) && op.results[k].dims[at(dim)] == op.operands[0].dims[at(dim)], op,
              "C2", "outputs of the inputs' size along the dimension", op.results[k].str());
    }
    if (op.regions == nullptr) return;
    const char* const wanted = "a body of slices and carried values that yields slices and carried values";
    require(op.regions->size() == 1 && !op.regions->front().ops.empty(), op, "C3", wanted);
    const Block& body = op.regions->front();
    const auto sliced = [&](TensorType t) {
      t.dims.erase(t.dims.begin() + dim);
      return t;
    };
    const auto agrees = [&](const std::vector<ValueId>& values, const std::vector<TensorType>& whole,
                            std::size_t count) {
      if (values.size() != whole.size()) return false;
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (op.function->type(values[k]) != (k < count ? sliced(whole[k]) : whole[k])) return false;
      }
      return true;
    };
    require(agrees(body.arguments, op.operands, inputs) &&
                agrees(body.ops.back().operands, op.results, op.results.size() - carries),
            op, "C3", wanted);
  };
  return d;
}

}  // namespace partir::ops
