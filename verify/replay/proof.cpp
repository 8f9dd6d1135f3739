#include "verify/replay/proof.h"

namespace partir::replay {

std::string_view name_of(Rule rule) {
  switch (rule) {
    case Rule::quotient: return "quotient";
    case Rule::sign: return "sign";
    case Rule::lesser: return "lesser";
    case Rule::greater: return "greater";
    case Rule::integer_read: return "integer-read";
    case Rule::substitution: return "substitution";
    case Rule::simplification: return "simplification";
    case Rule::distribution: return "distribution";
    case Rule::cut: return "cut";
    case Rule::splitting: return "splitting";
    case Rule::guard_independence: return "guard-independence";
    case Rule::guard_regions: return "guard-regions";
    case Rule::fold_form: return "fold-form";
    case Rule::fold_union: return "fold-union";
    case Rule::choice: return "choice";
    case Rule::reciprocal: return "reciprocal";
    case Rule::negation: return "negation";
    case Rule::difference: return "difference";
    case Rule::linearity: return "linearity";
    case Rule::function_over_fold: return "function-over-fold";
    case Rule::conversion_over_fold: return "conversion-over-fold";
    case Rule::comparison_over_fold: return "comparison-over-fold";
    case Rule::comparison_of_indices: return "comparison-of-indices";
    case Rule::truth: return "truth";
    case Rule::bounded_index: return "bounded-index";
    case Rule::block: return "block";
    case Rule::not_over_fold: return "not-over-fold";
    case Rule::bitcast_back: return "bitcast-back";
    case Rule::selected_place: return "selected-place";
    case Rule::fold_of_folds: return "fold-of-folds";
    case Rule::initial_elements: return "initial-elements";
    case Rule::top_of_tops: return "top-of-tops";
    case Rule::lowest_elements: return "lowest-elements";
  }
  return "";
}

}  // namespace partir::replay
