// Custom calls of libraries of linear algebra, such as LAPACK: the only ones whose meaning is known by their name.
#pragma once

#include "ir/program.h"

namespace partir {

/// Whether the operation is a custom_call that jaxlib creates for LAPACK or for the solvers of CUDA and ROCm, without
/// side effects. Such a call is a function of its operands, which are batches of matrices: all but the last two
/// dimensions of operand 0 are batch dimensions, and lead in all operands and results.
bool calls_linear_algebra(const Op& op);

}  // namespace partir
