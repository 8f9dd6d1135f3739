// Evaluates the meaning of an operation over elements. Whatever index notation says is evaluated, whichever operation
// it is of; indices that depend on data are case distinctions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/meaning.h"
#include "verify/validate/algebra.h"
#include "verify/validate/array.h"

namespace partir::validate {

/// What an evaluation cannot say; the verdict is then unknown.
struct Unknown {
  std::string reason;
};

/// An operation made ready for evaluation on any device.
struct Kernel {
  Meaning meaning;
  std::vector<Type> operands;
  std::vector<Type> results;
  LiteralPtr value;              ///< the dense attribute "value"
  std::vector<bool> reads_data;  ///< by index term: whether it depends on what is read
};
Kernel kernel_of(Meaning meaning, std::vector<Type> operands, std::vector<Type> results, LiteralPtr value);

/// Throws Unknown.
std::vector<ArrayPtr> evaluate(const Kernel& kernel, const std::vector<ArrayPtr>& operands, Algebra& algebra);

}  // namespace partir::validate
