// Names of arguments and results, for schedules: from a names file, else from the program's text.
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

/// "params['layers'][0].w" and "result[0]['w']" as paths: "params/layers/0/w", "0/w".
std::string normalized_path(std::string_view key_path);

/// `json` is the content of a names file ({"args": [{"name", "shape"}], "results": […]}) or nothing; `file` its path,
/// for diagnostics. Errors: JSON that does not read; a file of another program (numbers or shapes differ).
Result<Names> names_of(const Function& function, const std::optional<std::string>& json, const std::string& file);

/// Globs over paths: * within a part, ** across parts ("a/**" also matches "a"), [abc] one of these characters.
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace partir
