// Static analysis of which forms may be an infinity or NaN, given that all array elements that are read are finite.
//
// Laws of real numbers (a - a = 0, 0 * a = 0, a * (b + c) = a * b + a * c) do not hold for infinities and NaN. A claim
// assumes that its arguments are finite, so non-finite values can only come from the program's own constants: inf as an
// initial value, a padding value, an operand of a select, an element of a dense constant, a bound of a clamp,
// f16(70000.0), log(0).
#pragma once

#include <initializer_list>

#include "verify/prove/expr.h"

namespace partir::prove {

/// The set of non-finite values that a value may have.
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

/// Returns the non-finite values that a form may have. Sums, products and functions of finite numbers count as finite,
/// except for constants, which are evaluated; overflow is excluded by the scope of a proof over the reals, and
/// undefined values by defined.h. Examples, for a finite x: max(x, -inf) is finite; max over k of (p(k) ? x(k) : -inf)
/// may be -inf; exp of that is finite; x - inf is -inf; 1 / 0 may be anything.
NonFinite non_finite(const Expr& e, Context& c);

/// True if a step may apply a law with the premise "finite" (is_of_finite) on these operands of the type; records its
/// use. Steps query such laws here, since Context::may does not see the operands.
bool may(Law law, ElementType type, std::initializer_list<const Expr*> operands, Context& c);

}  // namespace partir::prove
