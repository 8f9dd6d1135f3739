// Parts of integers: quotients and remainders by constants, shifts by constants, and masks of their low or high bits.
// An integer a that does not wrap is c q + r; q and r are variables, and r is a - c q in sums, so that
//   x - 7 (x / 7) = x % 7,   (x >> 16 << 16) | (x & 65535) = x,   (a << 4) | (b & 15) = 16 a + (b & 15)
// hold. Shifts and masks are the quotient and remainder by a power of two, rounded down.
#include <algorithm>
#include <bit>

#include "semantics/domain.h"
#include "verify/validate/algebra.h"

namespace partir::validate {

Algebra::Division Algebra::division(Element a, std::int64_t c, Bounds range, bool down) {
  if (c == 1) return {a, Element::integer(0)};
  const auto quotient = [&](std::int64_t n) { return n / c - (down && n % c < 0 ? 1 : 0); };
  const Bounds q{quotient(range.low), quotient(range.high)};
  const Element x = canonical(a);
  if (q.low == q.high) {
    const std::int64_t start = c * q.low;
    const Element rest = ring_.subtract(x, ring_.constant(start));
    bound(rest, Bounds{range.low - start, range.high - start}, ElementType::i64);
    return {Element::integer(q.low), rest};
  }
  const bool truncates = !down && range.low < 0;
  const Element of[] = {x, Element::integer(c)};
  const VariableId whole = variable_of(
      key(record(truncates ? "truncated quotient of integers" : "quotient of integers"), of), q.low, q.high);
  const Bounds r{truncates ? 1 - c : 0, truncates && range.high <= 0 ? 0 : c - 1};
  const VariableId rest = variable_of(
      key(record(truncates ? "truncated remainder of integers" : "remainder of integers"), of), r.low, r.high);
  const Element value = ring_.subtract(x, ring_.multiply(ring_.constant(c), canonical(as_element(whole))));
  bottoms_.try_emplace(rest, ring_.subtract(value, ring_.constant(r.low)));
  return {as_element(whole), as_element(rest)};
}

std::optional<Element> Algebra::integer_part(ScalarFn fn, Element a, Element b, ElementType type) {
  const auto known_integer = [&](Element e) -> std::optional<std::int64_t> {
    if (e.is(Element::Kind::integer)) return e.as_int();
    const auto v = bounds(e, type);
    return v && v->low == v->high ? std::optional(v->low) : std::nullopt;
  };
  if (fn == ScalarFn::logical_and && known_integer(a)) std::swap(a, b);
  const auto by = known_integer(b);
  const auto range = bounds(a, type);
  if (!by || !range || a.is(Element::Kind::integer)) return std::nullopt;
  const auto width = static_cast<std::int64_t>(bit_width(type));
  const bool shifts = *by >= 0 && *by < std::min<std::int64_t>(width, 62);
  const auto power = [](std::int64_t k) { return std::int64_t{1} << static_cast<unsigned>(k); };
  switch (fn) {
    case ScalarFn::divide: return *by > 0 ? std::optional(division(a, *by, *range, false).quotient) : std::nullopt;
    case ScalarFn::remainder: return *by > 0 ? std::optional(division(a, *by, *range, false).remainder) : std::nullopt;
    case ScalarFn::shift_right_logical:
      if (!shifts || range->low < 0) return std::nullopt;
      return division(a, power(*by), *range, true).quotient;
    case ScalarFn::shift_right_arithmetic:
      // An arithmetic shift would take the highest bit of an unsigned integer for a sign.
      if (!shifts || (!is_signed(type) && range->high >= power(width - 1))) return std::nullopt;
      return division(a, power(*by), *range, true).quotient;
    case ScalarFn::logical_and: {
      const auto mask = static_cast<std::uint64_t>(*by);
      const auto outside = static_cast<std::uint64_t>(wrap(~mask, type));
      const auto is_low_bits = [](std::uint64_t m) {
        return m != 0 && std::has_single_bit(m + 1) && m + 1 < (1ULL << 62);
      };
      if (is_low_bits(mask)) return division(a, *by + 1, *range, true).remainder;
      if (!is_low_bits(outside)) return std::nullopt;
      const auto c = static_cast<std::int64_t>(outside + 1);
      return apply(ScalarFn::multiply, type, type, {division(a, c, *range, true).quotient, Element::integer(c)});
    }
    default: return std::nullopt;
  }
}

int Algebra::low_zeros(Element e) const {
  if (e.is(Element::Kind::integer)) return std::countr_zero(static_cast<std::uint64_t>(e.as_int()));
  if (!e.is_plain()) return 0;
  if (const int* zeros = low_zeros_.find(e)) return *zeros;
  const Bounds* b = bounds_.find(e);
  return b != nullptr && b->low == b->high ? std::countr_zero(static_cast<std::uint64_t>(b->low)) : 0;
}

void Algebra::note_low_zeros(Element e, int zeros) {
  if (e.is_plain() && zeros > 0) low_zeros_.emplace(e, std::min(zeros, 64));
}

std::optional<Element> Algebra::joined_bits(Element a, Element b, ElementType type) {
  for (const auto& [high, low] : {std::pair(a, b), std::pair(b, a)}) {
    const auto range = bounds(low, type);
    const int zeros = std::min(low_zeros(high), 62);
    if (range && range->low >= 0 && range->high < (std::int64_t{1} << zeros)) return sum(high, low, type);
  }
  return std::nullopt;
}

}  // namespace partir::validate
