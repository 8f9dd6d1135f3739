// slice: out[i] = operand[start + i * stride] (specification, "slice").
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/offsets.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"

namespace partir::ops {
namespace {

/// True if strides divide the dimension into pieces, of each of which the slice has one element: a chunk of complete
/// pieces can then be sliced on its own.
bool is_cut_by_strides(const OpInstance& op, Dim k) {
  const std::int64_t stride = op.ints("strides")[k];
  return op.ints("start_indices")[k] < stride && op.operands[0]->dims[k] % stride == 0 &&
         op.results[0]->dims[k] == op.operands[0]->dims[k] / stride;
}

}  // namespace

OpDecl slice() {
  OpDecl d;
  d.name = "stablehlo.slice";
  d.kind = OpDecl::Kind::array;
  d.traits = {.rearranges = true, .cuts = true};
  d.attributes = {ints_attr("start_indices"), ints_attr("limit_indices"), ints_attr("strides")};
  d.parse = [](text::Parser& p, Function& f, Op& op) {  // %x [0:4, 1:7:2]
    op.operands = {p.use()};
    IntsAttr start;
    IntsAttr limit;
    IntsAttr stride;
    p.expect("[");
    if (!p.at("]")) {
      do {
        start.values.push_back(p.integer());
        p.expect(":");
        limit.values.push_back(p.integer());
        stride.values.push_back(p.accept(":") ? p.integer() : 1);
      } while (p.accept(","));
    }
    p.expect("]");
    set(op.attributes, "start_indices", {std::move(start)});
    set(op.attributes, "limit_indices", {std::move(limit)});
    set(op.attributes, "strides", {std::move(stride)});
    p.optional_dictionary(op.attributes);
    p.types(f, op);
  };
  d.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    const auto ints = [&](const char* name) { return find(op.attributes, name)->as<IntsAttr>()->values; };
    const auto start = ints("start_indices");
    const auto limit = ints("limit_indices");
    const auto stride = ints("strides");
    std::string out = fmt::format("stablehlo.slice {} [", p.value(op.operands[0]));
    for (std::size_t k = 0; k < start.size(); ++k) {
      out += fmt::format("{}{}:{}", k != 0 ? ", " : "", start[k], limit[k]);
      if (stride[k] != 1) out += fmt::format(":{}", stride[k]);
    }
    p.text(out + "]");
    p.dictionary(op);
    p.types(f, op);
  };
  d.prints = [](const Function&, const Op& op) {
    const auto count = [&](const char* name) {
      const Attribute* list = find(op.attributes, name);
      return list != nullptr ? list->as<IntsAttr>()->values.size() : 0;
    };
    return is_plain(op, 1) && count("start_indices") == count("limit_indices") &&
           count("start_indices") == count("strides");
  };
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    const TensorType& x = *op.operands[0];
    const auto& start = op.ints("start_indices");
    const auto& limit = op.ints("limit_indices");
    const auto& stride = op.ints("strides");
    require(x.element == op.results[0]->element, op, "C1", "a result of the operand's element type");
    require(start.size() == x.rank() && limit.size() == x.rank() && stride.size() == x.rank(), op, "C2",
            "a start, a limit and a stride for each dimension");
    require(op.results[0].rank() == x.rank(), op, "C5", "a result of the operand's rank");
    for (std::size_t k = 0; k < x.rank(); ++k) {
      require(start[k] >= 0 && start[k] <= limit[k] && limit[k] <= x.dims[k], op, "C3", "0 <= start <= limit <= size",
              fmt::format("[{}:{}] of dimension {} in {}", start[k], limit[k], k, x.str()));
      require(stride[k] > 0, op, "C4", "strides of at least 1", fmt::format("{}", stride[k]));
      const std::int64_t extent = limit[k] - start[k];
      require(op.results[0]->dims[k] == extent / stride[k] + (extent % stride[k] != 0 ? 1 : 0), op, "C5",
              "sizes ceil((limit - start) / stride)");
    }
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    std::vector<Index> from = b.result();
    for (std::size_t k = 0; k < from.size(); ++k)
      from[k] = from[k] * op.ints("strides")[k] + op.ints("start_indices")[k];
    b.define(0, b.read(0, from));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      if (is_cut_by_strides(op, k)) out.push_back({{Action::tile(k)}, {Action::tile(k)}});
    }
    index_only_entries(op, {0}, out);
    return out;
  };
  d.localize = [](const OpInstance& op, const Entry& entry, OpInstance& local) {
    if (!entry.operands[0].is_tile()) return true;
    IntsAttr limit{op.ints("limit_indices")};
    limit.values[entry.operands[0].dim] = local.operands[0]->dims[entry.operands[0].dim];
    set(local.attributes, "limit_indices", {std::move(limit)});
    return true;
  };
  d.by_offsets = [](const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
    auto out = slice_by_sum(op, operand, dim, n);
    return out ? std::move(out) : slice_of_block(op, operand, dim, n);
  };
  d.padded = slice_of_padded;
  return d;
}

}  // namespace partir::ops
