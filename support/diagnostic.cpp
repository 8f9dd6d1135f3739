#include "support/diagnostic.h"

#include <fmt/format.h>

namespace partir {

std::string Place::text() const { return column == 0 ? fmt::format("{}", line) : fmt::format("{}:{}", line, column); }

namespace {

/// At most kShown bytes of a text that may quote the input, cut between characters of UTF-8.
std::string cut(const std::string& text) {
  constexpr std::size_t kShown = 1000;
  if (text.size() <= kShown) return text;
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

std::string Diagnostic::text() const {
  std::string where = file.empty() ? std::string("input") : file;
  if (place.line != 0) where += ":" + place.text();
  std::string out = fmt::format("{}: error [{}]: {}", where, code, cut(found));
  if (!wanted.empty()) out += fmt::format("; wanted {}", cut(wanted));
  return out;
}

UserError::UserError(Diagnostic diagnostic)
    : std::runtime_error(diagnostic.text()), diagnostic_(std::move(diagnostic)) {}

void fail(std::string code, Place place, std::string found, std::string wanted) {
  throw UserError(Diagnostic{std::move(code), "", place, std::move(found), std::move(wanted)});
}

}  // namespace partir
