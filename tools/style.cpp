#include "tools/style.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace partir {

Style Style::of(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused =
      (no_color != nullptr && *no_color != '\0') || term == nullptr || std::string_view(term) == "dumb";
  return Style(!refused && ::isatty(::fileno(stream)) != 0);
}

std::string Style::part(std::size_t number, std::string_view text) const {
  constexpr std::string_view codes[] = {"30;46", "30;43", "30;42", "30;45", "37;44", "30;47"};
  return in(codes[number % std::size(codes)], text);
}

std::string Style::in(std::string_view code, std::string_view text) const {
  return colours_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

}  // namespace partir
