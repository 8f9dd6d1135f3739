// The dimension numbers of convolution.
#pragma once

#include <optional>
#include <vector>

#include "ir/op_decl.h"

namespace partir::ops {

/// One tensor's: "[b, 0, 1, f]". Not checked against its rank.
struct ConvolutionSide {
  Dim first = 0;             ///< b, or i of the kernel
  Dim second = 0;            ///< f, or o of the kernel
  std::vector<Dim> spatial;  ///< dimension of each spatial number

  /// Distinct dimensions below the rank.
  [[nodiscard]] bool is_within(std::size_t rank) const;
};

struct ConvolutionNumbers {
  ConvolutionSide lhs;
  ConvolutionSide rhs;
  ConvolutionSide out;
};

/// Of "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>" or "#stablehlo.conv<raw input_batch_dimension = 0,
/// …>"; nothing if it is neither.
std::optional<ConvolutionNumbers> convolution_numbers(const OpInstance& op);

}  // namespace partir::ops
