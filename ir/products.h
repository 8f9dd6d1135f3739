// The precision in which an operation computes its products.
#pragma once

#include <string>

#include "ir/op_decl.h"

namespace partir {

/// The precision that a dot product or convolution of floats requests for its products, as text: "" for the default,
/// "[HIGHEST, HIGHEST]", "#stablehlo.dot_algorithm<…>". nullopt for other operations and for integers. Operations with
/// different precisions compute different numbers, so a proof over the reals must not identify them.
std::optional<std::string> precision_of_products(const Op& op, ElementType result);

}  // namespace partir
