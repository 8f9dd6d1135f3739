#include "tools/search_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tools/simulation_json.h"
#include "tools/style.h"

namespace partir {

std::string time_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.2f} us", seconds * 1e6)
         : seconds < 1  ? fmt::format("{:.3f} ms", seconds * 1e3)
                        : fmt::format("{:.4f} s", seconds);
}

std::string cost_text(const PlanCost& cost) {
  return fmt::format("{}, peak {}{}", time_text(cost.seconds), bytes_text(cost.peak_bytes),
                     cost.fits ? "" : " (does not fit)");
}

ProgressLine::ProgressLine() : terminal_(rewrites_lines(stderr)) {}

ProgressLine::~ProgressLine() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::operator()(const SearchProgress& p) {
  const bool better = p.best.seconds != best_.seconds || p.best.needed_bytes != best_.needed_bytes;
  if (terminal_ ? p.seconds - last_ < 0.5 : !better || p.seconds - last_ < 1) return;
  last_ = p.seconds;
  best_ = p.best;
  fmt::print(stderr, "{}{:>7.1f} s  {:>6} evaluations ({:.1f}/s)  best {}  {}{}", terminal_ ? "\r\033[K" : "",
             p.seconds, p.evaluations, static_cast<double>(p.evaluations) / std::max(p.seconds, 1e-9),
             cost_text(p.best), p.phase, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace partir
