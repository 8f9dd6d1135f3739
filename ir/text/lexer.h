// Splits MLIR's textual form into tokens, for the parser (ir/text/parser.h).
#pragma once

#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace partir::text {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    percent,      ///< %name
    at,           ///< @name or @"name"
    caret,        ///< ^name
    hash,         ///< #name
    exclamation,  ///< !name
    identifier,   ///< letters, digits, _, $ and .
    number,       ///< 12, 0x1F, 1.5e-3 (no sign)
    string,       ///< including its quotes
    punctuation,  ///< one character, or ->
  };
  Kind kind = Kind::end;
  std::string_view text;  ///< as written
  Place place;
};

/// A tokenizer with one token of lookahead. The text must outlive it. Throws UserError with the place of an error.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  [[nodiscard]] const Token& peek() const { return token_; }
  Token take();
  /// Consumes and returns the text from the current token, an opening bracket, to the matching closing bracket.
  std::string_view balanced();
  /// The offset of the current token.
  [[nodiscard]] std::size_t offset() const { return start_; }
  /// The offset of the end of the token taken last.
  [[nodiscard]] std::size_t taken_end() const { return taken_end_; }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  void advance();
  void skip_blank();
  void step() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }
  [[nodiscard]] Place place() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  std::size_t taken_end_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  Token token_;
};

/// The contents of a string token, with escapes resolved.
std::string unquoted(std::string_view token);

}  // namespace partir::text
