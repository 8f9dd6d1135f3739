// Suggests existing names for an unknown one, for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partir {

/// Up to three of the names, without duplicates, whose edit distance from `name` is at most a third of its length (at
/// least 2), nearest first; ties are kept in the given order.
std::vector<std::string> near_matches(std::string_view name, const std::vector<std::string>& names);

/// The near matches as "'a', 'b' or 'c'"; `otherwise` if there are none.
std::string meant(std::string_view name, const std::vector<std::string>& names, const std::string& otherwise);

/// "a, b, c"; after twelve names "…".
std::string listed(const std::vector<std::string>& names);

}  // namespace partir
