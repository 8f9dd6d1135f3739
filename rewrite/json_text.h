// JSON input with diagnostics that name a place. Included by .cpp files only: JSON stays out of public headers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace partir {

/// Parses, keeping the written order. Errors: syntax, and a key written twice in one object, with their place.
Result<nlohmann::ordered_json> parse_json(const std::string& text, const std::string& file);

/// Where `needle` (a quoted key or value) stands in a text, from `start` on; {0, 0} if nowhere.
Place place_of(std::string_view text, std::string_view needle, std::size_t start = 0);

}  // namespace partir
