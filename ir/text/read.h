// Reading StableHLO text, as JAX prints it, and PartIR:Core text.
#pragma once

#include <string>
#include <string_view>

#include "ir/program.h"

namespace partir {

/// Reads a module and checks every operation. `file` is for diagnostics only. Linear in the text.
Result<Module> read_module(std::string_view text, const std::string& file);

}  // namespace partir
