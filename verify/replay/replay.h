// Checks a proof without the code that found it: every step has equal sides at small instances, and the forms that both
// programs were brought to are one form and have the values that the interpreter gives.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify/replay/evaluate.h"
#include "verify/replay/proof.h"

namespace partir::replay {

/// An instance, and what the program has there.
struct Trial {
  Instance instance;
  /// The element of a result of the left side by the interpreter; nothing where it is not known.
  std::function<std::optional<Number>(std::size_t result, const std::vector<std::int64_t>& at)> wanted;
};

struct Replay {
  std::size_t steps = 0;
  std::size_t silent = 0;     ///< of the steps, at which no instance says anything
  std::size_t unmatched = 0;  ///< results whose two forms are too large to match
  std::size_t compared = 0;   ///< elements of results with the interpreter's
  std::string defect;         ///< what is wrong; empty if nothing
};

Replay replay(const Proof& proof, const std::vector<Trial>& trials);

}  // namespace partir::replay
