// Errors and the time limit of evaluation on elements.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace partir::validate {

/// Thrown if evaluation cannot decide; the verdict is then unknown.
struct Unknown {
  std::string reason;
};

/// Thrown if a function has more cases than are followed. It may be taken as an unknown one instead.
struct TooManyCases : Unknown {};

/// Polls a clock once every few thousand steps. Loops report the steps that they take.
class TimeLimit {
 public:
  /// `is_up` returns true once time is up. If it is null, there is no limit.
  explicit TimeLimit(std::function<bool()> is_up) : is_up_(std::move(is_up)) {}

  /// Counts steps; a step is about one operation on one or two elements. Throws Unknown once time is up.
  void spend(std::size_t steps) {
    spent_ += steps;
    if (spent_ < kStepsBetween) return;
    spent_ = 0;
    if (is_up_ && is_up_()) throw Unknown{"out of time"};
  }

 private:
  static constexpr std::size_t kStepsBetween = 4096;

  std::function<bool()> is_up_;
  std::size_t spent_ = 0;
};

}  // namespace partir::validate
