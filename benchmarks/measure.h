// Clock and statistics shared by the benchmarks that measure within their own process.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

namespace partir::benchmarks {

/// Seconds of processor time of this single-threaded process, which other load on the machine hardly affects.
inline double processor_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// The quantile of `values` at `share`, from 0 (minimum) to 1 (maximum); 0 if there are no values.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace partir::benchmarks
