// The option tables: all commands with their options. Parsing, --help, usage errors with suggestions, shell completion
// and the man page are derived from them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "support/diagnostic.h"
#include "tools/exit_status.h"

namespace partir {

struct Command {
  CLI::App* options;
  std::function<Result<ExitStatus>()> run;
};

/// Adds all commands to the program. `json` is set to the value of the command's --json.
std::vector<Command> add_commands(CLI::App& program, std::string& json, const std::string& command_line);

/// Explains why a command line does not parse, and suggests the nearest option, command or choice.
Diagnostic usage_error(const CLI::App& program, const CLI::ParseError& error,
                       const std::vector<std::string>& arguments);

/// The value of --json, even if the rest of the command line does not parse; empty if there is none.
std::string json_file_in(const std::vector<std::string>& arguments);

/// Returns the completion script for "bash", "zsh" or "fish".
std::string completion_script(const CLI::App& program, const std::string& shell);

/// Returns the man page partir(1), as roff.
std::string manual_page(const CLI::App& program);

}  // namespace partir
