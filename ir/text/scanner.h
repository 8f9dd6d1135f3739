// A cursor over the text of an attribute, for the small grammars of meshes and shardings. White space is skipped before
// tokens.
#pragma once

#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace partir::text {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool accept(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  [[nodiscard]] bool at(std::string_view token) {
    skip();
    return rest_.starts_with(token);
  }
  /// Skips past the next occurrence of `token`; returns false if there is none.
  bool find(std::string_view token) {
    const auto at = rest_.find(token);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + token.size());
    return true;
  }
  /// An unsigned integer of at most 18 digits.
  std::optional<std::int64_t> integer() {
    skip();
    std::size_t n = 0;
    std::int64_t out = 0;
    while (n < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[n])) != 0 && n < 18)
      out = out * 10 + (rest_[n++] - '0');
    if (n == 0) return std::nullopt;
    rest_.remove_prefix(n);
    return out;
  }
  /// "1,2,3" and the closing bracket `close`; the opening bracket has been consumed.
  std::optional<std::vector<std::int64_t>> integers(std::string_view close) {
    std::vector<std::int64_t> out;
    if (accept(close)) return out;
    do {
      const auto i = integer();
      if (!i) return std::nullopt;
      out.push_back(*i);
    } while (accept(","));
    if (!accept(close)) return std::nullopt;
    return out;
  }
  /// A string in quotes, without escapes.
  std::optional<std::string_view> quoted() {
    if (!accept("\"")) return std::nullopt;
    const auto end = rest_.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    const auto out = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return out;
  }
  /// Letters, digits, _, . and -.
  std::string_view word() {
    skip();
    std::size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) != 0 || rest_[n] == '_' ||
                                rest_[n] == '.' || rest_[n] == '-'))
      ++n;
    const auto out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return out;
  }
  [[nodiscard]] bool done() {
    skip();
    return rest_.empty();
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

}  // namespace partir::text
