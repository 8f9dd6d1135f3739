// Which values of a program are positive, or not negative, for all inputs. Then |x| is x, and a positive divisor is not
// zero. Signs of single elements are in element_signs.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace partir::validate {

enum class Sign : std::uint8_t { any, not_negative, positive };

/// Identifies an accuracy that the program asks of an operation: within it, the machine chooses the result, which may
/// then be zero where the exact one is positive. Nothing for the default.
std::optional<std::string> accuracy_of(const Op& op);

/// The sign of an operation's single result, given those of its operands, with floats as real numbers. `any` for
/// integers, which wrap, and for operations with several results.
Sign sign_of_results(const Function& function, const Op& op, const std::vector<Sign>& operands);

}  // namespace partir::validate
