// chlo.scan: a loop over the slices of its inputs along a dimension. It has loop-carried values, and stacks the other
// values that its body yields. The interpreter runs it (semantics/machine.cpp); the partitioner keeps it replicated.
#include <fmt/format.h>

#include <algorithm>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"

namespace partir::ops {

OpDecl scan() {
  OpDecl d;
  d.name = "chlo.scan";
  d.kind = OpDecl::Kind::control;
  d.control = Control::scan;
  d.generic = true;
  d.pure = false;
  d.attributes = {integer_attr("dimension"), boolean_attr("is_reverse"), ints_attr("operandSegmentSizes", "", false)};
  // Pretty form: (%x, …) inits(%c, …) dimension=0 { ^bb0(…): … } : (…) -> (…)
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
  d.prints = [](const Function&, const Op& op) {  // unknown attributes require the generic form
    const Attribute* segments = find(op.attributes, "operandSegmentSizes");
    const IntsAttr* sizes = segments != nullptr ? segments->as<IntsAttr>() : nullptr;
    return op.regions.size() == 1 && find(op.attributes, "dimension") != nullptr && sizes != nullptr &&
           sizes->values.size() == 2 && in_range({sizes->values[0]}, op.operands.size() + 1) &&
           std::all_of(op.attributes.begin(), op.attributes.end(), [](const auto& a) {
             return a.first == "dimension" || a.first == "is_reverse" || a.first == "operandSegmentSizes";
           });
  };
  d.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    const auto inits = op.operands.begin() + find(op.attributes, "operandSegmentSizes")->as<IntsAttr>()->values[0];
    p.text(fmt::format("chlo.scan({}) inits({}) dimension={} ", p.values({op.operands.begin(), inits}),
                       p.values({inits, op.operands.end()}), find(op.attributes, "dimension")->str()));
    if (const Attribute* reverse = find(op.attributes, "is_reverse"))
      p.text(fmt::format("attributes {{is_reverse = {}}} ", reverse->str()));
    p.region(f, op.regions[0], true);
    p.functional_type(f, op);
  };
  d.verify = [](const OpInstance& op) {
    const auto& segments = op.ints("operandSegmentSizes");
    require(segments.size() == 2 && segments[0] >= 1 && in_range(segments, op.operands.size() + 1) &&
                segments[0] + segments[1] == static_cast<std::int64_t>(op.operands.size()) &&
                op.results.size() >= at(segments[1]),
            op, "arity", "inputs, and initial values that come back as the last results",
            fmt::format("segments {} of {} operands, {} results", ints_text(segments), op.operands.size(),
                        op.results.size()));
    const std::size_t inputs = at(segments[0]);
    const std::size_t carries = at(segments[1]);
    const std::int64_t dim = op.integer("dimension", -1);
    for (std::size_t k = 0; k < inputs; ++k) {
      require(in_range({dim}, op.operands[k].rank()) && op.operands[k]->dims[at(dim)] == op.operands[0]->dims[at(dim)],
              op, "C1", "inputs of one size along the dimension", op.operands[k].str());
    }
    for (std::size_t k = 0; k + carries < op.results.size(); ++k) {
      require(in_range({dim}, op.results[k].rank()) && op.results[k]->dims[at(dim)] == op.operands[0]->dims[at(dim)],
              op, "C2", "outputs of the inputs' size along the dimension", op.results[k].str());
    }
    for (std::size_t k = 0; k < carries; ++k) {
      const TensorType& last = *op.results[op.results.size() - carries + k];
      require(last == op.operands[inputs + k], op, "C4", "carried results of the initial values' types", last.str());
    }
    if (op.regions == nullptr || op.function == nullptr) return;
    const char* const wanted = "a body of slices and carried values that yields slices and carried values";
    require(op.regions->size() == 1 && !op.regions->front().ops.empty(), op, "C3", wanted);
    const Block& body = op.regions->front();
    const auto sliced = [&](Type t) {
      t->dims.erase(t->dims.begin() + dim);
      return t;
    };
    const auto agrees = [&](const std::vector<ValueId>& values, const std::vector<Type>& whole, std::size_t count) {
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
