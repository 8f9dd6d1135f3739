// The verifier of device-local programs: checks the invariants that the lowering must establish.
#pragma once

#include "lowering/program.h"

namespace partir {

/// Checks that operations are well-formed, that layouts have the ranks of their values and use each axis once, and that
/// each collective over mesh axes changes sizes as its declaration states. An error is a defect of the lowering.
Result<void> verify_spmd(const SpmdProgram& program);

}  // namespace partir
