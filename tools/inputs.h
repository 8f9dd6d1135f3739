// Reads the inputs that several commands share: programs, and the names that schedules use.
#pragma once

#include <optional>
#include <string>

#include "driver/session.h"

namespace partir {

/// Reads the module in a file, or from standard input ("-").
Result<Module> module_in(const std::string& path);

/// The text of a names file: the file `given` (--names), or NAME.json in the directory of the program.
struct NamesText {
  std::optional<std::string> text;
  std::string file;
  std::string note;  ///< for standard error: NAME.json exists but is not a names file
};
Result<NamesText> names_text(const std::string& program, const std::optional<std::string>& given);

/// Reads a program and its names, as Session::open takes them. Prints NamesText::note to standard error.
Result<ProgramInput> read_program(const std::string& program, const std::optional<std::string>& names);

}  // namespace partir
