// Short lists of patterns that ask exactly what is wanted of names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/schedule.h"

namespace partir {

/// The name with numbers in its path as stars: "params/layers/3/w1" is "params/layers/*/w1". Characters that have a
/// meaning in patterns are put in brackets.
std::string generalized(const std::string& name);

/// Patterns that match what they must and nothing else, in the order of the first name that each matches: every name
/// gets its request, and those without one none. Names that repeat must have one request.
/// {"layers/0/w": 1, "layers/1/w": 1, "layers/0/b": nothing} gives {"layers/*/w": 1}.
std::vector<PatternRequest> patterns_for(const std::vector<std::string>& names,
                                         const std::vector<std::optional<Request>>& requests);

/// What these names have in common: numbers of paths that differ are stars. {"layers/0/w", "layers/1/w"} is
/// "layers/*/w". Names of another form than the first are left out.
std::string common_pattern(const std::vector<std::string>& names);

bool same_request(const Request& a, const Request& b);

}  // namespace partir
