// Z3's answer to what a proof relied on about indices. It shares the terms with the normaliser and nothing of how that
// decides about them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/prove/poly.h"

namespace partir::prove {

struct SecondAnswers {
  std::size_t confirmed = 0;
  std::size_t open = 0;      ///< Z3 gave no answer within its resources
  std::string disagreement;  ///< an obligation that fails, with numbers; empty if none
};

/// Asks Z3 about obligations. One context and solver for all questions: a fresh one costs milliseconds.
class SecondAnswerer {
 public:
  SecondAnswerer();
  ~SecondAnswerer();
  SecondAnswerer(const SecondAnswerer&) = delete;
  SecondAnswerer& operator=(const SecondAnswerer&) = delete;

  /// Sizes are at least 1, ranges below their extents. A disagreement is reported only with numbers at which the
  /// obligation fails, evaluated here.
  SecondAnswers ask(const std::vector<Obligation>& obligations, Context& c);

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace partir::prove
