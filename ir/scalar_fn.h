// Functions on scalars, which index notation applies to elements. Domains (semantics/domain.h) evaluate them; the
// prover uses their real laws.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/action.h"

namespace partir {

/// The table in scalar_fn.cpp has the same order.
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

/// The monoid whose binary operation is `fn`, if any.
std::optional<Monoid> monoid_of(ScalarFn fn);
/// The binary operation of a monoid.
ScalarFn combiner_fn(Monoid monoid);

}  // namespace partir
