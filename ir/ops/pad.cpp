// pad: out[i] = operand[(i - low) / (1 + interior)] where that is a whole index inside, else the value
// (specification, "pad"; low and high may be negative).
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "support/checked.h"

namespace partir::ops {

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
      // Each element becomes a piece of as many: pieces are on a device as a whole.
      const std::int64_t low = op.ints("edge_padding_low")[k];
      const std::int64_t interior = op.ints("interior_padding")[k];
      if (low >= 0 && low <= interior && op.results[0]->dims[k] == op.operands[0]->dims[k] * (interior + 1))
        out.push_back({{Action::tile(k), Action::any()}, {Action::tile(k)}});
    }
    // A whole value stands n times in the combination: that is the value where it is an identity, or the monoid is
    // idempotent.
    for (const Monoid m : kMonoids) {
      const bool idempotent = m != Monoid::sum && m != Monoid::prod && combines(m, op.results[0]->element);
      if (idempotent || is_identity(op.splats[1], m))
        out.push_back({{Action::partial(m), Action::any()}, {Action::partial(m)}});
    }
    index_only_entries(op, {0, 1}, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
