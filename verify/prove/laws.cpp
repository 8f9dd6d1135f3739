// The table of laws (laws.h), in the order of the enumeration Law. `partir prove --laws` prints it.
#include "verify/prove/laws.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace partir::prove {
namespace {

using namespace types;

constexpr unsigned kReals = kFloats | kComplex;
constexpr unsigned kRing = kIntegers | kIndices | kReals;
constexpr unsigned kWrap = kIntegers | kIndices;
constexpr unsigned kOrdered = kIntegers | kBooleans | kFloats;
constexpr unsigned kAll = kIntegers | kBooleans | kIndices | kReals;

// clang-format off
const LawRow kRows[] = {
    {Law::ring_sum, "ring-sum", "a + b", "b + a, and so for any grouping", kRing, kWrap, {"not-bits", "finite", "same-type"}},
    {Law::ring_product, "ring-product", "a * (b + c)", "a * b + a * c", kRing, kWrap, {"not-bits", "finite", "same-type"}},
    {Law::sum_over_ranges, "sum-over-ranges", "sum k < n * c: f(k)", "sum r < n: sum l < c: f(r * c + l)", kRing, kWrap, {"not-bits", "not-booleans"}},
    {Law::product_over_ranges, "product-over-ranges", "prod k < n * c: f(k)", "prod r < n: prod l < c: f(r * c + l)", kRing, kWrap, {"not-bits", "finite"}},
    {Law::order_as_set, "order-as-set", "max(a, max(b, a))", "max(a, b)", kAll, kAll & ~kComplex, {"idempotent", "not-every-bit"}},
    {Law::addend_of_extremum, "addend-of-extremum", "max(a + b, a + c)", "a + max(b, c)", kFloats | kIndices, kIndices, {"no-wrap", "in-all-members"}},
    {Law::scale_of_extremum, "scale-of-extremum", "max(2 * a, 2 * b)", "2 * max(a, b)", kFloats | kIndices, kIndices, {"no-wrap", "positive"}},
    {Law::positive_factor_of_extremum, "positive-factor-of-extremum", "max(exp(a) * b, exp(a) * c)", "exp(a) * max(b, c)", kFloats, 0, {"no-complex", "positive"}},
    {Law::negated_extremum, "negated-extremum", "- max(a, b)", "min(- a, - b)", kFloats | kIndices, kIndices, {"no-wrap", "no-unsigned"}},
    {Law::lattice_distribution, "lattice-distribution", "min(max(a, b), c)", "max(min(a, c), min(b, c))", kAll, kAll & ~kComplex, {"of-a-lattice"}},
    {Law::rising_function, "rising-function", "f(max(a, b)) for f that rises", "max(f(a), f(b))", kFloats, 0, {"no-complex", "rises", "defined", "not-empty"}},
    {Law::exponential_of_sum, "exponential-of-sum", "exp(a + b)", "exp(a) * exp(b)", kReals, 0, {"not-bits", "of-a-sum"}},
    {Law::logarithm_of_product, "logarithm-of-product", "log(prod k: a(k))", "sum k: log(a(k))", kFloats, 0, {"no-complex", "defined"}},
    {Law::multiplicative_function, "multiplicative-function", "abs(prod k: a(k))", "prod k: abs(a(k))", kFloats, 0, {"no-wrap", "multiplicative"}},
    {Law::reciprocal_of_product, "reciprocal-of-product", "1 / (a * b)", "1 / a * 1 / b", kReals, 0, {"no-integers"}},
    {Law::additive_narrowing, "additive-narrowing", "narrow(a + b)", "narrow(a) + narrow(b)", kIntegers, kIntegers, {"not-wider", "integers"}},
    {Law::additive_parts, "additive-parts", "real(a + b)", "real(a) + real(b)", kComplex, 0, {"linear"}},
    {Law::linear_library, "linear-library", "fft(a + b)", "fft(a) + fft(b)", kReals, 0, {"linear"}},
    {Law::widening_of_extremum, "widening-of-extremum", "wide(max(a, b))", "max(wide(a), wide(b))", kIntegers | kFloats, kIntegers | kFloats, {"order-kept", "not-empty"}},
    {Law::widening_is_identity, "widening-is-identity", "f64(a)", "a", kFloats, 0, {"holds-every-value", "not-bits", "not-computed"}},
    {Law::conversion_of_truths, "conversion-of-truths", "number(a or b)", "max(number(a), number(b))", kAll, kAll, {"not-empty"}},
    {Law::conversion_of_guarded, "conversion-of-guarded", "number(c * a) for a condition c", "c * number(a)", kIntegers, kIntegers, {"one-term"}},
    {Law::exact_index, "exact-index", "integer(i) as an index", "i", kIntegers, kIntegers, {"no-wrap", "size-fits"}},
    {Law::sum_of_indices, "sum-of-indices", "number(i) + number(j)", "number(i + j)", kRing, kWrap, {"not-rounded", "same-type"}},
    {Law::comparison_of_extremum, "comparison-of-extremum", "max(a, b) > c", "a > c or b > c", kIntegers | kFloats | kIndices, kIntegers | kIndices, {"direction"}},
    {Law::complement_of_bits, "complement-of-bits", "not (a and b)", "not a or not b", kBooleans | kIntegers, kBooleans | kIntegers, {"dual"}},
    {Law::bitcast_back, "bitcast-back", "bitcast(bitcast(a))", "a", kAll, kAll, {"first-type"}},
    {Law::division_by_reciprocal, "division-by-reciprocal", "a / b", "a * (1 / b)", kReals, 0, {"no-integers", "not-bits", "finite"}},
    {Law::fold_of_folds, "fold-of-folds", "fold k < n * c: f(k)", "fold r < n: fold l < c: f(r * c + l)", kOrdered, kOrdered, {"associative", "initial-again", "in-order"}},
    {Law::initial_elements, "initial-elements", "fold k < n: f(k), where f(k) is the initial value from m on", "fold k < m: f(k)", kOrdered, kOrdered, {"associative", "initial-again", "initial"}},
    {Law::top_of_tops, "top-of-tops", "top k of x", "top k of the top k of each block", kOrdered, kOrdered, {"as-many", "in-order", "one-array"}},
    {Law::lowest_elements, "lowest-elements", "top k of x, where x is least from m on", "top k of the first m of x", kOrdered, kOrdered, {"as-many", "least"}},
    {Law::selected_place, "selected-place", "k is the place of the first greatest of x", "x(k) > x(j) for j < k, and x(k) >= x(j) for j > k", kIntegers | kFloats, kIntegers, {"finite", "an-order", "inside", "least", "in-order"}},
};
// clang-format on
static_assert(std::size(kRows) == static_cast<std::size_t>(kLastLaw) + 1, "a law without its row");

}  // namespace

unsigned kind_of(ElementType type) {
  if (type == ElementType::i1) return kBooleans;
  if (type == ElementType::index) return kIndices;
  if (is_integer(type)) return kIntegers;
  if (is_float(type)) return kFloats;
  return is_complex(type) ? kComplex : 0;
}

const LawRow& row_of(Law law) { return kRows[static_cast<std::size_t>(law)]; }

bool is_of_finite(Law law) {
  static const auto table = [] {
    std::array<bool, std::size(kRows)> out{};
    for (const LawRow& row : kRows)
      out[static_cast<std::size_t>(row.law)] =
          std::find(row.premises.begin(), row.premises.end(), "finite") != row.premises.end();
    return out;
  }();
  return table[static_cast<std::size_t>(law)];
}

}  // namespace partir::prove
