// A proof as a list of what was done, each a rule's name and what it made of what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/replay/term.h"

namespace partir::replay {

/// What a step may do; proofs_notes/steps.md says why each keeps the value.
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
  top_of_tops,
};
inline constexpr auto kLastRule = Rule::top_of_tops;

std::string_view name_of(Rule rule);  ///< "fold-form"

/// Says: for all sizes, indices in their ranges and arrays, `before` equals `after`.
struct Step {
  Rule rule;
  TermId before;
  TermId after;
};

/// An element of both sides of a claim: what the program has there, and the forms that the steps led to.
struct End {
  TermId left;
  TermId right;
  std::size_t result = 0;
  std::vector<TermId> at;  ///< the element's indices in the left side's result
};

struct Proof {
  Terms terms;
  std::vector<Step> steps;
  std::vector<End> ends;
};

}  // namespace partir::replay
