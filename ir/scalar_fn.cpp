#include "ir/scalar_fn.h"

#include <array>
#include <iterator>

namespace partir {
namespace {
struct FnRow {
  /// Laws over the reals, and what else is true or false of a function.
  enum Law : std::uint16_t {
    rises = 1,      ///< monotone in its only argument
    falls = 2,      ///< likewise, downwards
    part = 4,       ///< not defined for all real numbers
    poles = 8,      ///< not defined for all complex numbers, only for all real ones
    scales = 16,    ///< f(x * y) = f(x) * f(y)
    odd = 32,       ///< f(-x) = -f(x)
    positive = 64,  ///< f(x) > 0
    bits = 128,     ///< looks at the representation of a float
  };
  ScalarFn fn;
  std::string_view name;
  int arity;
  int flops;
  Rounding rounding;      ///< of real operands
  Continuity on_reals;    ///< between floats
  Continuity on_complex;  ///< roots, logarithms, powers and inverses distinguish zeros at their branch cuts
  ComputeUnit unit;
  int laws;

  [[nodiscard]] constexpr bool has(Law law) const { return (laws & law) != 0; }
};

// sqrt rounds once by IEEE 754, but not on GPUs. Complex numbers are ordered by their real parts, then by the imaginary
// ones.
constexpr auto kFnRows = [] {
  using F = ScalarFn;
  using enum FnRow::Law;
  constexpr auto none = Rounding::none;
  constexpr auto once = Rounding::once;
  constexpr auto libm = Rounding::several;
  constexpr auto smooth = Continuity::continuous;
  constexpr auto jumps = Continuity::jumps;
  constexpr auto zeros = Continuity::signed_zeros;
  constexpr auto free = ComputeUnit::none;
  constexpr auto vector = ComputeUnit::vector;
  constexpr auto sfu = ComputeUnit::special;
  // clang-format off
  return std::to_array<FnRow>({
    {F::add,                    "add",                    2, 1, once, smooth, smooth, vector, 0},
    {F::subtract,               "subtract",               2, 1, once, smooth, smooth, vector, 0},
    {F::multiply,               "multiply",               2, 1, once, smooth, smooth, vector, 0},
    {F::divide,                 "divide",                 2, 1, once, smooth, smooth, sfu,    part},
    {F::remainder,              "remainder",              2, 1, libm, jumps,  zeros,  sfu,    part},
    {F::power,                  "power",                  2, 1, libm, jumps,  zeros,  sfu,    part},
    {F::maximum,                "maximum",                2, 1, none, smooth, jumps,  vector, 0},
    {F::minimum,                "minimum",                2, 1, none, smooth, jumps,  vector, 0},
    {F::atan2,                  "atan2",                  2, 1, libm, zeros,  zeros,  sfu,    part},
    {F::logical_and,            "and",                    2, 1, none, smooth, zeros,  vector, 0},
    {F::logical_or,             "or",                     2, 1, none, smooth, zeros,  vector, 0},
    {F::logical_xor,            "xor",                    2, 1, none, smooth, zeros,  vector, 0},
    {F::logical_not,            "not",                    1, 1, none, smooth, zeros,  vector, 0},
    {F::shift_left,             "shift_left",             2, 1, none, smooth, zeros,  vector, 0},
    {F::shift_right_arithmetic, "shift_right_arithmetic", 2, 1, none, smooth, zeros,  vector, 0},
    {F::shift_right_logical,    "shift_right_logical",    2, 1, none, smooth, zeros,  vector, 0},
    {F::mulhi,                  "mulhi",                  2, 1, none, smooth, zeros,  vector, 0},
    {F::negate,                 "negate",                 1, 1, none, smooth, smooth, vector, 0},
    {F::abs,                    "abs",                    1, 1, none, smooth, smooth, vector, scales},
    {F::sign,                   "sign",                   1, 1, none, jumps,  jumps,  vector, rises | scales},
    {F::exponential,            "exponential",            1, 1, libm, smooth, smooth, sfu,    rises | positive},
    {F::exponential_minus_one,  "exponential_minus_one",  1, 1, libm, smooth, smooth, sfu,    rises},
    {F::log,                    "log",                    1, 1, libm, smooth, zeros,  sfu,    rises | part},
    {F::log_plus_one,           "log_plus_one",           1, 1, libm, smooth, zeros,  sfu,    rises | part},
    {F::logistic,               "logistic",               1, 1, libm, smooth, smooth, sfu,    rises | poles | positive},
    {F::sqrt,                   "sqrt",                   1, 1, libm, smooth, zeros,  sfu,    rises | part},
    {F::rsqrt,                  "rsqrt",                  1, 1, libm, smooth, zeros,  sfu,    falls | part},
    {F::cbrt,                   "cbrt",                   1, 1, libm, smooth, zeros,  sfu,    rises | scales | odd},
    {F::tanh,                   "tanh",                   1, 1, libm, smooth, smooth, sfu,    rises | poles | odd},
    {F::tan,                    "tan",                    1, 1, libm, smooth, smooth, sfu,    part | odd},
    {F::sine,                   "sine",                   1, 1, libm, smooth, smooth, sfu,    odd},
    {F::cosine,                 "cosine",                 1, 1, libm, smooth, smooth, sfu,    0},
    {F::floor,                  "floor",                  1, 1, none, jumps,  zeros,  vector, rises},
    {F::ceil,                   "ceil",                   1, 1, none, jumps,  zeros,  vector, rises},
    {F::round_nearest_afz,      "round_nearest_afz",      1, 1, none, jumps,  zeros,  vector, rises},
    {F::round_nearest_even,     "round_nearest_even",     1, 1, none, jumps,  zeros,  vector, rises},
    {F::popcnt,                 "popcnt",                 1, 1, none, smooth, zeros,  vector, 0},
    {F::count_leading_zeros,    "count_leading_zeros",    1, 1, none, smooth, zeros,  vector, 0},
    {F::is_finite,              "is_finite",              1, 0, none, jumps,  jumps,  vector, bits},
    {F::is_inf,                 "is_inf",                 1, 0, none, jumps,  zeros,  vector, bits},
    {F::is_pos_inf,             "is_pos_inf",             1, 0, none, jumps,  zeros,  vector, bits},
    {F::is_neg_inf,             "is_neg_inf",             1, 0, none, jumps,  zeros,  vector, bits},
    {F::erf,                    "erf",                    1, 1, libm, smooth, zeros,  sfu,    rises | odd},
    {F::erfc,                   "erfc",                   1, 1, libm, smooth, zeros,  sfu,    falls},
    {F::erf_inv,                "erf_inv",                1, 1, libm, smooth, zeros,  sfu,    rises | part | odd},
    {F::lgamma,                 "lgamma",                 1, 1, libm, smooth, zeros,  sfu,    part},
    {F::digamma,                "digamma",                1, 1, libm, smooth, zeros,  sfu,    part},
    {F::polygamma,              "polygamma",              2, 1, libm, smooth, zeros,  sfu,    part},
    {F::zeta,                   "zeta",                   2, 1, libm, smooth, zeros,  sfu,    part},
    {F::bessel_i1e,             "bessel_i1e",             1, 1, libm, smooth, zeros,  sfu,    0},
    {F::acos,                   "acos",                   1, 1, libm, smooth, zeros,  sfu,    falls | part},
    {F::acosh,                  "acosh",                  1, 1, libm, smooth, zeros,  sfu,    rises | part},
    {F::asin,                   "asin",                   1, 1, libm, smooth, zeros,  sfu,    rises | part | odd},
    {F::asinh,                  "asinh",                  1, 1, libm, smooth, zeros,  sfu,    rises | odd},
    {F::atan,                   "atan",                   1, 1, libm, smooth, zeros,  sfu,    rises | poles | odd},
    {F::atanh,                  "atanh",                  1, 1, libm, smooth, zeros,  sfu,    rises | part | odd},
    {F::cosh,                   "cosh",                   1, 1, libm, smooth, smooth, sfu,    0},
    {F::sinh,                   "sinh",                   1, 1, libm, smooth, smooth, sfu,    rises | odd},
    {F::next_after,             "next_after",             2, 1, once, jumps,  zeros,  vector, bits},
    {F::real,                   "real",                   1, 0, none, smooth, smooth, free,   0},
    {F::imag,                   "imag",                   1, 0, none, smooth, smooth, free,   0},
    {F::conj,                   "conj",                   1, 0, none, smooth, smooth, free,   0},
    {F::complex,                "complex",                2, 0, none, smooth, zeros,  free,   0},
    {F::compare_eq,             "compare_eq",             2, 0, none, jumps,  jumps,  vector, 0},
    {F::compare_ne,             "compare_ne",             2, 0, none, jumps,  jumps,  vector, 0},
    {F::compare_lt,             "compare_lt",             2, 0, none, jumps,  jumps,  vector, 0},
    {F::compare_le,             "compare_le",             2, 0, none, jumps,  jumps,  vector, 0},
    {F::compare_gt,             "compare_gt",             2, 0, none, jumps,  jumps,  vector, 0},
    {F::compare_ge,             "compare_ge",             2, 0, none, jumps,  jumps,  vector, 0},
    {F::order_key,              "order_key",              1, 0, none, jumps,  zeros,  vector, bits},
    {F::select,                 "select",                 3, 0, none, smooth, smooth, vector, 0},
    {F::convert,                "convert",                1, 0, once, smooth, smooth, free,   0},
    {F::bitcast,                "bitcast",                1, 0, none, jumps,  zeros,  free,   bits},
    {F::reduce_precision,       "reduce_precision",       3, 0, once, smooth, zeros,  vector, bits},
  });
  // clang-format on
}();
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
  static const auto table = [] {
    std::array<RealLaws, std::size(kFnRows)> out;
    for (const FnRow& r : kFnRows) {
      out[static_cast<std::size_t>(r.fn)] = {r.has(FnRow::rises)   ? RealLaws::Order::rises
                                             : r.has(FnRow::falls) ? RealLaws::Order::falls
                                                                   : RealLaws::Order::none,
                                             r.has(FnRow::part) ? RealLaws::Domain::part : RealLaws::Domain::everywhere,
                                             r.has(FnRow::scales), r.has(FnRow::odd), r.has(FnRow::positive)};
    }
    return out;
  }();
  return table[static_cast<std::size_t>(fn)];
}

bool looks_at_bits(ScalarFn fn) { return row(fn).has(FnRow::bits); }
bool has_complex_poles(ScalarFn fn) { return row(fn).has(FnRow::poles); }
Rounding rounding_of(ScalarFn fn) { return row(fn).rounding; }
ComputeUnit unit_of(ScalarFn fn) { return row(fn).unit; }

Continuity continuity_of(ScalarFn fn, ElementType in, ElementType out) {
  if (is_complex(in)) return row(fn).on_complex;
  if (!is_float(in)) return Continuity::continuous;
  const bool to_number = is_float(out) || is_complex(out);
  return fn == ScalarFn::convert && !to_number ? Continuity::jumps : row(fn).on_reals;
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
