// The continuity and totality of operations on floats. A proof over the reals ignores rounding and the sign of zero; at
// a discontinuity these decide the result, so verdicts name the discontinuous operations that read reassociated values.
//
// A sum computed in another order differs by rounding, and may be -0.0 instead of +0.0. A continuous function turns
// that into a difference of comparable size. Other functions do not: floor of 2.9999998 and of 3.0 differ by 1,
// atan2(-0.0, -1) is -pi and atan2(+0.0, -1) is pi.
#pragma once

#include "ir/meaning.h"
#include "ir/scalar_fn.h"
#include "ir/types.h"

namespace partir {

/// The maximum of continuity_of (ir/scalar_fn.h) over all functions that the meaning of an operation applies, including
/// its regions and library functions: sort and top_k are discontinuous where two keys are equal.
Continuity continuity_of(const Meaning& meaning);

/// True if the function is defined for all real or complex numbers. If a device applies a partial function that the
/// source program does not apply, the prover must show that it is defined there.
bool is_total(ScalarFn fn, ElementType in);
/// True if a library function (named as in ScalarTerm::library) is defined for all arrays of numbers.
bool is_total_library(std::string_view library);

}  // namespace partir
