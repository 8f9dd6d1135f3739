// JSON input with diagnostics that give line and column. Included by .cpp files only, to keep JSON out of public
// headers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace partir {

using Json = nlohmann::ordered_json;  ///< keeps the order of keys

/// The key under which a JSON file may name its schema, for editors.
inline constexpr std::string_view kSchemaKey = "$schema";

/// Parses JSON, keeping the order of keys. Errors, with their place: syntax, and a key that occurs twice in one object.
Result<Json> parse_json(const std::string& text, const std::string& file);

/// A parsed text, for messages about parts of it.
struct JsonSource {
  const std::string& text;
  const std::string& file;
  const Json& root;

  /// The place of a value within the text; of the key in front of it if it is a member of an object.
  [[nodiscard]] Place place_of(const Json& value) const;
};

/// The value as text in messages: shortened, and with invalid UTF-8 replaced.
std::string shortened(const Json& value);

/// The place of the first occurrence of `needle` (a quoted key or value) at or after offset `start`; {0, 0} if none.
Place place_of(std::string_view text, std::string_view needle, std::size_t start = 0);

}  // namespace partir
