// Operations written in others by offsets (OpDecl::by_offsets), for all sizes.
#pragma once

#include "ir/by_offsets.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// Whether the claim's operation (its last) is the same written by offsets when an operand is in n chunks of a
/// dimension, for all n and all sizes at which it is written so. The claim tiles what n divides; its actions do not
/// matter. Never refuted.
Verdict decide_by_offsets(const Claim& claim, ByOffsets how, const Doubts& doubts = {});

}  // namespace partir::prove
