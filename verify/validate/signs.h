// Which values of a program are positive, or not negative, whatever the inputs: what makes |x| x, and a divisor no
// zero.
#pragma once

#include <vector>

#include "ir/program.h"

namespace partir::validate {

enum class Sign : std::uint8_t { any, not_negative, positive };

/// Of the results of an operation (all have the same), given those of its operands. Floats are reals; of integers,
/// which wrap, nothing is said.
Sign sign_of_results(const Function& function, const Op& op, const std::vector<Sign>& operands);

}  // namespace partir::validate
