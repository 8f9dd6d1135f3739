// Verifies the distributed types of a device-local program, operation by operation, against the source program and the
// registry. Shares nothing with the lowering but the declarations.
#pragma once

#include <string>

#include "lowering/program.h"
#include "rewrite/state.h"

namespace partir {

/// Nothing, or the first step that does not hold: every local operation is the local program of its source operation by
/// entries of the registry, one an axis; every collective and slice does what its types say; the returned values are
/// not partial; and each operand stands for the value that the source operation reads.
std::optional<std::string> check_types(const SpmdProgram& program, const State& source);

}  // namespace partir
