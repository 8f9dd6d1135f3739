#include "tools/style.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace partir {

bool rewrites_lines(std::FILE* stream) {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) != "dumb" && ::isatty(::fileno(stream)) != 0;
}

namespace {

std::optional<std::size_t> columns_of_terminal(std::FILE* stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace

Style Style::of(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return Style(!refused && rewrites_lines(stream), columns_of_terminal(stream));
}

std::string Style::part(std::size_t number, std::string_view text) const {
  constexpr std::string_view codes[] = {"30;46", "30;43", "30;42", "30;45", "37;44", "30;47"};
  return in(codes[number % std::size(codes)], text);
}

std::string Style::in(std::string_view code, std::string_view text) const {
  return colours_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

}  // namespace partir
