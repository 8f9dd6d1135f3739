// Proves decompositions of operations that use the shard offset (OpDecl::by_offsets), for all sizes. The registry's
// table (registry.cpp) uses it; certificates use decide_same of instance.h instead.
#pragma once

#include "ir/by_offsets.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// Decides whether the claim's operation (its last) equals its decomposition when an operand has n chunks along a
/// dimension, for all n and all sizes at which the decomposition exists. The claim must tile what n divides; its
/// actions are ignored. Never answers `refuted`.
Decision decide_by_offsets(const Claim& claim, ByOffsets how, const CrossChecks& cross_checks = {});

}  // namespace partir::prove
