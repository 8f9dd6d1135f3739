// JSON input with diagnostics that give line and column. Included by .cpp files only, to keep JSON out of public
// headers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace partir {

/// Parses JSON, keeping the order of keys. Errors, with their place: syntax, and a key that occurs twice in one object.
Result<nlohmann::ordered_json> parse_json(const std::string& text, const std::string& file);

/// The place of the first occurrence of `needle` (a quoted key or value) at or after offset `start`; {0, 0} if none.
Place place_of(std::string_view text, std::string_view needle, std::size_t start = 0);

}  // namespace partir
