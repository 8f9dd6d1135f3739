// Attacks on what was proved: exact evaluation, in the arithmetic that the proof's scope speaks of.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/prove.h"

namespace partir::hunt {

/// A case in which a proved claim fails, as text; nothing where none was found.
std::optional<std::string> attacked(const prove::Claim& claim, const prove::Verdict& proved, std::uint64_t seed);

}  // namespace partir::hunt
