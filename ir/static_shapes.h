// Rejects programs with dynamic shapes, which the parser accepts, with a helpful message.
#pragma once

#include "ir/program.h"

namespace partir {

/// Errors: an argument or result of the function with a dimension of unknown size (tensor<?x8xf32>), or an operation
/// whose result's size is data.
Result<void> require_static(const Function& function);

}  // namespace partir
