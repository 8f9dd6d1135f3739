// A key that equal operations share: name, types of operands and results, attributes that say what is computed.
#pragma once

#include <string>

#include "ir/program.h"

namespace partir {

/// Writes the key of an operation over `key`, whose capacity is kept. Values of constants and replica groups are no
/// part of it, and of regions only the names of their operations are.
void write_operation_key(const Function& function, const Op& op, std::string& key);

}  // namespace partir
