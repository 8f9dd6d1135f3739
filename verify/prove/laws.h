// The laws that the prover's steps use, as data: which equation, for which types of numbers, under which premises.
//
// A step calls Context::may(law, type) before it applies a law. So a law cannot be applied to a type it does not
// declare, and the scope of a proof (bit-exact or over the reals) is the union of what the laws it applied state.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/types.h"

namespace partir::prove {

/// proofs_notes/steps.md argues for each law; tests/claims/premises.tmr has a false claim for each premise.
enum class Law : std::uint8_t {
  ring_sum,
  ring_product,
  sum_over_ranges,
  product_over_ranges,
  order_as_set,
  addend_of_extremum,
  scale_of_extremum,
  positive_factor_of_extremum,
  negated_extremum,
  lattice_distribution,
  rising_function,
  exponential_of_sum,
  logarithm_of_product,
  multiplicative_function,
  reciprocal_of_product,
  additive_narrowing,
  additive_parts,
  linear_library,
  widening_of_extremum,
  widening_is_identity,
  conversion_of_truths,
  conversion_of_guarded,
  exact_index,
  sum_of_indices,
  comparison_of_extremum,
  complement_of_bits,
  bitcast_back,
  division_by_reciprocal,
  fold_of_folds,
  initial_elements,
  top_of_tops,
  lowest_elements,
  selected_place,
};
inline constexpr auto kLastLaw = Law::selected_place;

/// Kinds of element types, as bits of a set.
namespace types {
inline constexpr unsigned kIntegers = 1;  ///< signed and unsigned integers of 2 to 64 bits, which wrap
inline constexpr unsigned kBooleans = 2;
inline constexpr unsigned kFloats = 4;
inline constexpr unsigned kComplex = 8;
inline constexpr unsigned kIndices = 16;  ///< sizes, indices and conditions (0 or 1): integers that never wrap
}  // namespace types

unsigned kind_of(ElementType type);

struct LawRow {
  Law law;
  std::string_view name;   ///< "addend-of-extremum"
  std::string_view left;   ///< "max(a + b, a + c)"
  std::string_view right;  ///< "a + max(b, c)"
  unsigned types;          ///< kinds of types for which the law holds
  /// Those of `types` for which it is bit-exact (for floats: except for which NaN results); for the others it holds
  /// over the reals.
  unsigned exactly;
  /// Premises, by name. For each there is a claim "law--premise" in tests/claims/premises.tmr, which would be proved
  /// wrongly if the premise were not checked.
  std::vector<std::string_view> premises;
};

const LawRow& row_of(Law law);
/// True if "finite" is among the premises: the law does not hold for infinities and NaN (finite.h).
bool is_of_finite(Law law);

/// How a proof interprets floats.
enum class Arithmetic : std::uint8_t {
  every_bit,  ///< every bit counts, including which NaN it is: what bitcasts see
  bits,       ///< bit-exact, -0.0, NaN and rounding included, but all NaNs are the same
  reals,      ///< as real numbers
};

}  // namespace partir::prove
