// Attributes and operations that specify how values are sharded, and do not affect the values.
#pragma once

#include "ir/program.h"

namespace partir {

/// Removes sdy.sharding, sdy.sharding_rule and mhlo.sharding from the operations of a block and of their regions. The
/// attributes of function arguments and results are kept, and so are the sharding of a sharding constraint and the
/// rules of declared calls (ir/declared_calls.h). Opaque and host operations (custom calls) keep theirs, which may
/// determine the device that executes them.
void drop_shardings(Block& block);

/// Whether the operation is an identity that constrains how a value is sharded, or gives it a name.
bool is_sharding_constraint(const Op& op);
/// Removes these operations. A lowered program no longer needs them, and does not declare their meshes.
void drop_sharding_constraints(Function& function);

}  // namespace partir
