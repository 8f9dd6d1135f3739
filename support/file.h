// Files are read whole and written whole or not at all.
#pragma once

#include <string>

#include "support/diagnostic.h"

namespace partir {

/// The whole content of a file, or a diagnostic that names it.
Result<std::string> read_file(const std::string& path);

/// Writes through a temporary file beside `path` and renames it; "-" is standard output.
Result<void> write_file(const std::string& path, const std::string& content);

/// Whether `write_file` could succeed, found out before any work is done.
Result<void> check_writable(const std::string& path);

}  // namespace partir
