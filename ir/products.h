// In which precision an operation takes its products.
#pragma once

#include <string>

#include "ir/op_decl.h"

namespace partir {

/// What a product or convolution of floats says of the precision of its products, as a text: "" for the default,
/// "[HIGHEST, HIGHEST]", "#stablehlo.dot_algorithm<…>". Nothing for operations that take no products, or of integers.
/// Two that differ give different numbers, so neither is the other's over the reals.
std::optional<std::string> precision_of_products(const Op& op, ElementType result);

}  // namespace partir
