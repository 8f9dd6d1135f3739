#include "rewrite/json_text.h"

#include <fmt/format.h>

#include <set>

namespace partir {
namespace {
Place place_at(std::string_view text, std::size_t offset) {
  Place out{1, 1};
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++out.line;
      out.column = 1;
    } else {
      ++out.column;
    }
  }
  return out;
}
}  // namespace

Place place_of(std::string_view text, std::string_view needle, std::size_t start) {
  const auto at = text.find(needle, start);
  return at == std::string_view::npos ? Place{} : place_at(text, at);
}

Result<nlohmann::ordered_json> parse_json(const std::string& text, const std::string& file) {
  std::vector<std::set<std::string>> keys;
  std::string repeated;
  const auto callback = [&](int, nlohmann::ordered_json::parse_event_t event, nlohmann::ordered_json& value) {
    using Event = nlohmann::ordered_json::parse_event_t;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    if (event == Event::object_end) keys.pop_back();
    return true;
  };
  try {
    auto out = nlohmann::ordered_json::parse(text, callback);
    if (!repeated.empty()) {
      const std::string quoted = fmt::format("\"{}\"", repeated);
      const auto first = text.find(quoted);
      return tl::unexpected(Diagnostic{"json", file, place_of(text, quoted, first == std::string::npos ? 0 : first + 1),
                                       fmt::format("the key \"{}\" twice", repeated), "each key once"});
    }
    return out;
  } catch (const nlohmann::ordered_json::parse_error& error) {
    std::string what = error.what();
    if (const auto colon = what.find("] "); colon != std::string::npos) what = what.substr(colon + 2);
    return tl::unexpected(Diagnostic{"json", file, place_at(text, error.byte > 0 ? error.byte - 1 : 0), what, "JSON"});
  }
}

}  // namespace partir
