// Checks a proof with code that is independent of the prover: at small instances, both sides of every step must be
// equal; the forms that both programs were brought to must be the same, and must evaluate to what the interpreter
// computes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify/replay/evaluate.h"
#include "verify/replay/proof.h"

namespace partir::replay {

/// An instance, and the program's results there.
struct Trial {
  Instance instance;
  /// Returns an element of a result of the left side, computed by the interpreter; nothing if it is not known.
  std::function<std::optional<Number>(std::size_t result, const std::vector<std::int64_t>& at)> wanted;
};

struct Replay {
  std::size_t steps = 0;
  std::size_t silent = 0;     ///< number of steps that have a value at no instance
  std::size_t unmatched = 0;  ///< number of results whose two forms are too large to match
  std::size_t compared = 0;   ///< number of result elements compared with the interpreter's
  std::string defect;         ///< description of an error; empty if there is none
};

Replay replay(const Proof& proof, const std::vector<Trial>& trials);

}  // namespace partir::replay
