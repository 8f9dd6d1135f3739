// Splits a monoid fold into its members by case analysis: a choice inside a member becomes a condition under which the
// member contributes. Used by same_by_regions.cpp to compare two folds member by member.
#pragma once

#include <optional>
#include <vector>

#include "verify/prove/expr_detail.h"

namespace partir::prove {

/// Returns the members of a fold by a monoid other than sum. Each is a term: its ranges, its conditions as guards, and
/// its value as the remaining factors, in which no choice by a guard is left. Members that equal the monoid's identity
/// are omitted:
///
///   max k < n : (k >= 1 ? x[k] : -inf)   is   x[k] over k < n where k - 1 >= 0.
///
/// At points where no member contributes, the fold equals the identity. Returns nothing if there are too many cases.
std::optional<std::vector<Term>> cases_of(Monoid monoid, const Expr& e, Context& c);

}  // namespace partir::prove
