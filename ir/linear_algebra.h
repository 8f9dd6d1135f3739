// Custom calls of libraries of linear algebra, such as LAPACK: the only ones whose meaning is known by their name. Each
// is a function of its matrices, batch by batch, so that it can be tiled along its batch dimensions.
#pragma once

#include <string_view>

#include "ir/op_decl.h"
#include "ir/program.h"

namespace partir {

/// The first word of the library function (ScalarTerm::library) that stands for such a call; the second is its target.
inline constexpr std::string_view kLinearAlgebra = "linear_algebra";

/// Whether the operation is a custom_call that jaxlib creates for LAPACK or for the solvers of CUDA and ROCm, without
/// side effects. Such a call is a function of its operands, which are batches of matrices: all but the last two
/// dimensions of operand 0 are batch dimensions, and lead in all operands and results.
bool calls_linear_algebra(const Op& op);

/// The declaration of `op` as an operation with that meaning and an entry for each batch dimension; null unless it
/// calls linear algebra on arrays whose leading dimensions agree and are outermost in memory. It has the name of a
/// custom_call.
const OpDecl* linear_algebra_decl(const Function& function, const Op& op);

}  // namespace partir
