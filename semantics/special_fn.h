// Scalar functions on doubles and complex doubles; results are rounded by who calls.
#pragma once

#include <complex>

#include "ir/scalar_fn.h"

namespace partir {

/// A function from reals to a real; `b` counts where there are two arguments.
double real_fn(ScalarFn fn, double a, double b);
/// A function from complex numbers to a complex number (abs included: its imaginary part is 0).
std::complex<double> complex_fn(ScalarFn fn, std::complex<double> a, std::complex<double> b);

}  // namespace partir
