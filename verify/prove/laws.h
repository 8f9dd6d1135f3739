// The laws that the prover's steps use, as data: what is equal, of which types of numbers, and what it needs.
//
// A step asks Context::may(law, type) before it takes a law. So a law without declared types cannot be taken, and the
// scope of a proof is the union of what its laws say.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/types.h"

namespace partir::prove {

/// proofs_notes/steps.md argues for each; tests/claims/premises.tmr has a false claim for each premise.
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
  exact_index,
  sum_of_indices,
  comparison_of_extremum,
  complement_of_bits,
  bitcast_back,
  division_by_reciprocal,
  fold_of_folds,
  top_of_tops,
};
inline constexpr auto kLastLaw = Law::top_of_tops;

/// Kinds of element types, as sets.
namespace types {
inline constexpr unsigned kIntegers = 1;  ///< that wrap: signed and unsigned, 2 to 64 bits
inline constexpr unsigned kBooleans = 2;
inline constexpr unsigned kFloats = 4;
inline constexpr unsigned kComplex = 8;
inline constexpr unsigned kIndices = 16;  ///< sizes and positions, 0 and 1 of conditions: integers that never wrap
}  // namespace types

unsigned kind_of(ElementType type);

struct LawRow {
  Law law;
  std::string_view name;   ///< "addend-of-extremum"
  std::string_view left;   ///< "max(a + b, a + c)"
  std::string_view right;  ///< "a + max(b, c)"
  unsigned types;          ///< of which it holds at all
  unsigned exactly;  ///< of these bit by bit (of floats: but for which NaN it is); of the other ones over the reals
  /// What it needs, each by a name: without it there is a claim, "law--premise" in tests/claims/premises.tmr, that
  /// would be proved.
  std::vector<std::string_view> premises;
};

const LawRow& row_of(Law law);
/// Whether "finite" is among the premises: the law is false of infinities and NaN (finite.h).
bool is_of_finite(Law law);

/// How a proof reads floats.
enum class Arithmetic : std::uint8_t {
  every_bit,  ///< as they are, also which NaN it is: what bitcasts see
  bits,       ///< as they are: -0.0, NaN and rounding included; a NaN is a NaN
  reals,      ///< as real numbers
};

}  // namespace partir::prove
