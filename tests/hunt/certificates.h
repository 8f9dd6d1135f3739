// Random partitions whose modules and certificates are edited. What the checker still proves must still compute what
// the source does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/hunt/expression.h"

namespace partir::hunt {

/// Tries a few partitions with several edits each. Returns the text of those that were proved although their values are
/// wrong, and adds to `counts` how many edited certificates were proved and how many were not.
std::vector<std::string> hunted_certificates(Random& random, std::map<std::string, std::size_t>& counts);

}  // namespace partir::hunt
