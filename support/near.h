// What someone may have meant by a name that is not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partir {

/// Up to three of the names, nearest first, that are few edits away (a third of the name's length, at least 2), without
/// repeats; ties in the order given.
std::vector<std::string> near_matches(std::string_view name, const std::vector<std::string>& names);

/// "'a', 'b' or 'c'"; `otherwise` where nothing is near.
std::string meant(std::string_view name, const std::vector<std::string>& names, const std::string& otherwise);

/// "a, b, c", up to twelve of them.
std::string listed(const std::vector<std::string>& names);

}  // namespace partir
