// A cache key that operations of equal cost share: name, operand and result types, and the attributes that determine
// what is computed. Used by OperationCosts (simulate/operation_cost.h) and WorkTable (lowering/work.h).
#pragma once

#include <string>

#include "ir/program.h"

namespace partir {

/// Replaces the content of `key` (keeping its capacity) by the key of an operation. The values of constants and replica
/// groups are not part of it; regions contribute only the names of their operations.
void write_operation_key(const Function& function, const Op& op, std::string& key);

}  // namespace partir
