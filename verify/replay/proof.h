// A proof as the replayer reads it: a list of steps, each with the name of its rule and the terms before and after. The
// prover writes it (verify/prove/record.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/replay/term.h"

namespace partir::replay {

/// The rules that a step may apply. proofs_notes/steps.md argues why each preserves the value.
enum class Rule : std::uint8_t {
  quotient,
  sign,
  lesser,
  greater,
  integer_read,
  substitution,
  simplification,
  distribution,
  cut,
  splitting,
  guard_independence,
  guard_regions,
  fold_form,
  fold_union,
  choice,
  reciprocal,
  negation,
  difference,
  linearity,
  function_over_fold,
  conversion_over_fold,
  comparison_over_fold,
  comparison_of_indices,
  truth,
  bounded_index,
  block,
  not_over_fold,
  bitcast_back,
  fold_of_folds,
  initial_elements,
  top_of_tops,
  lowest_elements,
  selected_place,
};
inline constexpr auto kLastRule = Rule::selected_place;

std::string_view name_of(Rule rule);  ///< such as "fold-form"

/// States that `before` equals `after` for all sizes, indices in their ranges and arrays.
struct Step {
  Rule rule;
  TermId before;
  TermId after;
};

/// The end of the proof for one element of a result: the canonical forms of both sides of the claim.
struct End {
  TermId left;
  TermId right;
  std::size_t result = 0;
  std::vector<TermId> at;  ///< indices of the element in the left side's result
};

struct Proof {
  Terms terms;
  std::vector<Step> steps;
  std::vector<End> ends;
};

}  // namespace partir::replay
