#include "ir/text/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/text/parser_detail.h"
#include "ir/text/read.h"
#include "ir/text/recognize.h"

namespace partir::text {

std::optional<std::int64_t> integer_value(bool negative, std::string_view text, bool is_unsigned) {
  const bool hex = text.starts_with("0x");
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, ec] = std::from_chars(text.data() + (hex ? 2 : 0), last, value, hex ? 16 : 10);
  if (ec != std::errc() || end != last) return std::nullopt;
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  if (negative) return value > limit ? std::nullopt : std::optional(static_cast<std::int64_t>(~value + 1));
  if (!hex && !is_unsigned && value >= limit) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

bool is_case(std::string_view text) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), is_word);
}

namespace {

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  return fmt::format("'{}'", token.text.substr(0, 60));
}

}  // namespace

// --- Tokens, and lists of them ---------------------------------------------------------------------------------------

bool Parser::at(std::string_view text) const {
  const Token& t = lexer_.peek();
  return t.text == text && t.kind != Token::Kind::string && t.kind != Token::Kind::end;
}

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  lexer_.take();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!accept(text)) unexpected(fmt::format("'{}'", text));
}

void Parser::unexpected(std::string wanted) { fail("parse", here(), shown(lexer_.peek()), std::move(wanted)); }

std::int64_t Parser::integer() {
  const bool negative = accept("-");
  if (kind() != Token::Kind::number) unexpected("an integer");
  const auto value = integer_value(negative, lexer_.peek().text, false);
  if (!value) unexpected("an integer of 64 bits");
  lexer_.take();
  return *value;
}

std::string_view Parser::balanced(std::string_view open) {
  if (!at(open)) unexpected(fmt::format("'{}'", open));
  return lexer_.balanced();
}

std::string Parser::identifier() {
  if (kind() != Token::Kind::identifier) unexpected("a name");
  return std::string(take().text);
}

std::string Parser::string() {
  if (kind() != Token::Kind::string) unexpected("a string");
  return unquoted(take().text);
}

std::string Parser::symbol() {
  if (kind() != Token::Kind::at) unexpected("a symbol such as @main");
  const std::string_view text = take().text.substr(1);
  return text.starts_with('"') ? unquoted(text) : std::string(text);
}

std::string Parser::keyword() {
  if (kind() != Token::Kind::identifier || !is_case(lexer_.peek().text)) unexpected("an enumeration's case");
  return std::string(take().text);
}

std::vector<std::int64_t> Parser::int_list() {
  std::vector<std::int64_t> out;
  expect("[");
  if (accept("]")) return out;
  do out.push_back(integer());
  while (accept(","));
  expect("]");
  return out;
}

// --- Names of values -------------------------------------------------------------------------------------------------

ValueId Parser::use() {
  const Place place = here();
  if (kind() != Token::Kind::percent) unexpected("a value such as %0");
  const std::string name(take().text);
  const auto it = names_.find(name);
  if (it == names_.end()) fail("parse", place, fmt::format("{} before it is defined", name), "a value defined above");
  const std::vector<ValueId>& values = it->second.values;
  std::size_t number = 0;
  if (kind() == Token::Kind::hash) {
    const std::string_view digits = take().text.substr(1);
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (ec != std::errc() || end != digits.data() + digits.size()) number = values.size();
  }
  if (number >= values.size()) {
    fail("parse", place, fmt::format("result {} of {}", number, name), fmt::format("one of its {}", values.size()));
  }
  return values[number];
}

std::vector<ValueId> Parser::uses() {
  std::vector<ValueId> out;
  do out.push_back(use());
  while (accept(","));
  return out;
}

std::string Parser::definition() {
  if (kind() != Token::Kind::percent) unexpected("a value such as %0");
  return std::string(take().text);
}

void Parser::define(std::string_view name, std::vector<ValueId> values, Place place) {
  const std::string key(name);
  const auto it = names_.find(key);
  Undo undo{key, it != names_.end(), {}};
  if (undo.existed) {
    // A region that is isolated from above may shadow an outer name; within a region, names are unique.
    if (it->second.scope == scope_) fail("parse", place, fmt::format("{} twice", key), "each name once");
    undo.old = it->second;
  }
  undo_.push_back(std::move(undo));
  names_[key] = {std::move(values), scope_};
}

void Parser::unwind(std::size_t mark) {
  while (undo_.size() > mark) {
    Undo& undo = undo_.back();
    if (undo.existed) {
      names_[undo.name] = std::move(undo.old);
    } else {
      names_.erase(undo.name);
    }
    undo_.pop_back();
  }
}

void Parser::forget_names() {
  names_.clear();
  undo_.clear();
}

}  // namespace partir::text

namespace partir {

Result<Module> read_module(std::string_view text, const std::string& file) {
  if (auto other = recognized_otherwise(text, file)) return tl::unexpected(std::move(*other));
  try {
    text::Parser parser(without_mark(text));
    return parser.module();
  } catch (const UserError& error) {
    Diagnostic out = error.diagnostic();
    out.file = file;
    return tl::unexpected(std::move(out));
  }
}

}  // namespace partir
