// reverse: out[i] = operand[size - 1 - i] along `dimensions` (specification, "reverse").
#include "ir/ops/blocks.h"
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"

namespace partir::ops {

namespace {

/// Decomposes the reversal: reverses the positions inside each block and the order of the blocks, so chunks stay whole.
std::optional<Function> reverse_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const auto& reversed = op.ints("dimensions");
  const auto k = static_cast<std::int64_t>(dim);
  if (operand != 0 || n < 2 || !contains(reversed, k) || op.operands[0]->dims[dim] % n != 0) return std::nullopt;
  Decomposition d(op);
  Blocks blocks(d, dim, n);
  const auto reverse = [&](ValueId x, std::vector<std::int64_t> dims) {
    AttributeList attributes;
    set(attributes, "dimensions", {IntsAttr{std::move(dims)}});
    return d.builder().value(op.decl->name, {x}, std::move(attributes), d.type(x));
  };
  std::vector<std::int64_t> inside;
  for (const std::int64_t r : reversed) inside.push_back(r < k ? r : r + 1);
  return d.done(blocks.merge(reverse(reverse(blocks.split(d.operand(0)), std::move(inside)), {k})));
}

/// Entries that hold once the reversal is decomposed into blocks: one for each reversed dimension.
std::vector<Entry> reversals_in_blocks(const OpInstance& op) {
  std::vector<Entry> out;
  for (const std::int64_t k : op.ints("dimensions"))
    out.push_back({{Action::tile(static_cast<Dim>(k))}, {Action::tile(static_cast<Dim>(k))}});
  return out;
}

/// Returns the reversal as a shift if it reverses exactly one dimension.
std::optional<Shift> reversal_of(const OpInstance& op) {
  const auto& reversed = op.ints("dimensions");
  if (reversed.size() != 1) return std::nullopt;
  return Shift{static_cast<Dim>(reversed[0]), 0, true};
}

}  // namespace

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
  d.in_blocks = reversals_in_blocks;
  d.by_offsets = reverse_by_blocks;
  d.padded = reverse_padded;
  d.shift = reversal_of;
  return d;
}

}  // namespace partir::ops
