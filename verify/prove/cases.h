// Combinations as sets of members: what a choice inside a member says is a condition under which it counts.
#pragma once

#include <optional>
#include <vector>

#include "verify/prove/expr_detail.h"

namespace partir::prove {

/// The members of a combination other than a sum, each as a term of its ranges, its conditions as guards, and what it
/// is, without choices by guards and without those that are the identity:
///
///   max k < n : (k >= 1 ? x[k] : -inf)   is   x[k] over k < n where k - 1 >= 0.
///
/// Where no member counts, the combination is the identity. Nothing where there are too many cases.
std::optional<std::vector<Term>> cases_of(Monoid monoid, const Expr& e, Context& c);

}  // namespace partir::prove
