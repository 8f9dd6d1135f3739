// What the identities of Shardy's dialect share.
#pragma once

#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/text/parser.h"

namespace partir::ops {

/// %x <@mesh, […]> : type
void parse_with_sharding(text::Parser& p, Function& f, Op& op);
/// One operand, and a result of its type.
void verify_identity(const OpInstance& op);

}  // namespace partir::ops
