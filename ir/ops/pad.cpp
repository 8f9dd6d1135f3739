// pad: out[i] = operand[(i - low) / (1 + interior)] where that index is an integer inside the operand, else the padding
// value (specification, "pad"; low and high may be negative).
#include "ir/by_offsets.h"
#include "ir/ops/blocks.h"
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/ops/padded.h"
#include "ir/ops/window.h"
#include "support/checked.h"

namespace partir::ops {

namespace {

/// Returns the pad as a shift along one dimension: zeros are added on one side, and as many elements are cut off on the
/// other. Nothing for other pads.
std::optional<Shift> shift_of(const OpInstance& op) {
  const LiteralPtr& value = op.splats.size() > 1 ? op.splats[1] : nullptr;
  if (value == nullptr || std::any_of(value->bytes.begin(), value->bytes.end(), [](auto b) { return b != 0; }))
    return std::nullopt;
  std::optional<Shift> out;
  for (Dim k = 0; k < op.operands[0].rank(); ++k) {
    const std::int64_t low = op.ints("edge_padding_low")[k];
    if (op.ints("interior_padding")[k] != 0 || op.ints("edge_padding_high")[k] != -low || (low != 0 && out))
      return std::nullopt;
    if (low != 0) out = Shift{k, low};
  }
  if (out && std::abs(out->by) >= op.operands[0]->dims[out->dim]) return std::nullopt;
  return out;
}

/// True if the result has interior + 1 positions for each element of the operand: their blocks then correspond.
bool keeps_blocks(const OpInstance& op, Dim k) {
  return op.results[0]->dims[k] > 0 &&
         op.results[0]->dims[k] == op.operands[0]->dims[k] * (op.ints("interior_padding")[k] + 1);
}

/// True if the pad only adds positions at the ends, few of them. Blocks of the result are larger than those of the
/// operand, and reach a little further with each block.
bool only_grows(const OpInstance& op, Dim k) {
  const std::int64_t size = op.operands[0]->dims[k];
  const std::int64_t result = op.results[0]->dims[k];
  return op.ints("edge_padding_low")[k] >= 0 && op.ints("edge_padding_high")[k] >= 0 &&
         op.ints("interior_padding")[k] == 0 && result > size && 4 * size >= 3 * result;
}

/// Pads blocks as the operation pads its operand in all dimensions but `dim`, and by these numbers along the positions
/// of the blocks.
ValueId padded_in_blocks(Decomposition& d, const OpInstance& op, ValueId blocks, Dim dim, std::int64_t low,
                         std::int64_t high, std::int64_t interior) {
  const auto with = [&](const char* name, std::int64_t number) {
    std::vector<std::int64_t> list = op.ints(name);
    list[dim] = number;
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(dim), 0);  // along the number of the block
    return list;
  };
  std::vector<std::int64_t> lows = with("edge_padding_low", low);
  std::vector<std::int64_t> highs = with("edge_padding_high", high);
  std::vector<std::int64_t> gaps = with("interior_padding", interior);
  const auto all_zero = [](const std::vector<std::int64_t>& list) {
    return std::all_of(list.begin(), list.end(), [](std::int64_t v) { return v == 0; });
  };
  if (all_zero(lows) && all_zero(highs) && all_zero(gaps)) return blocks;
  return d.builder().pad(blocks, d.operand(1), std::move(lows), std::move(highs), std::move(gaps));
}

/// Decomposes such a pad: block b of the result begins at b times its size, less what is added at the low end.
std::optional<Function> grown_by_blocks(const OpInstance& op, Dim dim, std::int64_t n) {
  const std::int64_t size = op.operands[0]->dims[dim];
  const std::int64_t result = op.results[0]->dims[dim];
  if (size % n != 0 || result % n != 0) return std::nullopt;
  const std::int64_t first = -op.ints("edge_padding_low")[dim];
  const std::int64_t step = result / n - size / n;
  constexpr std::int64_t kNeighbours = 4;  // rows of more are gathered with fewer messages
  if ((n - 1) * step - first > kNeighbours * (size / n)) return std::nullopt;
  Decomposition d(op);
  Blocks blocks(d, dim, n);
  const ValueId places = blocks.moving_places(blocks.split(d.operand(0)), first, step, result / n, d.operand(1));
  return d.done(blocks.merge(padded_in_blocks(d, op, places, dim, 0, 0, 0)));
}

/// Decomposes a pad of a slice (ir/by_offsets.h), or a stretch of such a pad, where the value that is sliced is as
/// large as the result: the value is shifted, and the positions that enter from beyond its ends hold the padding value.
/// Worked example: with x of 4 elements, the pad of x[0:3] with low = 1 is x shifted right by 1.
std::optional<Function> moved_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const auto& places = op.ints("partir.slices");
  const TensorType& x = *op.operands[0];
  if (operand != 0 || n < 2 || places.at(0) != static_cast<std::int64_t>(dim) || x.dims != op.results[0]->dims ||
      x.dims[dim] % n != 0)
    return std::nullopt;
  const std::int64_t start = places.at(1);
  // The slice begins at position `begin` of the result. Positions of the result beyond the ends of the slice must be
  // beyond the ends of the value, too.
  const std::int64_t begin = op.ints("edge_padding_low")[dim] - stretch_of(op).value_or(0);
  const std::int64_t end = begin + places.at(2);
  if ((begin > 0 && start != 0) || (end < x.dims[dim] && start + places.at(2) != x.dims[dim])) return std::nullopt;
  Decomposition d(op);
  Blocks blocks(d, dim, n);
  const std::int64_t first = start - begin;
  return d.done(blocks.merge(blocks.places(blocks.split(d.operand(0)), first, first + x.dims[dim] / n, d.operand(1))));
}

/// Decomposes the pad into blocks: block b of the result reads block b of the operand, and its neighbours if shifted.
std::optional<Function> pad_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  if (find(op.attributes, "partir.slices") != nullptr) return moved_by_blocks(op, operand, dim, n);
  if (operand == 0 && n >= 2 && only_grows(op, dim)) return grown_by_blocks(op, dim, n);
  if (operand != 0 || n < 2 || !keeps_blocks(op, dim) || op.operands[0]->dims[dim] % n != 0) return std::nullopt;
  const std::int64_t step = op.ints("interior_padding")[dim] + 1;
  Window window;
  window.low = op.ints("edge_padding_low")[dim];
  window.base_dilation = step;
  const auto reach = reach_of(window, op.results[0]->dims[dim] / n);
  if (!reach) return std::nullopt;
  Decomposition d(op);
  Blocks blocks(d, dim, n);
  const ValueId places = blocks.places(blocks.split(d.operand(0)), reach->first, reach->end, d.operand(1));
  const ValueId out = padded_in_blocks(d, op, places, dim, reach->low, reach->high, step - 1);
  return d.done(blocks.merge(out));
}

}  // namespace

OpDecl pad() {
  OpDecl d;
  d.name = "stablehlo.pad";
  d.kind = OpDecl::Kind::array;
  d.attributes = {ints_attr("edge_padding_low", "low"), ints_attr("edge_padding_high", "high"),
                  ints_attr("interior_padding", "interior")};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 2 && op.results.size() == 1, op, "arity", "an operand, a value and one result");
    const TensorType& x = *op.operands[0];
    require(op.operands[1].rank() == 0, op, "I2", "a padding value of rank 0");
    require(x.element == op.operands[1]->element && x.element == op.results[0]->element, op, "C1", "one element type");
    const auto& low = op.ints("edge_padding_low");
    const auto& high = op.ints("edge_padding_high");
    const auto& interior = op.ints("interior_padding");
    require(low.size() == x.rank() && high.size() == x.rank() && interior.size() == x.rank(), op, "C2",
            "low, high and interior for each dimension");
    require(op.results[0].rank() == x.rank(), op, "C4", "a result of the operand's rank");
    for (std::size_t k = 0; k < x.rank(); ++k) {
      require(interior[k] >= 0, op, "C3", "interior padding of at least 0");
      require(is_index(low[k]) && is_index(high[k]) && is_index(interior[k]) && is_index(x.dims[k]), op, "C4",
              "padding and sizes below 2^60");
      const auto gaps = checked_multiply(std::max<std::int64_t>(x.dims[k] - 1, 0), interior[k]);
      const bool fits = gaps && is_index(*gaps) && x.dims[k] + low[k] + high[k] + *gaps == op.results[0]->dims[k];
      require(fits, op, "C4", "sizes low + size + (size - 1) * interior + high");
    }
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    std::vector<Index> from;
    std::vector<Guard> inside;
    for (std::size_t k = 0; k < i.size(); ++k) {
      const std::int64_t step = op.ints("interior_padding")[k] + 1;
      const std::int64_t low = op.ints("edge_padding_low")[k];
      const Index shifted = i[k] - low;
      const Index index = floor_div(shifted, step);
      from.push_back(index);
      if (step != 1) inside.push_back(zero(mod(shifted, step)));
      if (low > 0) inside.push_back(non_negative(shifted));
      const std::int64_t last = op.operands[0]->dims[k] - 1;
      if (floor_divide(op.results[0]->dims[k] - 1 - low, step) > last)
        inside.push_back(non_negative(b.constant(last) - index));
    }
    const Term value = b.read(1, {});
    b.define(0, inside.empty() ? b.read(0, from) : b.guarded(inside, b.read(0, from), value));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      // Each element becomes a piece of interior + 1 positions, so a chunk of the operand gives a chunk of the result.
      const std::int64_t low = op.ints("edge_padding_low")[k];
      const std::int64_t interior = op.ints("interior_padding")[k];
      if (low >= 0 && low <= interior && op.results[0]->dims[k] == op.operands[0]->dims[k] * (interior + 1))
        out.push_back({{Action::tile(k), Action::any()}, {Action::tile(k)}});
    }
    // A replicated padding value enters the reduction n times. That is the value itself if it is the identity or the
    // monoid is idempotent.
    for (const Monoid m : kMonoids) {
      const bool idempotent = m != Monoid::sum && m != Monoid::prod && combines(m, op.results[0]->element);
      if (idempotent || is_identity(op.splats[1], m))
        out.push_back({{Action::partial(m), Action::any()}, {Action::partial(m)}});
    }
    index_only_entries(op, {0, 1}, out);
    return out;
  };
  d.shift = shift_of;
  d.in_blocks = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      if (keeps_blocks(op, k) || only_grows(op, k))
        out.push_back({{Action::tile(k), Action::any()}, {Action::tile(k)}});
    }
    return out;
  };
  d.by_offsets = pad_by_blocks;
  d.padded = pad_of_padded;
  return d;
}

}  // namespace partir::ops
