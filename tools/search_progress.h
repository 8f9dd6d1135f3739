// Displays the progress of a search on standard error, and formats costs.
#pragma once

#include <string>

#include "search/search.h"

namespace partir {

/// Formats seconds with enough digits to distinguish plans: "442.36 us", "12.500 ms", "1.2000 s".
std::string time_text(double seconds);
/// Example: "442.36 us, peak 0.054 GB (does not fit)".
std::string cost_text(const PlanCost& cost);

/// Progress on standard error. On a terminal, one line that is updated in place; otherwise a new line for each better
/// plan, at most one per second.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void operator()(const SearchProgress& progress);

 private:
  bool terminal_;
  double last_ = 0;
  PlanCost best_;
};

}  // namespace partir
