// What an evaluation cannot say, time running out among it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace partir::validate {

/// What an evaluation cannot say; the verdict is then unknown.
struct Unknown {
  std::string reason;
};

/// Whether time is up, asked once for some thousand steps: whatever takes steps in a loop says how many.
class TimeLimit {
 public:
  /// `is_up` may be null: then there is no limit.
  explicit TimeLimit(std::function<bool()> is_up) : is_up_(std::move(is_up)) {}

  /// A step is about an operation on one or two elements. Throws Unknown.
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
