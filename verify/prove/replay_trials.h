// Draws the small instances of a claim at which the replayer checks its proof.
#pragma once

#include <vector>

#include "verify/prove/claim.h"
#include "verify/replay/replay.h"

namespace partir::prove {

/// Returns instances at a few sizes that the claim allows, each with elements drawn from a seed and, where the
/// interpreter can run the program, its results.
std::vector<replay::Trial> trials_of(const Claim& claim);

}  // namespace partir::prove
