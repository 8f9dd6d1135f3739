// The option tables: every command with its options, from which come parsing, --help, usage errors that say what is
// near, shell completion and the man page.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace partir {

struct Command {
  CLI::App* options;
  std::function<Result<int>()> run;  ///< the exit status
};

/// Adds all commands to the program's options. `json` gets the value of the command's --json.
std::vector<Command> add_commands(CLI::App& program, std::string& json, const std::string& command_line);

/// What is wrong with a command line that does not parse, with what is near: an option, a command, a choice.
Diagnostic usage_error(const CLI::App& program, const CLI::ParseError& error,
                       const std::vector<std::string>& arguments);

/// The file that --json names, also where the rest does not parse; empty: none.
std::string json_file_in(const std::vector<std::string>& arguments);

/// A completion script for "bash", "zsh" or "fish".
std::string completion_script(const CLI::App& program, const std::string& shell);

/// The man page partir(1), as roff.
std::string manual_page(const CLI::App& program);

}  // namespace partir
