// Small instances of a claim at which its proof is replayed.
#pragma once

#include <vector>

#include "verify/prove/claim.h"
#include "verify/replay/replay.h"

namespace partir::prove {

/// Some sizes that the claim allows, each with elements from seeds and, for an entry, what the interpreter makes of
/// them.
std::vector<replay::Trial> trials_of(const Claim& claim);

}  // namespace partir::prove
