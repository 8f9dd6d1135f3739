// Names of arguments and results for schedules, taken from a names file or else from the program, and the globs that
// schedules match against them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace partir {

struct Names {
  std::vector<std::string> arguments;
  std::vector<std::string> results;
};

/// Converts JAX key paths to slash-separated paths: "params['layers'][0].w" gives "params/layers/0/w", "result[0]['w']"
/// gives "0/w".
std::string normalized_path(std::string_view key_path);

/// `json` is the content of a names file ({"args": [{"name", "shape"}], "results": […]}), if there is one; `file` is
/// its path, for diagnostics. Errors: invalid JSON; a names file of another program (numbers or shapes differ).
Result<Names> names_of(const Function& function, const std::optional<std::string>& json, const std::string& file);

/// Matches a path against a glob: * within a part, ** across parts ("a/**" also matches "a"), [abc] one of these
/// characters.
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace partir
