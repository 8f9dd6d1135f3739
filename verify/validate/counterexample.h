// Finds inputs on which a partitioned program differs from its source, by running both interpreters on drawn inputs.
// Only this makes validation answer `refuted`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "semantics/tensor.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

/// Inputs, and the first result at which the programs differ on them.
struct Counterexample {
  std::vector<LiteralPtr> inputs;
  std::int64_t device = 0;
  std::size_t result = 0;
  std::vector<std::int64_t> position;  ///< in the global result
  double expected = 0;
  double found = 0;
  std::string note;  ///< set instead of the numbers if the run fails, by a deadlock for example
};

constexpr std::size_t kTrials = 60;  ///< five inputs of each of the twelve kinds

/// Runs both programs on `trials` inputs of many kinds (reals, ties, zeros, indices out of range, extreme integers), in
/// double precision and in the programs' own arithmetic. Returns the first that shows a difference, or nothing.
std::optional<Counterexample> find_counterexample(const Function& source, const Function& partitioned,
                                                  const Layouts& layouts, std::uint64_t seed,
                                                  const std::function<bool()>& stop, std::size_t trials = kTrials);

}  // namespace partir::validate
