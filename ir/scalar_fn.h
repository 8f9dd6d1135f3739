// Functions on scalars, which index notation applies to elements, with what is known of each: a row of one table.
// Domains (semantics/domain.h) evaluate them; the prover, the validator and the simulator use the facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/action.h"
#include "ir/types.h"

namespace partir {

/// The table in scalar_fn.cpp has the same order, and a row there states all facts: none has a default.
enum class ScalarFn : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  power,
  maximum,
  minimum,
  atan2,
  logical_and,
  logical_or,
  logical_xor,
  logical_not,
  shift_left,
  shift_right_arithmetic,
  shift_right_logical,
  mulhi,  ///< the upper half of the product of two integers
  negate,
  abs,  ///< of a complex number: its magnitude, which is real
  sign,
  exponential,
  exponential_minus_one,
  log,
  log_plus_one,
  logistic,
  sqrt,
  rsqrt,
  cbrt,
  tanh,
  tan,
  sine,
  cosine,
  floor,
  ceil,
  round_nearest_afz,
  round_nearest_even,
  popcnt,
  count_leading_zeros,
  is_finite,
  is_inf,
  is_pos_inf,
  is_neg_inf,
  erf,
  erfc,
  erf_inv,
  lgamma,
  digamma,
  polygamma,  ///< order, x
  zeta,       ///< Hurwitz: x, q
  bessel_i1e,
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  cosh,
  sinh,
  next_after,
  real,
  imag,
  conj,
  complex,  ///< real part, imaginary part
  compare_eq,
  compare_ne,
  compare_lt,
  compare_le,
  compare_gt,
  compare_ge,
  order_key,         ///< a float's rank in the total order -NaN < -inf < … < -0 < +0 < … < +NaN, as an i64
  select,            ///< predicate, on true, on false
  convert,           ///< to the element type of the term
  bitcast,           ///< the same bits in a type of the same width
  reduce_precision,  ///< x, exponent bits, mantissa bits
};

std::string_view name_of(ScalarFn fn);
int arity_of(ScalarFn fn);
bool is_comparison(ScalarFn fn);
/// The number of floating-point operations that one application counts as: 0 for comparisons, selection and conversion.
int flops_of(ScalarFn fn);

/// Properties of a function over the real numbers, for the prover. They do not hold for complex numbers, nor bit for
/// bit for floats.
struct RealLaws {
  enum class Order : std::uint8_t { none, rises, falls };
  enum class Domain : std::uint8_t { everywhere, part };
  Order order = Order::none;  ///< monotone in its only argument on its domain, not necessarily strictly (floor rises)
  Domain domain = Domain::everywhere;
  bool multiplicative = false;  ///< f(x * y) = f(x) * f(y)
  bool odd = false;             ///< f(-x) = -f(x)
  bool positive = false;        ///< f(x) > 0 for every x
};
const RealLaws& real_laws_of(ScalarFn fn);
/// True if the function depends on the representation of a float: which zero, which NaN, whether it is finite, its
/// successor. (So does a conversion that rounds, depending on the types; it is not included.)
bool looks_at_bits(ScalarFn fn);
/// True if the function, though defined for all real numbers, is not defined for all complex ones.
bool has_complex_poles(ScalarFn fn);

/// How far the result for real operands is from the exact one.
enum class Rounding : std::uint8_t {
  none,     ///< it is exact: the maximum, floor, comparisons
  once,     ///< it is the nearest number of the type, as IEEE 754 requires
  several,  ///< it depends on the library that computes it
};
Rounding rounding_of(ScalarFn fn);

/// The unit of a processor that evaluates the function, for the simulator.
enum class ComputeUnit : std::uint8_t {
  none,     ///< it counts as no arithmetic
  vector,   ///< the arithmetic units
  special,  ///< the unit for transcendental functions, also for division
};
ComputeUnit unit_of(ScalarFn fn);

/// Ordered by the strength of a proof over the reals: the larger the value, the weaker the guarantee.
enum class Continuity : std::uint8_t {
  continuous,    ///< on its domain; includes rounding to a narrower float, which has an error of its own
  jumps,         ///< at some real number: comparisons, floor, sign, conversions to integers, powers of negative numbers
  signed_zeros,  ///< distinguishes -0.0 from +0.0, which are one real number: atan2, complex functions on branch cuts
};
/// The continuity of a function from operands of type `in` to `out`. Functions of other types than floats are
/// continuous.
Continuity continuity_of(ScalarFn fn, ElementType in, ElementType out);

/// The monoid whose binary operation is `fn`, if any.
std::optional<Monoid> monoid_of(ScalarFn fn);
/// The binary operation of a monoid.
ScalarFn combiner_fn(Monoid monoid);

}  // namespace partir
