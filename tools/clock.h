// The clock of the command line tools. Libraries do not read the time themselves; they are passed a clock.
#pragma once

#include <chrono>

namespace partir {

/// Seconds of a monotonic clock with an arbitrary origin.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace partir
