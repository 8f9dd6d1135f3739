#include "ir/scalar_fn.h"

#include <array>

namespace partir {
namespace {
constexpr std::array<std::string_view, 47> kNames = {"add",
                                                     "subtract",
                                                     "multiply",
                                                     "divide",
                                                     "remainder",
                                                     "power",
                                                     "maximum",
                                                     "minimum",
                                                     "atan2",
                                                     "and",
                                                     "or",
                                                     "xor",
                                                     "not",
                                                     "shift_left",
                                                     "shift_right_arithmetic",
                                                     "shift_right_logical",
                                                     "negate",
                                                     "abs",
                                                     "sign",
                                                     "exponential",
                                                     "exponential_minus_one",
                                                     "log",
                                                     "log_plus_one",
                                                     "logistic",
                                                     "sqrt",
                                                     "rsqrt",
                                                     "cbrt",
                                                     "tanh",
                                                     "tan",
                                                     "sine",
                                                     "cosine",
                                                     "floor",
                                                     "ceil",
                                                     "round_nearest_afz",
                                                     "round_nearest_even",
                                                     "popcnt",
                                                     "count_leading_zeros",
                                                     "is_finite",
                                                     "erf",
                                                     "compare_eq",
                                                     "compare_ne",
                                                     "compare_lt",
                                                     "compare_le",
                                                     "compare_gt",
                                                     "compare_ge",
                                                     "select",
                                                     "convert"};
static_assert(kNames.size() == static_cast<std::size_t>(ScalarFn::convert) + 1);
}  // namespace

std::string_view name_of(ScalarFn fn) { return kNames[static_cast<std::size_t>(fn)]; }

int flops_of(ScalarFn fn) { return fn >= ScalarFn::compare_eq || fn == ScalarFn::is_finite ? 0 : 1; }

std::optional<Monoid> monoid_of(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::add: return Monoid::sum;
    case ScalarFn::multiply: return Monoid::prod;
    case ScalarFn::maximum: return Monoid::max;
    case ScalarFn::minimum: return Monoid::min;
    case ScalarFn::logical_and: return Monoid::conj;
    case ScalarFn::logical_or: return Monoid::disj;
    default: return std::nullopt;
  }
}

ScalarFn combiner_fn(Monoid monoid) {
  constexpr std::array fns = {ScalarFn::add,     ScalarFn::multiply,    ScalarFn::maximum,
                              ScalarFn::minimum, ScalarFn::logical_and, ScalarFn::logical_or};
  return fns[static_cast<std::size_t>(monoid)];
}

}  // namespace partir
