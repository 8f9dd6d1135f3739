// Cross-checks with Z3 the facts about indices on which a proof relies (Obligation). Z3 gets the same terms as the
// normaliser, but none of its decision procedures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/prove/poly.h"

namespace partir::prove {

struct SecondAnswers {
  std::size_t confirmed = 0;
  std::size_t open = 0;      ///< Z3 gave no definite answer within its resources
  std::string disagreement;  ///< a failing obligation, with numbers; empty if none
};

/// Checks obligations with Z3. One context and solver serve all questions, since creating one costs milliseconds.
class SecondAnswerer {
 public:
  SecondAnswerer();
  ~SecondAnswerer();
  SecondAnswerer(const SecondAnswerer&) = delete;
  SecondAnswerer& operator=(const SecondAnswerer&) = delete;

  /// Checks the obligations for all sizes of at least 1 and all ranges below their extents. A disagreement is reported
  /// only with numbers at which the obligation evaluates to false.
  SecondAnswers ask(const std::vector<Obligation>& obligations, Context& c);

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace partir::prove
