// Scalar functions on doubles and complex doubles; the callers round the results to the element type.
#pragma once

#include <complex>

#include "ir/scalar_fn.h"

namespace partir {

/// Applies a real function; `b` is used by functions of two arguments only.
double real_fn(ScalarFn fn, double a, double b);
/// Applies a complex function; the result of abs has the imaginary part 0.
std::complex<double> complex_fn(ScalarFn fn, std::complex<double> a, std::complex<double> b);

}  // namespace partir
