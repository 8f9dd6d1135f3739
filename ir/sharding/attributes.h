// Attributes of operations that say how values are sharded and nothing about what they are.
#pragma once

#include "ir/program.h"

namespace partir {

/// Drops sdy.sharding, sdy.sharding_rule and mhlo.sharding from the operations of a block and of their regions. What
/// arguments and results say stays, a sharding constraint keeps its own sharding, and operations that are carried as
/// they are (custom calls) keep theirs, which may say on which device they take place.
void drop_shardings(Block& block);

}  // namespace partir
