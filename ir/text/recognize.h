// Recognises inputs that are not StableHLO text before they are parsed, so that the message can say how to obtain it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace partir {

/// The text without a leading UTF-8 byte order mark.
std::string_view without_mark(std::string_view text);

/// Returns a diagnostic for HLO text, a jaxpr, MLIR bytecode, compressed files, UTF-16, JSON, other binary data and
/// empty text, which states what the input is and how to get StableHLO text. nullopt if the text may be StableHLO.
std::optional<Diagnostic> recognized_otherwise(std::string_view text, const std::string& file);

}  // namespace partir
