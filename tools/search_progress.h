// What a search shows while it runs.
#pragma once

#include <string>

#include "search/search.h"

namespace partir {

/// "442.36 us", "12.5 ms", "1.2 s" with enough digits to tell plans apart.
std::string time_text(double seconds);
/// "442.36 us, peak 0.054 GB (does not fit)".
std::string cost_text(const PlanCost& cost);

/// Progress on standard error: one line that changes on a terminal; elsewhere a line for a better plan, at most one a
/// second.
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
