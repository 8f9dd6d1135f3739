// Reads and writes arrays in NumPy's .npz format, a zip archive of .npy files.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "ir/literal.h"
#include "support/diagnostic.h"

namespace partir {

/// Reads arrays by name ("in_0"). Errors: not a zip archive, an unknown element type, Fortran order, truncated data.
Result<std::map<std::string, LiteralPtr>> read_npz(const std::string& path);
/// As read_npz, from the content of a file; `path` is used in messages.
Result<std::map<std::string, LiteralPtr>> parse_npz(std::string_view content, const std::string& path);
/// Reads one array in NumPy's .npy format.
Result<LiteralPtr> parse_npy(std::span<const std::uint8_t> content, const std::string& name, const std::string& path);
Result<void> write_npz(const std::string& path, const std::map<std::string, LiteralPtr>& arrays);

}  // namespace partir
