#include "support/diagnostic.h"

#include <fmt/format.h>

namespace partir {

std::string Place::text() const { return column == 0 ? fmt::format("{}", line) : fmt::format("{}:{}", line, column); }

std::string Diagnostic::text() const {
  std::string where = file.empty() ? std::string("input") : file;
  if (place.line != 0) where += ":" + place.text();
  std::string out = fmt::format("{}: error [{}]: {}", where, code, found);
  if (!wanted.empty()) out += fmt::format("; wanted {}", wanted);
  return out;
}

UserError::UserError(Diagnostic diagnostic)
    : std::runtime_error(diagnostic.text()), diagnostic_(std::move(diagnostic)) {}

void fail(std::string code, Place place, std::string found, std::string wanted) {
  throw UserError(Diagnostic{std::move(code), "", place, std::move(found), std::move(wanted)});
}

}  // namespace partir
