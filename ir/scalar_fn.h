// Functions on scalars: what index notation applies to elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/action.h"

namespace partir {

/// The order is that of the table in scalar_fn.cpp.
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
  order_key,         ///< a float's place in the total order -NaN < -inf < … < -0 < +0 < … < +NaN, as an i64
  select,            ///< predicate, on true, on false
  convert,           ///< to the element type of the node
  bitcast,           ///< the same bits in a type of the same width
  reduce_precision,  ///< x, exponent bits, mantissa bits
};

std::string_view name_of(ScalarFn fn);
int arity_of(ScalarFn fn);
bool is_comparison(ScalarFn fn);
/// Floating-point operations that one application counts for: comparisons, selection and conversion count none.
int flops_of(ScalarFn fn);

/// What is true of a function of real numbers, for those who reason about programs. None of it holds of complex numbers
/// (which have no order), and none of it bit by bit of floats.
struct RealLaws {
  enum class Order : std::uint8_t { none, rises, falls };
  enum class Domain : std::uint8_t { everywhere, part };
  Order order = Order::none;  ///< throughout its domain, in its one argument; not strictly (floor rises)
  Domain domain = Domain::everywhere;
  bool multiplicative = false;  ///< f(x * y) = f(x) * f(y)
  bool odd = false;             ///< f(-x) = -f(x)
  bool positive = false;        ///< of every argument
};
const RealLaws& real_laws_of(ScalarFn fn);
/// Whether the function is about how a float is represented: which zero, which NaN, whether it is finite, the next one.
/// (A conversion that rounds is, too: it depends on the types.)
bool looks_at_bits(ScalarFn fn);

/// The monoid whose combination the function is.
std::optional<Monoid> monoid_of(ScalarFn fn);
ScalarFn combiner_fn(Monoid monoid);

}  // namespace partir
