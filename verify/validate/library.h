// Library functions of whole arrays (sort, fft, …): unknowns of everything they take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "verify/validate/algebra.h"

namespace partir::validate {

struct LibraryCall {
  std::string name;  ///< with what selects its variant, and its comparator
  std::size_t result = 0;
  ElementType type = ElementType::f32;  ///< of the result
  std::vector<std::int64_t> dims;       ///< of the result
  std::vector<ElementType> types;       ///< of the arrays
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<std::vector<Element>> arrays;
  std::optional<std::size_t>
      linear{};  ///< the array in which it is linear, so that this decides not whether it is defined
};

/// Whether a custom_call is a function of its operands that jaxlib declares for batches of matrices: LAPACK's, and the
/// like on GPUs, without side effects. All leading dimensions but the last two of operand 0 are batches, in all values.
bool calls_linear_algebra(const Op& op);

/// The elements of the result, row-major.
std::vector<Element> call_library(const LibraryCall& call, Algebra& algebra);

}  // namespace partir::validate
