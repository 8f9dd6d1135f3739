// Attributes of operations that specify how values are sharded, and do not affect the values.
#pragma once

#include "ir/program.h"

namespace partir {

/// Removes sdy.sharding, sdy.sharding_rule and mhlo.sharding from the operations of a block and of their regions. The
/// attributes of function arguments and results are kept, and so is the sharding of a sharding constraint. Opaque and
/// host operations (custom calls) keep theirs, which may determine the device that executes them.
void drop_shardings(Block& block);

}  // namespace partir
