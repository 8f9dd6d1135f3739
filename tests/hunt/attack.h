// Attacks on what the prover proved, by exact evaluation in the arithmetic that the proof's scope states.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/prove.h"

namespace partir::hunt {

/// Returns a case in which a proved claim fails, as text, or nothing if none was found.
std::optional<std::string> attacked(const prove::Claim& claim, const prove::Decision& proved, std::uint64_t seed);

}  // namespace partir::hunt
