#include "rewrite/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace partir {
namespace {

/// What reads the parsed value may recurse that far.
constexpr int kMostNested = 100;
struct TooDeep {};

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

/// The offset of the first bracket that opens more than kMostNested levels.
std::size_t first_too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if ((c == '[' || c == '{') && ++depth > kMostNested) return i;
    if (c == ']' || c == '}') --depth;
  }
  return text.size();
}

/// Describes the error without its place, which Diagnostic adds.
Diagnostic json_error(const std::string& text, const std::string& file, std::size_t at, std::string what) {
  at = std::min(at, text.size());
  const auto shown = [&](std::string found, std::string wanted, std::size_t where) {
    return Diagnostic{"json", file, place_at(text, where), std::move(found), std::move(wanted)};
  };
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return shown("an empty file", "JSON", 0);
  // The parser stops at the last character that it read: "//", "/*" and "#" are comments in other formats.
  const std::size_t slash = at > 0 && text[at - 1] == '/' ? at - 1 : at;
  if (at < text.size() && (text[slash] == '/' || text[at] == '#'))
    return shown("a comment", "JSON without comments (keys such as \"note\" are not accepted as comments)", slash);
  const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", at - 1);
  if (at < text.size() && (text[at] == '}' || text[at] == ']') && before != std::string::npos && text[before] == ',')
    return shown("a trailing comma", fmt::format("'{}' without a comma before it", text[at]), before);
  if (at < text.size() && text[at] == '\'') return shown("a single quote", "double quotes", at);
  if (at >= text.size()) return shown("the end of the text", "the rest of the JSON: a bracket or quote is open", at);
  if (const auto dash = what.rfind(" - "); dash != std::string::npos) what = what.substr(dash + 3);
  return shown(what, "JSON", at);
}

/// Walks a text together with the value that it was parsed to.
class Locator {
 public:
  Locator(std::string_view text, const Json* wanted) : text_(text), wanted_(wanted) {}

  /// Passes a value, whose key, if it has one, is at `begin`. Returns whether the wanted value was found.
  bool passes(const Json& value, std::size_t begin) {
    if (&value == wanted_) {
      found_ = begin;
      return true;
    }
    if (!value.is_structured()) {
      skip_scalar();
      return false;
    }
    ++at_;  // the opening bracket
    for (const auto& item : value) {
      skip_space();
      const std::size_t start = at_;
      if (value.is_object()) {
        skip_scalar();
        skip_space();
        ++at_;  // the colon
        skip_space();
      }
      if (passes(item, start)) return true;
      skip_space();
      if (at_ < text_.size() && text_[at_] == ',') ++at_;
    }
    skip_space();
    ++at_;  // the closing bracket
    return false;
  }
  [[nodiscard]] std::optional<std::size_t> find(const Json& root) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    skip_space();
    return passes(root, at_) ? std::optional(found_) : std::nullopt;
  }

 private:
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  void skip_scalar() {
    if (at_ >= text_.size() || text_[at_] != '"') {
      at_ = std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
      return;
    }
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
    ++at_;
  }

  std::string_view text_;
  const Json* wanted_;
  std::size_t at_ = 0;
  std::size_t found_ = 0;
};

}  // namespace

Place JsonSource::place_of(const Json& value) const {
  const auto at = Locator(text, &value).find(root);
  return at ? place_at(text, *at) : Place{};
}

std::string shortened(const Json& value) {
  using Handler = Json::error_handler_t;
  return value.dump(-1, ' ', false, Handler::replace).substr(0, 80);
}

Place place_of(std::string_view text, std::string_view needle, std::size_t start) {
  const auto at = text.find(needle, start);
  return at == std::string_view::npos ? Place{} : place_at(text, at);
}

Result<Json> parse_json(const std::string& text, const std::string& file) {
  std::vector<std::set<std::string>> keys;
  std::string repeated;
  const auto callback = [&](int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (depth > kMostNested) throw TooDeep{};
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    if (event == Event::object_end) keys.pop_back();
    return true;
  };
  try {
    auto out = Json::parse(text, callback);
    if (!repeated.empty()) {
      const std::string quoted = fmt::format("\"{}\"", repeated);
      const auto first = text.find(quoted);
      return tl::unexpected(Diagnostic{"json", file, place_of(text, quoted, first == std::string::npos ? 0 : first + 1),
                                       fmt::format("the key \"{}\" twice", repeated), "each key once"});
    }
    return out;
  } catch (const TooDeep&) {
    return tl::unexpected(Diagnostic{"json", file, place_at(text, first_too_deep(text)),
                                     fmt::format("nesting more than {} deep", kMostNested), "less"});
  } catch (const Json::parse_error& error) {
    const std::size_t at = error.byte > 0 ? error.byte - 1 : 0;
    return tl::unexpected(json_error(text, file, at, error.what()));
  } catch (const Json::out_of_range& error) {  // "number overflow parsing '1e999'"
    std::string_view number = error.what();
    number.remove_prefix(number.find('\'') + 1);
    number = number.substr(0, number.find('\''));
    return tl::unexpected(
        Diagnostic{"json", file, place_of(text, number, 0), fmt::format("the number {}", number), "a smaller number"});
  }
}

}  // namespace partir
