// Which forms may have values that are no finite numbers, where all that is read is finite.
//
// Laws of real numbers (a - a = 0, 0 * a = 0, a * (b + c) = a * b + a * c) are false of infinities and NaN. Arguments
// are finite by the contract of a claim; the other way in is through the program's own constants: inf as an initial
// value, a padding value, an arm of a select, an element of a dense constant, a bound of a clamp, f16(70000.0), log(0).
#pragma once

#include <initializer_list>

#include "verify/prove/expr.h"

namespace partir::prove {

/// A set of what a value may be beside finite.
struct NonFinite {
  bool lowest = false;   ///< minus infinity
  bool highest = false;  ///< infinity
  bool nan = false;

  static NonFinite any() { return {true, true, true}; }
  [[nodiscard]] bool none() const { return !lowest && !highest && !nan; }
  friend NonFinite operator|(NonFinite a, NonFinite b) {
    return {a.lowest || b.lowest, a.highest || b.highest, a.nan || b.nan};
  }
  friend bool operator==(const NonFinite&, const NonFinite&) = default;
};

/// What a form may be beside finite. Sums, products and functions of finite numbers count as finite (overflow, and what
/// is not defined, is for the scope and for defined.h), unless they are constants, which are evaluated. Examples, for a
/// finite x: max(x, -inf) is finite; max over k of (p(k) ? x(k) : -inf) may be -inf; exp of that is finite; x - inf is
/// -inf; 1 / 0 may be anything.
NonFinite non_finite(const Expr& e, Context& c);

/// Whether a step may take a law of finite numbers (LawRow::finite), of a type, on these operands; it is noted. Such
/// laws are asked for here and not by Context::may, which knows no operands.
bool may(Law law, ElementType type, std::initializer_list<const Expr*> operands, Context& c);

}  // namespace partir::prove
