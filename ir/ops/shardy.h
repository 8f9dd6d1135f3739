// Helpers shared by the operations of Shardy's dialect that are identities on global values (ir/ops/shardy.cpp,
// ir/ops/sharding_constraint.cpp).
#pragma once

#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/text/parser.h"

namespace partir::ops {

/// Parses `%x <@mesh, […]> : type`.
void parse_with_sharding(text::Parser& p, Function& f, Op& op);
/// Fails unless there is one operand and one result of its type (C1).
void verify_identity(const OpInstance& op);

}  // namespace partir::ops
