#include "tools/program_file.h"

#include "support/file.h"
#include "tools/inputs.h"

namespace partir {

Result<ProgramInput> read_program(const std::string& program, const std::optional<std::string>& names) {
  auto text = read_file(program);
  if (!text) return tl::unexpected(text.error());
  auto beside = names_text(program, names);
  if (!beside) return tl::unexpected(beside.error());
  ProgramInput out{std::move(*text), input_name(program)};
  out.names = std::move(beside->text);
  out.names_file = std::move(beside->file);
  return out;
}

}  // namespace partir
