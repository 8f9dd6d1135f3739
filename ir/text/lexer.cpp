#include "ir/text/lexer.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>
#include <vector>

namespace partir::text {
namespace {
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }
bool is_value_word(char c) { return is_word(c) || c == '-'; }
}  // namespace

void Lexer::skip_blank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      step();
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else {
      break;
    }
  }
}

Token Lexer::take() {
  Token out = token_;
  taken_end_ = start_ + out.text.size();
  advance();
  return out;
}

void Lexer::advance() {
  skip_blank();
  start_ = at_;
  token_ = {Token::Kind::end, {}, place()};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  const auto sweep = [&](Token::Kind kind, bool (*more)(char)) {
    while (at_ < text_.size() && more(text_[at_])) ++at_;
    token_.kind = kind;
  };
  const auto quoted_string = [&] {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 1 : 0;
      if (at_ < text_.size() && text_[at_] == '\n') {
        fail("parse", token_.place, "a string that does not end", "a closing quote on its line");
      }
      ++at_;
    }
    if (at_ >= text_.size()) fail("parse", token_.place, "a string that does not end", "a closing quote");
    ++at_;
  };
  if (c == '%' || c == '^' || c == '#' || c == '!' || c == '@') {
    ++at_;
    if (c == '@' && at_ < text_.size() && text_[at_] == '"') {
      quoted_string();
      token_.kind = Token::Kind::at;
    } else {
      const auto kind = c == '%'   ? Token::Kind::percent
                        : c == '^' ? Token::Kind::caret
                        : c == '#' ? Token::Kind::hash
                        : c == '!' ? Token::Kind::exclamation
                                   : Token::Kind::at;
      const bool dashes = c == '%' || c == '^' || c == '@';
      sweep(kind, dashes ? is_value_word : is_word);
    }
    if (at_ == start_ + 1) {
      fail("parse", token_.place, fmt::format("'{}' without a name", c), "a name behind it");
    }
  } else if (is_letter(c)) {
    sweep(Token::Kind::identifier, is_word);
  } else if (is_digit(c)) {
    token_.kind = Token::Kind::number;
    if (c == '0' && at_ + 1 < text_.size() && text_[at_ + 1] == 'x' && at_ + 2 < text_.size() &&
        std::isxdigit(static_cast<unsigned char>(text_[at_ + 2])) != 0) {
      at_ += 2;
      while (at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    } else {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      if (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
          std::size_t look = at_ + 1;
          if (look < text_.size() && (text_[look] == '+' || text_[look] == '-')) ++look;
          if (look < text_.size() && is_digit(text_[look])) {
            at_ = look;
            while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
          }
        }
      }
    }
  } else if (c == '"') {
    quoted_string();
    token_.kind = Token::Kind::string;
  } else {
    token_.kind = Token::Kind::punctuation;
    at_ += c == '-' && at_ + 1 < text_.size() && text_[at_ + 1] == '>' ? 2 : 1;
  }
  token_.text = text_.substr(start_, at_ - start_);
}

std::string_view Lexer::balanced() {
  const std::size_t begin = start_;
  const Place from = token_.place;
  std::vector<std::pair<char, Place>> closers;
  while (true) {
    if (token_.kind == Token::Kind::end) fail("parse", from, "a bracket that does not close", "its closing bracket");
    if (token_.kind == Token::Kind::punctuation) {
      const char c = token_.text[0];
      if (token_.text == "->") {
      } else if (c == '(') {
        closers.emplace_back(')', token_.place);
      } else if (c == '[') {
        closers.emplace_back(']', token_.place);
      } else if (c == '{') {
        closers.emplace_back('}', token_.place);
      } else if (c == '<') {
        closers.emplace_back('>', token_.place);
      } else if (c == ')' || c == ']' || c == '}' || c == '>') {
        if (closers.empty()) fail("parse", token_.place, fmt::format("'{}'", c), "no closing bracket here");
        if (const auto& [closer, opened] = closers.back(); closer != c) {
          fail("parse", token_.place, fmt::format("'{}'", c),
               fmt::format("'{}' for the bracket at {}:{}", closer, opened.line, opened.column));
        }
        closers.pop_back();
      }
    }
    take();
    if (closers.empty()) return text_.substr(begin, taken_end_ - begin);
  }
}

std::string unquoted(std::string_view token) {
  std::string out;
  for (std::size_t i = 1; i + 1 < token.size(); ++i) {
    if (token[i] != '\\') {
      out += token[i];
      continue;
    }
    ++i;
    const auto hex = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    if (i + 2 < token.size() && std::isxdigit(static_cast<unsigned char>(token[i])) != 0 &&
        std::isxdigit(static_cast<unsigned char>(token[i + 1])) != 0) {
      out += static_cast<char>(hex(token[i]) * 16 + hex(token[i + 1]));
      ++i;
    } else if (i + 1 < token.size()) {
      out += token[i] == 'n' ? '\n' : token[i] == 't' ? '\t' : token[i];
    }
  }
  return out;
}

}  // namespace partir::text
