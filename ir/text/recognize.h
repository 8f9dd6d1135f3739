// What a text is that is no StableHLO: told apart before it is read, so that the message says what to do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace partir {

/// A text without a byte order mark.
std::string_view without_mark(std::string_view text);

/// For HLO text, a jaxpr, MLIR bytecode, compressed files, UTF-16, JSON, other binary data and empty text: what it is
/// and how to get StableHLO text. Nothing for what may be StableHLO text.
std::optional<Diagnostic> recognized_otherwise(std::string_view text, const std::string& file);

}  // namespace partir
