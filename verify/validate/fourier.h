// Fourier transforms in evaluation: sums of multiples by roots of unity.
#pragma once

#include <optional>
#include <vector>

#include "verify/validate/library.h"

namespace partir::validate {

/// The results of FFT, IFFT, RFFT and IRFFT over one or more dimensions. The roots of unity are unknown numbers, so that
/// the transform is linear, transforms along different dimensions commute, and that of real numbers is part of that of
/// complex ones. Nothing for other functions, for long dimensions, and in the evaluation by bits.
std::optional<std::vector<Element>> fourier_transform(const LibraryCall& call, Algebra& algebra);

}  // namespace partir::validate
