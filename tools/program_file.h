// A program and its names as commands take them: files.
#pragma once

#include <optional>
#include <string>

#include "driver/session.h"

namespace partir {

/// `names`: a names file, else NAME.json beside the program where there is one.
Result<ProgramInput> read_program(const std::string& program, const std::optional<std::string>& names);

}  // namespace partir
