// What evaluation on elements takes for granted of the operations of a partitioned program.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace partir::validate {

/// Conditions under which the partitioned program's operations mean what evaluation takes them for, as far as the
/// source does not need them as often: that indices are unique or sorted where it is promised, that unstable sorts meet
/// no equal keys.
std::vector<std::string> promises_beyond(const Function& source, const Function& partitioned);

}  // namespace partir::validate
