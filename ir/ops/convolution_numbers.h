// The dimension numbers of a convolution, parsed from its attribute dimension_numbers. Used by the declaration of
// convolution and by its decompositions.
#pragma once

#include <optional>
#include <vector>

#include "ir/op_decl.h"

namespace partir::ops {

/// The dimension numbers of one tensor, such as "[b, 0, 1, f]". Not checked against the tensor's rank.
struct ConvolutionSide {
  Dim first = 0;             ///< b; for the kernel, i
  Dim second = 0;            ///< f; for the kernel, o
  std::vector<Dim> spatial;  ///< element k is the dimension with spatial number k

  /// True if the dimensions are distinct and below the rank.
  [[nodiscard]] bool is_within(std::size_t rank) const;
};

struct ConvolutionNumbers {
  ConvolutionSide lhs;
  ConvolutionSide rhs;
  ConvolutionSide out;
};

/// Parses dimension_numbers, which is "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>" or
/// "#stablehlo.conv<raw input_batch_dimension = 0, …>". Returns nothing if it is neither.
std::optional<ConvolutionNumbers> convolution_numbers(const OpInstance& op);

}  // namespace partir::ops
