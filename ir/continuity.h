// Where functions of floats have a value, and where that jumps, so that what real arithmetic does not see of a number
// decides what they give.
//
// A sum in another order differs by rounding, and may be -0.0 where the other is +0.0. A continuous function passes
// that on as a difference of its size. Others do not: floor of 2.9999998 and of 3.0 differ by 1, atan2(-0.0, -1) is -pi
// and atan2(+0.0, -1) is pi.
#pragma once

#include "ir/meaning.h"
#include "ir/scalar_fn.h"
#include "ir/types.h"

namespace partir {

/// In the order of what a proof over the reals may still say: a larger one less.
enum class Continuity : std::uint8_t {
  continuous,    ///< throughout its domain; rounding to a narrower float counts as that, with an error of its own
  jumps,         ///< at some real number: comparisons, floor, sign, conversions to integers, powers of negative numbers
  signed_zeros,  ///< tells -0.0 from +0.0, which are one real number: atan2, complex functions along branch cuts
};

/// Of a function of operands of type `in`, giving `out`. What is not about floats is continuous.
Continuity continuity_of(ScalarFn fn, ElementType in, ElementType out);
/// The greatest of all functions that an operation's meaning applies, its regions and library functions included: sorts
/// and top_k jump where two keys change places.
Continuity continuity_of(const Meaning& meaning);

/// Whether the function has a value of all real or complex numbers. What a device applies another function to must be
/// shown to have one.
bool is_total(ScalarFn fn, ElementType in);
/// Whether a library function has a value of all arrays of numbers (ScalarTerm::library names it).
bool is_total_library(std::string_view library);

}  // namespace partir
