// Parses locations, and aliases of locations, attributes and types.
#include <fmt/format.h>

#include "ir/text/parser_detail.h"

namespace partir::text {

std::string Parser::optional_location() {
  if (!at("loc")) return "";
  take();
  return std::string(balanced("("));
}

void Parser::aliases() {
  while (kind() == Token::Kind::hash || kind() == Token::Kind::exclamation) {
    const bool is_type = kind() == Token::Kind::exclamation;
    const std::string name(take().text);
    expect("=");
    if (is_type && !at("(")) {
      type_aliases_[name] = type();
    } else if (at("loc")) {
      location_aliases_[name] = optional_location();
    } else {
      Attribute value = attribute(true);
      const bool nests = value.as<ArrayAttr>() != nullptr || value.as<DictAttr>() != nullptr;
      if (!is_type && !nests) attribute_aliases_[name] = std::move(value);
    }
  }
}

SourceLocation Parser::location_from(std::string_view text, int depth) const {
  constexpr int kDeepest = 32;  // aliases may be cyclic
  SourceLocation out;
  if (depth > kDeepest || text.size() < 2) return out;
  text = text.substr(1, text.size() - 2);
  if (text.starts_with("#")) {
    const auto it = location_aliases_.find(std::string(text));
    return it == location_aliases_.end() ? out : location_from(it->second, depth + 1);
  }
  if (text.starts_with("callsite(")) {  // callsite(#callee at #caller)
    const auto end = text.find(" at ");
    if (end == std::string_view::npos) return out;
    return location_from(fmt::format("({})", text.substr(9, end - 9)), depth + 1);
  }
  if (!text.starts_with("\"")) return out;
  std::size_t close = 1;
  while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
  if (close >= text.size()) return out;
  const std::string quoted = unquoted(text.substr(0, close + 1));
  const std::string_view rest = text.substr(close + 1);
  if (rest.starts_with(":")) {  // "file":line:column
    out.source = quoted + std::string(rest.substr(0, rest.find(' ')));
  } else {
    out = location_from(rest, depth + 1);
    out.name = quoted;
  }
  return out;
}

void Parser::name_arguments_by_location(Module& module) const {
  const auto plain = [](std::string_view text) -> std::string {  // ("a") -> a
    if (text.size() > 4 && text.starts_with("(\"") && text.ends_with("\")"))
      return unquoted(text.substr(1, text.size() - 2));
    return "";
  };
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    for (const std::string& location : argument_locations_[f]) {
      std::string text = location;
      if (text.starts_with("(#")) {
        const auto it = location_aliases_.find(text.substr(1, text.size() - 2));
        text = it == location_aliases_.end() ? "" : it->second;
      }
      module.functions[f].argument_locations.push_back(plain(text));
    }
  }
}

}  // namespace partir::text
