// Files are read whole and written whole or not at all. "-" is standard input, or standard output.
#pragma once

#include <string>

#include "support/diagnostic.h"

namespace partir {

/// The whole content of a file, or of standard input; or a diagnostic that names it.
Result<std::string> read_file(const std::string& path);

/// Writes through a temporary file beside the file that `path` names (behind symbolic links) and renames it; pipes and
/// devices are written to directly. What cannot be written to its last byte is an error.
Result<void> write_file(const std::string& path, const std::string& content);

/// Whether `write_file` could succeed, found out before any work is done.
Result<void> check_writable(const std::string& path);

/// Whether two paths name one file that exists, by whatever links.
bool same_file(const std::string& a, const std::string& b);

/// How a path is called in messages: "standard input" for "-".
std::string input_name(const std::string& path);

}  // namespace partir
