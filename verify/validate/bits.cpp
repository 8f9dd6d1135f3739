// Classifies operations on bits, and implements the algebra of the evaluation by bits: known floats are computed, all
// others are unknowns of the operation and its arguments.
#include "verify/validate/bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/continuity.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "semantics/domain.h"
#include "verify/validate/algebra.h"

namespace partir::validate {
namespace {

bool is_number(ElementType type) { return is_float(type) || is_complex(type); }

/// Whether `is` holds of the operation itself or of one in a region that belongs to it (a reduction's computation).
template <class Is>
bool is_or_holds(const Op& op, const Is& is) {
  return is(op) || (!runs_regions(op) && std::any_of(op.regions.begin(), op.regions.end(),
                                                     [&](const Block& b) { return find_op(b, is) != nullptr; }));
}

}  // namespace

std::uint64_t bits_of_literal(const Literal& literal, std::int64_t position) {
  const std::uint8_t* bytes = literal.element(position);
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < (bit_width(literal.type.element) + 7) / 8; ++k) out |= std::uint64_t{bytes[k]} << 8 * k;
  return out;
}

bool sees_signed_zeros(const Function& f, const Op& op) {
  return is_or_holds(op, [&](const Op& o) {
    if (o.operands.empty() || o.results.empty() || !f.type(o.operands[0]).is_tensor()) return false;
    const ElementType in = f.tensor(o.operands[0]).element;
    const auto fn = is_number(in) ? ops::scalar_fn_of(o.name()) : std::nullopt;
    return fn && continuity_of(*fn, in, f.tensor(o.results[0]).element) == Continuity::signed_zeros;
  });
}

bool looks_at_bits(const Function& f, const Op& op) {
  const auto is_real = [&](ValueId v) { return f.type(v).is_tensor() && is_number(f.type(v)->element); };
  const auto looks = [&](const Op& o) {
    if (o.operands.empty() || !is_real(o.operands[0])) return false;
    if (o.name() == "stablehlo.bitcast_convert")
      return f.tensor(o.operands[0]).element != f.tensor(o.results[0]).element;
    const Attribute* type = find(o.attributes, "compare_type");
    return o.name() == "chlo.next_after" ||
           (type != nullptr && type->str() == "TOTALORDER" && op.name() != "stablehlo.sort");
  };
  return sees_signed_zeros(f, op) || is_or_holds(op, looks);
}

Element Algebra::apply_by_bits(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args) {
  if (rounding_of(fn) != Rounding::several && !is_complex(in) && !is_complex(type)) {
    std::array<Scalar, 3> scalars;
    std::array<const Scalar*, 3> pointers{};
    bool known_all = true;
    for (std::size_t k = 0; k < args.size(); ++k) {
      known_all = known_all && args[k].is(is_float(in) ? Element::Kind::number : Element::Kind::integer);
      if (is_float(in)) {
        scalars[k].f = args[k].as_number();
      } else {
        scalars[k].i = args[k].as_int();
      }
      pointers[k] = &scalars[k];
    }
    if (known_all) {
      Scalar out;
      native_domain().apply(fn, in, type, pointers.data(), 1, &out);
      if (fn == ScalarFn::bitcast && is_float(type) && std::isnan(out.f) && !is_float(in)) {  // with its payload
        const auto bits = static_cast<std::uint64_t>(scalars[0].i);
        const unsigned width = bit_width(type);
        return opaque(record_of_bits(width < 64 ? bits & ((std::uint64_t{1} << width) - 1) : bits, type), type, {});
      }
      return is_float(type) ? float_by_bits(out.f, type) : Element::integer(out.i);
    }
  }
  std::vector<Element> of;
  for (const Element e : args) of.push_back(canonical(e));
  if ((fn == ScalarFn::maximum || fn == ScalarFn::minimum) && is_float(type))
    return extremum(fn, {args.begin(), args.end()}, type);
  if ((fn == ScalarFn::add || fn == ScalarFn::multiply) && is_float(type))
    std::sort(of.begin(), of.end(), ElementOrder());
  const Element out = opaque(fmt::format("{} {} {} by bits", name_of(fn), name_of(in), name_of(type)), type, of);
  const bool all_bits = is_float(in) && is_integer(type) && bit_width(in) == bit_width(type);
  if (fn == ScalarFn::bitcast && all_bits) note_bits_of(out, args[0], in);
  return out;
}

Element Algebra::float_by_bits(double value, ElementType type) {
  if (std::isinf(value)) return Element::special(value > 0 ? Special::plus_infinity : Special::minus_infinity);
  if (std::isnan(value) || (value == 0 && std::signbit(value)))
    return opaque(fmt::format("{} {}", std::isnan(value) ? "NaN" : "-0", name_of(type)), type, {});
  return Element::number(value);
}

Element Algebra::literal_by_bits(const Literal& literal, std::int64_t position) {
  const ElementType type = literal.type.element;
  const double value = is_complex(type) ? std::nan("") : literal.as_double(position);
  if (!std::isnan(value)) return float_by_bits(value, type);
  const std::uint8_t* bytes = literal.element(position);
  const std::size_t count = (bit_width(type) + 7) / 8;
  if (is_complex(type)) {
    std::string record = fmt::format("literal {}", name_of(type));
    for (std::size_t k = 0; k < count; ++k) record += fmt::format(" {:02x}", bytes[k]);
    return opaque(record, type, {});
  }
  return opaque(record_of_bits(bits_of_literal(literal, position), type), type, {});
}

std::string Algebra::record_of_bits(std::uint64_t bits, ElementType type) {
  return fmt::format("{} of bits {:x}", name_of(type), bits);
}

Element Algebra::imported(Element by_bits, ElementType type) {
  if (!by_bits.is_plain()) return by_bits;
  return opaque(fmt::format("{} from bits", name_of(type)), type, std::span(&by_bits, 1));
}

}  // namespace partir::validate
