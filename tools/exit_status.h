// The exit statuses of all commands, decided in one place.
#pragma once

#include <algorithm>

#include "support/diagnostic.h"
#include "verify/verdict.h"

namespace partir {

/// Ordered by precedence: a command with several outcomes exits with the last of them.
enum class ExitStatus : unsigned char {
  done,       ///< 0: done, or it holds
  unknown,    ///< 3: unknown, unsupported, or out of time
  bad_input,  ///< 2: invalid input or usage
  refuted,    ///< 1: refuted, results differ, or an asserted limit is exceeded
  defect,     ///< 70: a defect of ours
};

constexpr int number_of(ExitStatus status) {
  constexpr int numbers[] = {0, 3, 2, 1, 70};
  return numbers[static_cast<unsigned>(status)];
}

/// A check that passed at a narrower scope than all inputs, or was skipped on request, is not a failure.
constexpr ExitStatus exit_status_of(Verdict v) {
  return v == Verdict::refuted ? ExitStatus::refuted : v == Verdict::unknown ? ExitStatus::unknown : ExitStatus::done;
}

inline ExitStatus exit_status_of(const Diagnostic& d) {
  if (d.code == "unsupported") return ExitStatus::unknown;
  return d.code == "replicas" || d.code == "deadlock" ? ExitStatus::refuted : ExitStatus::bad_input;
}

constexpr ExitStatus either(ExitStatus a, ExitStatus b) { return std::max(a, b); }

}  // namespace partir
