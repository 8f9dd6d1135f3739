// Turns requests for named arguments or values into short lists of glob patterns that match exactly these names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/schedule.h"

namespace partir {

/// The name with numeric path components replaced by stars: "params/layers/3/w1" gives "params/layers/*/w1". Characters
/// that are special in patterns are put in brackets.
std::string generalized(const std::string& name);

/// Patterns that give every name its request, and match no name without one, in the order of the first name that each
/// matches. Names that occur several times must have the same request.
/// {"layers/0/w": 1, "layers/1/w": 1, "layers/0/b": nothing} gives {"layers/*/w": 1}.
std::vector<PatternRequest> patterns_for(const std::vector<std::string>& names,
                                         const std::vector<std::optional<Request>>& requests);

/// A pattern for these names: numeric path components that differ become stars. {"layers/0/w", "layers/1/w"} gives
/// "layers/*/w". Names whose generalized form differs from that of the first are ignored.
std::string common_pattern(const std::vector<std::string>& names);

bool same_request(const Request& a, const Request& b);

}  // namespace partir
