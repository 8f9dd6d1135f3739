// Scalar functions of operands that are the same scalar everywhere (ir/splat.h), evaluated by native arithmetic.
#pragma once

#include <optional>

#include "ir/program.h"
#include "ir/scalar_fn.h"
#include "ir/splat.h"
#include "semantics/tensor.h"

namespace partir {

/// The scalar that `op` computes everywhere if it applies `fn` to known splats of one element type, which need no
/// attributes; nothing if an operand is not known.
std::optional<Tensor> applied_to_splats(ScalarFn fn, const Function& function, const Op& op, const Splats& known);

}  // namespace partir
