// Integers that are computed of indices, as index terms: run-time offsets, masks, what tells a device's part from the
// others'.
#pragma once

#include <optional>
#include <vector>

#include "ir/scalar_fn.h"
#include "verify/prove/expr.h"

namespace partir::prove {

/// The integer that an expression of an integer type is, as an index. Integers wrap, so a sum is only taken where it is
/// known to be a number of the type: by its bounds, or because it lies between -s and s for a size s of the program,
/// and sizes are numbers of 32 bits with a sign (noted as Context::used_sizes). What is not computed of indices is a
/// term of its own.
Poly integer(const Expr& e, const std::vector<Poly>& sizes, Context& c);

/// The index that an integer was made of, where it is such a number alone and does not wrap.
std::optional<Poly> index_of(const Expr& e, const std::vector<Poly>& sizes, Context& c);

/// 1 where a comparison of two integers holds, else 0, when one of them is computed of an index.
std::optional<Expr> compared_indices(ScalarFn fn, const Expr& a, const Expr& b, const std::vector<Poly>& sizes,
                                     Context& c);

/// Of a boolean that is made of truths: 1 where it is true, else 0. Nothing of others.
std::optional<Expr> number_of_truth(const Expr& e, Context& c);
/// Of a boolean: 1 where it is true, else 0.
Expr indicator(const Expr& e, Context& c);
/// A boolean of what is 1 or 0.
Expr truth(const Expr& e, Context& c);

}  // namespace partir::prove
