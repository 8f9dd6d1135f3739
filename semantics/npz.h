// Arrays in NumPy's .npz: a zip of .npy files.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "ir/literal.h"
#include "support/diagnostic.h"

namespace partir {

/// Arrays by name ("in_0"). Errors: no zip, unknown element type, Fortran order, truncated data.
Result<std::map<std::string, LiteralPtr>> read_npz(const std::string& path);
/// The same of a file's content; `path` is for messages.
Result<std::map<std::string, LiteralPtr>> parse_npz(std::string_view content, const std::string& path);
/// One array in NumPy's .npy.
Result<LiteralPtr> parse_npy(std::span<const std::uint8_t> content, const std::string& name, const std::string& path);
Result<void> write_npz(const std::string& path, const std::map<std::string, LiteralPtr>& arrays);

}  // namespace partir
