// Random partitions with their modules and certificates edited: what is still proved must compute what the source does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/hunt/expression.h"

namespace partir::hunt {

/// A few partitions, each with several edits; gives the texts of what was proved and is wrong. `counts` is told how
/// many were refused, unknown, or proved and equal.
std::vector<std::string> hunted_certificates(Random& random, std::map<std::string, std::size_t>& counts);

}  // namespace partir::hunt
