// The continuity and totality of functions of floats. A proof over the reals ignores rounding and the sign of zero; at
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

/// Ordered by the strength of a proof over the reals: the larger the value, the weaker the guarantee.
enum class Continuity : std::uint8_t {
  continuous,    ///< on its domain; includes rounding to a narrower float, which has an error of its own
  jumps,         ///< at some real number: comparisons, floor, sign, conversions to integers, powers of negative numbers
  signed_zeros,  ///< distinguishes -0.0 from +0.0, which are one real number: atan2, complex functions on branch cuts
};

/// The continuity of a function from operands of type `in` to `out`. Functions of other types than floats are
/// continuous.
Continuity continuity_of(ScalarFn fn, ElementType in, ElementType out);
/// The maximum over all functions that the meaning of an operation applies, including its regions and library
/// functions: sort and top_k are discontinuous where two keys are equal.
Continuity continuity_of(const Meaning& meaning);

/// True if the function is defined for all real or complex numbers. If a device applies a partial function that the
/// source program does not apply, the prover must show that it is defined there.
bool is_total(ScalarFn fn, ElementType in);
/// True if a library function (named as in ScalarTerm::library) is defined for all arrays of numbers.
bool is_total_library(std::string_view library);

}  // namespace partir
