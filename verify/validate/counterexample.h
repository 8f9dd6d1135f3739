// Inputs on which two programs differ, found by running both, and replayed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "semantics/tensor.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

struct Counterexample {
  std::vector<LiteralPtr> inputs;
  std::int64_t device = 0;
  std::size_t result = 0;
  std::vector<std::int64_t> position;  ///< in the global result
  double expected = 0;
  double found = 0;
  std::string note;  ///< where it is no number that differs: a deadlock, a run that fails
};

constexpr std::size_t kTrials = 55;

/// Runs both programs on this many inputs of many kinds (reals, ties, zeros, indices out of range, extreme integers),
/// in double precision and in the programs' own arithmetic; nothing where none shows a difference.
std::optional<Counterexample> find_counterexample(const Function& source, const Function& partitioned,
                                                  const Layouts& layouts, std::uint64_t seed,
                                                  const std::function<bool()>& stop, std::size_t trials = kTrials);

}  // namespace partir::validate
