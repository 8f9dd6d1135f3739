// Recovers index terms from integers that a program computes from indices: run-time offsets, masks, and other
// arithmetic by which a device selects its part.
#pragma once

#include <optional>
#include <vector>

#include "ir/scalar_fn.h"
#include "verify/prove/expr.h"

namespace partir::prove {

/// Returns an expression of an integer type as an index term. Integers wrap, so a sum is only converted if it is known
/// to be representable in the type: by its bounds, or because it lies between -s and s for a dimension s of the
/// program, since dimensions are below 2^31 (recorded in Context::used_sizes). An integer that is not computed from
/// indices becomes an atom of its own.
Poly integer(const Expr& e, const std::vector<Poly>& sizes, Context& c);

/// Returns the index from which an integer was made, if the expression is a single such number that does not wrap.
std::optional<Poly> index_of(const Expr& e, const std::vector<Poly>& sizes, Context& c);

/// Returns a comparison of two integers as a condition (1 where it holds, else 0), if one of them is computed from an
/// index or both are constants.
std::optional<Expr> compared_indices(ScalarFn fn, const Expr& a, const Expr& b, const std::vector<Poly>& sizes,
                                     Context& c);

/// Returns a boolean as a condition (1 where it is true, else 0) if it is made of conditions; nothing for other
/// booleans.
std::optional<Expr> number_of_truth(const Expr& e, Context& c);
/// Returns a boolean as a condition: 1 where it is true, else 0.
Expr indicator(const Expr& e, Context& c);
/// Returns the boolean that is true where the condition is 1.
Expr truth(const Expr& e, Context& c);

}  // namespace partir::prove
