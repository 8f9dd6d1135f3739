// Constraints on source_target_pairs, which collective_permute, send and recv have alike.
#pragma once

#include <string_view>

#include "ir/op_decl.h"

namespace partir::ops {

/// Fails unless there are pairs of processes (C1), of distinct sources (C2) and targets (C3), from 0 on (C4); `kind` is
/// the label of the attribute.
void require_pairs(const OpInstance& op, std::string_view kind);

}  // namespace partir::ops
