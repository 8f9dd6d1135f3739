// The verifier of device-local programs: what the lowering must have kept, asked again of what it wrote.
#pragma once

#include "lowering/program.h"

namespace partir {

/// Operations are well-formed; layouts have the ranks of their values and use each axis once; each collective
/// over mesh axes changes sizes as its declaration says. Errors are defects of the lowering.
Result<void> verify_spmd(const SpmdProgram& program);

}  // namespace partir
