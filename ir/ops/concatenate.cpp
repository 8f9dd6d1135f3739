// concatenate: out[i] is an element of the operand that i[dimension] falls into, at i minus the sizes of the operands
// before it (specification, "concatenate").
#include "ir/by_offsets.h"
#include "ir/ops/blocks.h"
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"
#include "support/checked.h"

namespace partir::ops {

namespace {

/// Decomposes a concatenation of slices (ir/by_offsets.h), where the tiled value that is sliced is as large as the
/// result. Each value is shifted so that its slice is at its position in the result; an element is then read from the
/// last slice that begins at or before it. The result may be a stretch of the concatenation, which begins at
/// stretch_of(op).
///
/// Worked example: with x and y of 4 elements, concatenate(x[1:4], y[0:1]) reads x shifted left by 1 at positions 0 to
/// 2, and y shifted right by 3 from position 3 on.
std::optional<Function> joined_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const auto& places = op.ints("partir.slices");  // [dimension, start 0, size 0, start 1, size 1, …]
  const TensorType& out = *op.results[0];
  const std::int64_t size = out.dims[dim];
  if (places.empty() || operand >= op.operands.size() || at(op.integer("dimension")) != dim || n < 2 || size % n != 0 ||
      op.operands[operand]->dims != out.dims || !counts(ElementType::i32, size))
    return std::nullopt;
  Decomposition d(op);
  Builder& b = d.builder();
  Blocks blocks(d, dim, n);
  const std::int64_t block = size / n;
  std::vector<std::int64_t> in_blocks = out.dims;
  in_blocks[dim] = block;
  in_blocks.insert(in_blocks.begin() + static_cast<std::ptrdiff_t>(dim), n);
  const TensorType line{ElementType::i32, {n, block}};
  const ValueId positions = b.add(d.block_starts(line, block), b.iota(line, 1));
  std::optional<ValueId> joined;
  std::int64_t begin = -stretch_of(op).value_or(0);
  for (std::size_t k = 0; k < op.operands.size() && begin < size; ++k) {
    const std::int64_t start = places[2 * k + 1];
    const std::int64_t count = places[2 * k + 2];
    const TensorType& x = *op.operands[k];
    if (count == 0 || begin + count <= 0) {
      begin += count;
      continue;
    }
    ValueId here;
    if (x.dims[dim] == size) {
      here = blocks.places(blocks.split(d.operand(k)), start - begin, start - begin + block);
    } else if (x.dims[dim] == 1) {
      std::vector<std::int64_t> dims = numbers(x.rank());
      for (std::size_t i = dim; i < dims.size(); ++i) ++dims[i];
      here = b.broadcast_in_dim(d.operand(k), std::move(dims), in_blocks);
    } else {
      std::vector<std::int64_t> low(x.rank(), 0);
      std::vector<std::int64_t> high(x.rank(), 0);
      low[dim] = begin - start;
      high[dim] = size - x.dims[dim] - low[dim];
      here = blocks.split(b.pad(d.operand(k), b.constant({x.element, {}}, 0), std::move(low), std::move(high)));
    }
    if (joined) {
      const ValueId behind = b.compare("GE", positions, b.constant(line, begin));
      const auto k0 = static_cast<std::int64_t>(dim);
      here = b.select(b.broadcast_in_dim(behind, {k0, k0 + 1}, in_blocks), here, *joined);
    }
    joined = here;
    begin += count;
  }
  return d.done(blocks.merge(*joined));
}

/// The element at `i`, which lies in one of the operands [first, last) that start at `starts`. Halving them keeps the
/// number of guards on each operand small: with one operand after the other, the last would have a guard for each.
Term element_of(const OpInstance& op, const std::vector<Index>& i, const std::vector<std::int64_t>& starts,
                std::size_t first, std::size_t last, MeaningBuilder& b) {
  const std::size_t dim = at(op.integer("dimension"));
  if (last - first == 1) {
    std::vector<Index> from = i;
    from[dim] = from[dim] - starts[first];
    return b.read(first, from);
  }
  const std::size_t middle = (first + last) / 2;
  const Term low = element_of(op, i, starts, first, middle, b);
  const Term high = element_of(op, i, starts, middle, last, b);
  return b.guarded({non_negative(b.constant(starts[middle] - 1) - i[dim])}, low, high);
}

}  // namespace

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
    std::vector<std::int64_t> starts;
    std::int64_t start = 0;
    for (const Type& t : op.operands) {
      starts.push_back(start);
      start += t->dims[dim];
    }
    b.define(0, element_of(op, i, starts, 0, starts.size(), b));
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
  d.by_offsets = joined_by_blocks;
  d.padded = concatenate_padded;
  return d;
}

}  // namespace partir::ops
