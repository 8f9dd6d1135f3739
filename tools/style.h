// Colours for text on a terminal; plain text elsewhere, and if NO_COLOR is set (no-color.org).
#pragma once

#include <cstdio>
#include <optional>
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
  /// The columns of the terminal that the stream is; nullopt if it is none.
  [[nodiscard]] std::optional<std::size_t> columns() const { return columns_; }
  /// One of six colours, chosen by number, to distinguish parts.
  [[nodiscard]] std::string part(std::size_t number, std::string_view text) const;

 private:
  explicit Style(bool colours, std::optional<std::size_t> columns = std::nullopt)
      : colours_(colours), columns_(columns) {}
  [[nodiscard]] std::string in(std::string_view code, std::string_view text) const;
  bool colours_;
  std::optional<std::size_t> columns_;
};

/// Whether a line on this stream can be rewritten in place: a terminal that is not "dumb".
bool rewrites_lines(std::FILE* stream);

}  // namespace partir
