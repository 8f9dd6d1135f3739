#include "tools/program_file.h"

#include <filesystem>

#include "support/file.h"

namespace partir {

Result<ProgramInput> read_program(const std::string& program, const std::optional<std::string>& names) {
  auto text = read_file(program);
  if (!text) return tl::unexpected(text.error());
  ProgramInput out{std::move(*text), program};
  out.names_file = names ? *names : std::filesystem::path(program).replace_extension(".json").string();
  std::error_code ec;
  if (names || std::filesystem::exists(out.names_file, ec)) {
    auto content = read_file(out.names_file);
    if (!content) return tl::unexpected(content.error());
    out.names = std::move(*content);
  }
  return out;
}

}  // namespace partir
