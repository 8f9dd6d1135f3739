// bitcast_convert: the same bits in another type. If the widths differ, the side of the narrower type has one more
// dimension, the last one, which holds the parts of each wider element, least significant first.
#include <optional>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {

namespace {

/// Returns the unsigned type of a width (i1 for one bit); nothing for other widths, such as 6 or 128 bits.
std::optional<ElementType> unsigned_of(unsigned width) {
  switch (width) {
    case 1: return ElementType::i1;
    case 2: return ElementType::ui2;
    case 4: return ElementType::ui4;
    case 8: return ElementType::ui8;
    case 16: return ElementType::ui16;
    case 32: return ElementType::ui32;
    case 64: return ElementType::ui64;
    default: return std::nullopt;
  }
}

}  // namespace

OpDecl bitcast_convert() {
  OpDecl d;
  d.name = "stablehlo.bitcast_convert";
  d.kind = OpDecl::Kind::array;
  d.types = OpDecl::TypeForm::same;
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    const TensorType& x = *op.operands[0];
    const TensorType& y = *op.results[0];
    require(is_complex(x.element) == is_complex(y.element), op, "C2", "complex to complex, or neither", y.str());
    const unsigned from = std::max(bit_width(x.element), 1U);
    const unsigned to = std::max(bit_width(y.element), 1U);
    const auto prefix = [](const TensorType& longer, const TensorType& shorter, std::int64_t last) {
      return longer.rank() == shorter.rank() + 1 && longer.dims.back() == last &&
             std::equal(shorter.dims.begin(), shorter.dims.end(), longer.dims.begin());
    };
    if (from == to) {
      require(x.dims == y.dims, op, "C1", "a result of the operand's shape", y.str());
    } else if (from > to) {
      require(from % to == 0 && prefix(y, x, from / to), op, "C1",
              "a result with one dimension more, for the parts of each element", y.str());
    } else {
      require(to % from == 0 && prefix(x, y, to / from), op, "C1",
              "an operand whose last dimension holds the parts of each element", x.str());
    }
  };
  d.covers = [](const OpInstance& op) {
    const ElementType x = op.operands[0]->element;
    const ElementType y = op.results[0]->element;
    return x == y || (bit_width(x) == bit_width(y) && bit_width(x) <= 64) ||
           (unsigned_of(bit_width(x)) && unsigned_of(bit_width(y))) || (is_complex(x) && is_complex(y));
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const ElementType from = op.operands[0]->element;
    const ElementType to = op.results[0]->element;
    const std::int64_t small = std::min(bit_width(from), bit_width(to));
    if (bit_width(from) == bit_width(to)) {
      b.define(0, from == to ? b.read(0, i) : b.apply(ScalarFn::bitcast, to, {b.read(0, i)}));
      return;
    }
    if (is_complex(from)) {  // complex<f32> has as many bits as f64, and two f64 are a complex<f64>
      if (from == ElementType::c128) {
        const std::vector<Index> at(i.begin(), i.end() - 1);
        const auto part = [&](ScalarFn fn) {
          return b.apply(ScalarFn::bitcast, to, {b.apply(fn, ElementType::f64, {b.read(0, at)})});
        };
        b.define(0, b.guarded({zero(i.back())}, part(ScalarFn::real), part(ScalarFn::imag)));
      } else {
        const auto part = [&](std::int64_t k) {
          std::vector<Index> at = i;
          at.push_back(b.constant(k));
          return b.apply(ScalarFn::bitcast, ElementType::f64, {b.read(0, at)});
        };
        b.define(0, b.apply(ScalarFn::complex, to, {part(0), part(1)}));
      }
      return;
    }
    const ElementType wide = *unsigned_of(std::max(bit_width(from), bit_width(to)));
    const ElementType narrow = *unsigned_of(std::min(bit_width(from), bit_width(to)));
    if (bit_width(from) > bit_width(to)) {  // part k begins at bit k * small
      const Term bits = b.apply(ScalarFn::bitcast, wide, {b.read(0, {i.begin(), i.end() - 1})});
      const Term shifted = b.apply(ScalarFn::shift_right_logical, wide, {bits, b.from_index(i.back() * small, wide)});
      const Term part =
          small == 1 ? b.apply(ScalarFn::logical_and, wide, {shifted, b.from_index(b.constant(1), wide)}) : shifted;
      b.define(0, b.apply(ScalarFn::bitcast, to, {b.apply(ScalarFn::convert, narrow, {part})}));
      return;
    }
    const Index k = b.range(op.operands[0]->dims.back());
    std::vector<Index> at = i;
    at.push_back(k);
    const Term bits = b.apply(ScalarFn::convert, wide, {b.apply(ScalarFn::bitcast, narrow, {b.read(0, at)})});
    const Term placed = b.apply(ScalarFn::shift_left, wide, {bits, b.from_index(k * small, wide)});
    b.define(0,
             b.apply(ScalarFn::bitcast, to, {b.reduce(Monoid::disj, {k}, b.from_index(b.constant(0), wide), placed)}));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    for (Dim k = 0; k < std::min(op.operands[0].rank(), op.results[0].rank()); ++k)
      out.push_back({{Action::tile(k)}, {Action::tile(k)}});
    if (op.operands[0]->element == op.results[0]->element) index_only_entries(op, {0}, out);
    return out;
  };
  return d;
}

}  // namespace partir::ops
