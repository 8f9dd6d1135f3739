// What commands read: programs, and the names that schedules use.
#pragma once

#include <optional>
#include <string>

#include "driver/session.h"

namespace partir {

/// The module in a file, or on standard input ("-").
Result<Module> module_in(const std::string& path);

/// The text of a names file: `given` (--names), else NAME.json beside the program.
struct NamesText {
  std::optional<std::string> text;
  std::string file;
  std::string note;  ///< for people: a file beside the program that is no names file
};
Result<NamesText> names_text(const std::string& program, const std::optional<std::string>& given);

/// A program and its names, as sessions take them. The note on a file beside it goes to standard error.
Result<ProgramInput> read_program(const std::string& program, const std::optional<std::string>& names);

}  // namespace partir
