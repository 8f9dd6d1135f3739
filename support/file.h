// Reads and writes complete files; a file is written completely or not at all. The path "-" denotes standard input or
// standard output.
#pragma once

#include <string>

#include "support/diagnostic.h"

namespace partir {

/// The content of a file or of standard input. Errors: a diagnostic that names the file.
Result<std::string> read_file(const std::string& path);

/// Writes a temporary file in the directory of the target (after resolving symbolic links) and renames it; pipes and
/// devices are written directly. Errors: content that could not be written completely.
Result<void> write_file(const std::string& path, const std::string& content);

/// Checks whether `write_file` can succeed, so that callers can report an error before doing any work.
Result<void> check_writable(const std::string& path);

/// True if two paths name the same existing file, after resolving links.
bool same_file(const std::string& a, const std::string& b);

/// The name of a path in messages: "standard input" for "-", otherwise the path.
std::string input_name(const std::string& path);

}  // namespace partir
