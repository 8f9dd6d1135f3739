// Colours for text on a terminal; plain text elsewhere, and if NO_COLOR is set (no-color.org).
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace partir {

class Style {
 public:
  /// The style for text that is written to this stream.
  static Style of(std::FILE* stream);
  static Style plain() { return Style(false); }

  [[nodiscard]] std::string bold(std::string_view text) const { return in("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return in("2", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return in("32", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return in("1;31", text); }
  [[nodiscard]] std::string doubtful(std::string_view text) const { return in("33", text); }
  /// One of six colours, chosen by number, to distinguish parts.
  [[nodiscard]] std::string part(std::size_t number, std::string_view text) const;

 private:
  explicit Style(bool colours) : colours_(colours) {}
  [[nodiscard]] std::string in(std::string_view code, std::string_view text) const;
  bool colours_;
};

}  // namespace partir
