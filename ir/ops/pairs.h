// Constraints on source_target_pairs, shared by collective_permute (StableHLO's and PartIR:HLO's), send and recv.
#pragma once

#include <string_view>

#include "ir/op_decl.h"

namespace partir::ops {

/// Fails unless the operation has source_target_pairs, a dense matrix of i64 (`kind` is the label of this constraint),
/// that are pairs (C1) with distinct sources (C2), distinct targets (C3) and ids of at least 0 (C4).
void require_pairs(const OpInstance& op, std::string_view kind);

}  // namespace partir::ops
