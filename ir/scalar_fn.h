// Functions on scalars: what index notation applies to elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/action.h"

namespace partir {

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
  negate,
  abs,
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
  erf,
  compare_eq,
  compare_ne,
  compare_lt,
  compare_le,
  compare_gt,
  compare_ge,
  select,   ///< predicate, on true, on false
  convert,  ///< to the element type of the node
};

std::string_view name_of(ScalarFn fn);
/// Floating-point operations that one application counts for: comparisons, selection and conversion count none.
int flops_of(ScalarFn fn);
/// The monoid whose combination the function is.
std::optional<Monoid> monoid_of(ScalarFn fn);
ScalarFn combiner_fn(Monoid monoid);

}  // namespace partir
