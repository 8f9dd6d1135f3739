// Time, which commands read and libraries are given.
#pragma once

#include <chrono>

namespace partir {

/// Seconds of a clock that never goes back.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace partir
