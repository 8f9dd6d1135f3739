// Elements of arrays in evaluation (program.h): one position of a value, for all inputs at once. An element is a
// residue that represents a function of the inputs, a known constant, or a case distinction on an integer variable
// (algebra.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "verify/validate/field.h"

namespace partir::validate {

/// Values that are not numbers of the field: infinities and NaN, which come from constants, overflow and undefined
/// results, and `poison`, the result of a read outside its operand, which a guard must discard.
enum class Special : std::uint8_t { minus_infinity, plus_infinity, nan, poison };

/// 16 bytes. The top four bits are the kind:
///   plain     a residue or, in exact evaluation, the index of a polynomial
///   integer   a known integer or boolean
///   number    a known float, exactly
///   special   an infinity, NaN, or poison
///   linear    a v + b of an integer variable v, as an index into the algebra
///   node      a case distinction on one variable, as an index into the algebra
struct Element {
  enum class Kind : std::uint8_t { plain, integer, number, special, linear, node };

  std::uint64_t lo = 0;
  std::uint64_t hi = 0;

  static constexpr unsigned kShift = 60;
  static Element of(Kind kind, std::uint64_t lo) { return {lo, static_cast<std::uint64_t>(kind) << kShift}; }
  static Element plain(Residue r) { return {r.lo, r.hi}; }
  static Element integer(std::int64_t v) { return of(Kind::integer, static_cast<std::uint64_t>(v)); }
  static Element number(double v) { return of(Kind::number, std::bit_cast<std::uint64_t>(v + 0.0)); }
  static Element special(Special s) { return of(Kind::special, static_cast<std::uint64_t>(s)); }

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(hi >> kShift); }
  [[nodiscard]] bool is_plain() const { return (hi >> kShift) == 0; }
  [[nodiscard]] bool is(Kind k) const { return kind() == k; }
  [[nodiscard]] bool is(Special s) const { return *this == special(s); }
  /// Whether it is a case distinction or linear in a variable.
  [[nodiscard]] bool is_cases() const { return kind() >= Kind::linear; }
  [[nodiscard]] Residue residue() const { return {lo, hi}; }
  [[nodiscard]] std::int64_t as_int() const { return static_cast<std::int64_t>(lo); }
  [[nodiscard]] double as_number() const { return std::bit_cast<double>(lo); }
  [[nodiscard]] std::size_t index() const { return static_cast<std::size_t>(lo); }

  friend bool operator==(const Element&, const Element&) = default;
};

struct ElementHash {
  std::size_t operator()(const Element& e) const noexcept {
    return static_cast<std::size_t>((e.lo ^ (e.lo >> 29)) * 0x9e3779b97f4a7c15ULL ^ e.hi * 0xd1342543de82ef95ULL);
  }
};
/// An arbitrary fixed order, by which sets of elements are sorted.
struct ElementOrder {
  bool operator()(const Element& a, const Element& b) const { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }
};

}  // namespace partir::validate
