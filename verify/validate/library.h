// Library functions of arrays (sort, fft, LAPACK, ...) in evaluation: their results are unknowns identified by the
// function, its variant and all of its operands' elements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "verify/validate/algebra.h"

namespace partir::validate {

/// A call for one result, on one batch.
struct LibraryCall {
  std::string name;                     ///< including its variant and comparator
  std::size_t result = 0;               ///< which of its results
  ElementType type = ElementType::f32;  ///< of the result
  std::vector<std::int64_t> dims;       ///< of the result
  std::vector<ElementType> types;       ///< of the arrays
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<std::vector<Element>> arrays;
  std::optional<std::size_t>
      linear{};  ///< the array in which the function is linear: it does not affect whether it is defined
  /// For a sort by the first array, in the order of real numbers: whether it descends. Equal keys keep their order.
  std::optional<bool> descends{};
};

/// Returns the elements of the result, in row-major order.
std::vector<Element> call_library(const LibraryCall& call, Algebra& algebra);

}  // namespace partir::validate
