// Reads StableHLO text, as JAX prints it, and PartIR:Core text.
#pragma once

#include <string>
#include <string_view>

#include "ir/program.h"

namespace partir {

/// Parses a module and verifies every operation. `file` is used in diagnostics only. Takes time linear in the length of
/// the text.
Result<Module> read_module(std::string_view text, const std::string& file);

}  // namespace partir
