#include "ir/scalar_fn.h"

#include <array>
#include <iterator>

namespace partir {
namespace {
struct FnRow {
  ScalarFn fn;
  std::string_view name;
  int arity;
  int flops;
};

constexpr FnRow kFnRows[] = {
    {ScalarFn::add, "add", 2, 1},
    {ScalarFn::subtract, "subtract", 2, 1},
    {ScalarFn::multiply, "multiply", 2, 1},
    {ScalarFn::divide, "divide", 2, 1},
    {ScalarFn::remainder, "remainder", 2, 1},
    {ScalarFn::power, "power", 2, 1},
    {ScalarFn::maximum, "maximum", 2, 1},
    {ScalarFn::minimum, "minimum", 2, 1},
    {ScalarFn::atan2, "atan2", 2, 1},
    {ScalarFn::logical_and, "and", 2, 1},
    {ScalarFn::logical_or, "or", 2, 1},
    {ScalarFn::logical_xor, "xor", 2, 1},
    {ScalarFn::logical_not, "not", 1, 1},
    {ScalarFn::shift_left, "shift_left", 2, 1},
    {ScalarFn::shift_right_arithmetic, "shift_right_arithmetic", 2, 1},
    {ScalarFn::shift_right_logical, "shift_right_logical", 2, 1},
    {ScalarFn::mulhi, "mulhi", 2, 1},
    {ScalarFn::negate, "negate", 1, 1},
    {ScalarFn::abs, "abs", 1, 1},
    {ScalarFn::sign, "sign", 1, 1},
    {ScalarFn::exponential, "exponential", 1, 1},
    {ScalarFn::exponential_minus_one, "exponential_minus_one", 1, 1},
    {ScalarFn::log, "log", 1, 1},
    {ScalarFn::log_plus_one, "log_plus_one", 1, 1},
    {ScalarFn::logistic, "logistic", 1, 1},
    {ScalarFn::sqrt, "sqrt", 1, 1},
    {ScalarFn::rsqrt, "rsqrt", 1, 1},
    {ScalarFn::cbrt, "cbrt", 1, 1},
    {ScalarFn::tanh, "tanh", 1, 1},
    {ScalarFn::tan, "tan", 1, 1},
    {ScalarFn::sine, "sine", 1, 1},
    {ScalarFn::cosine, "cosine", 1, 1},
    {ScalarFn::floor, "floor", 1, 1},
    {ScalarFn::ceil, "ceil", 1, 1},
    {ScalarFn::round_nearest_afz, "round_nearest_afz", 1, 1},
    {ScalarFn::round_nearest_even, "round_nearest_even", 1, 1},
    {ScalarFn::popcnt, "popcnt", 1, 1},
    {ScalarFn::count_leading_zeros, "count_leading_zeros", 1, 1},
    {ScalarFn::is_finite, "is_finite", 1, 0},
    {ScalarFn::is_inf, "is_inf", 1, 0},
    {ScalarFn::is_pos_inf, "is_pos_inf", 1, 0},
    {ScalarFn::is_neg_inf, "is_neg_inf", 1, 0},
    {ScalarFn::erf, "erf", 1, 1},
    {ScalarFn::erfc, "erfc", 1, 1},
    {ScalarFn::erf_inv, "erf_inv", 1, 1},
    {ScalarFn::lgamma, "lgamma", 1, 1},
    {ScalarFn::digamma, "digamma", 1, 1},
    {ScalarFn::polygamma, "polygamma", 2, 1},
    {ScalarFn::zeta, "zeta", 2, 1},
    {ScalarFn::bessel_i1e, "bessel_i1e", 1, 1},
    {ScalarFn::acos, "acos", 1, 1},
    {ScalarFn::acosh, "acosh", 1, 1},
    {ScalarFn::asin, "asin", 1, 1},
    {ScalarFn::asinh, "asinh", 1, 1},
    {ScalarFn::atan, "atan", 1, 1},
    {ScalarFn::atanh, "atanh", 1, 1},
    {ScalarFn::cosh, "cosh", 1, 1},
    {ScalarFn::sinh, "sinh", 1, 1},
    {ScalarFn::next_after, "next_after", 2, 1},
    {ScalarFn::real, "real", 1, 0},
    {ScalarFn::imag, "imag", 1, 0},
    {ScalarFn::conj, "conj", 1, 0},
    {ScalarFn::complex, "complex", 2, 0},
    {ScalarFn::compare_eq, "compare_eq", 2, 0},
    {ScalarFn::compare_ne, "compare_ne", 2, 0},
    {ScalarFn::compare_lt, "compare_lt", 2, 0},
    {ScalarFn::compare_le, "compare_le", 2, 0},
    {ScalarFn::compare_gt, "compare_gt", 2, 0},
    {ScalarFn::compare_ge, "compare_ge", 2, 0},
    {ScalarFn::order_key, "order_key", 1, 0},
    {ScalarFn::select, "select", 3, 0},
    {ScalarFn::convert, "convert", 1, 0},
    {ScalarFn::bitcast, "bitcast", 1, 0},
    {ScalarFn::reduce_precision, "reduce_precision", 3, 0},
};
static_assert(std::size(kFnRows) == static_cast<std::size_t>(ScalarFn::reduce_precision) + 1);
static_assert([] {
  for (std::size_t k = 0; k < std::size(kFnRows); ++k) {
    if (static_cast<std::size_t>(kFnRows[k].fn) != k) return false;
  }
  return true;
}());

const FnRow& row(ScalarFn fn) { return kFnRows[static_cast<std::size_t>(fn)]; }

}  // namespace

std::string_view name_of(ScalarFn fn) { return row(fn).name; }
int arity_of(ScalarFn fn) { return row(fn).arity; }
int flops_of(ScalarFn fn) { return row(fn).flops; }
bool is_comparison(ScalarFn fn) { return fn >= ScalarFn::compare_eq && fn <= ScalarFn::compare_ge; }

const RealLaws& real_laws_of(ScalarFn fn) {
  using Order = RealLaws::Order;
  using Domain = RealLaws::Domain;
  static const auto table = [] {
    std::array<RealLaws, std::size(kFnRows)> out;
    const auto at = [&](ScalarFn f) -> RealLaws& { return out[static_cast<std::size_t>(f)]; };
    for (const ScalarFn f : {ScalarFn::exponential,
                             ScalarFn::exponential_minus_one,
                             ScalarFn::log,
                             ScalarFn::log_plus_one,
                             ScalarFn::logistic,
                             ScalarFn::sqrt,
                             ScalarFn::cbrt,
                             ScalarFn::tanh,
                             ScalarFn::floor,
                             ScalarFn::ceil,
                             ScalarFn::round_nearest_afz,
                             ScalarFn::round_nearest_even,
                             ScalarFn::sign,
                             ScalarFn::erf,
                             ScalarFn::erf_inv,
                             ScalarFn::asin,
                             ScalarFn::asinh,
                             ScalarFn::atan,
                             ScalarFn::atanh,
                             ScalarFn::sinh,
                             ScalarFn::acosh})
      at(f).order = Order::rises;
    for (const ScalarFn f : {ScalarFn::erfc, ScalarFn::acos, ScalarFn::rsqrt}) at(f).order = Order::falls;
    for (const ScalarFn f : {ScalarFn::divide, ScalarFn::remainder, ScalarFn::power, ScalarFn::atan2, ScalarFn::log,
                             ScalarFn::log_plus_one, ScalarFn::sqrt, ScalarFn::rsqrt, ScalarFn::tan, ScalarFn::erf_inv,
                             ScalarFn::lgamma, ScalarFn::digamma, ScalarFn::polygamma, ScalarFn::zeta, ScalarFn::acos,
                             ScalarFn::acosh, ScalarFn::asin, ScalarFn::atanh})
      at(f).domain = Domain::part;
    for (const ScalarFn f : {ScalarFn::abs, ScalarFn::sign, ScalarFn::cbrt}) at(f).multiplicative = true;
    for (const ScalarFn f :
         {ScalarFn::tanh, ScalarFn::tan, ScalarFn::sine, ScalarFn::erf, ScalarFn::erf_inv, ScalarFn::cbrt,
          ScalarFn::asin, ScalarFn::asinh, ScalarFn::atan, ScalarFn::atanh, ScalarFn::sinh})
      at(f).odd = true;
    for (const ScalarFn f : {ScalarFn::exponential, ScalarFn::logistic}) at(f).positive = true;
    return out;
  }();
  return table[static_cast<std::size_t>(fn)];
}

bool looks_at_bits(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::is_finite:
    case ScalarFn::is_inf:
    case ScalarFn::is_pos_inf:
    case ScalarFn::is_neg_inf:
    case ScalarFn::next_after:
    case ScalarFn::order_key:
    case ScalarFn::bitcast:
    case ScalarFn::reduce_precision: return true;
    default: return false;
  }
}

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
