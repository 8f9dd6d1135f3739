// Arrays in NumPy's .npz: a zip of .npy files.
#pragma once

#include <map>
#include <string>

#include "ir/literal.h"
#include "support/diagnostic.h"

namespace partir {

/// Arrays by name ("in_0"). Errors: no zip, unknown element type, Fortran order, truncated data.
Result<std::map<std::string, LiteralPtr>> read_npz(const std::string& path);
Result<void> write_npz(const std::string& path, const std::map<std::string, LiteralPtr>& arrays);

}  // namespace partir
