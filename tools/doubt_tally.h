// What Z3 and the replayer said of many proofs.
#pragma once

#include <fmt/format.h>

#include <string>

#include "verify/prove/prove.h"

namespace partir {

class DoubtTally {
 public:
  void add(const prove::Verdict& v) {
    if (v.second) {
      asked_ = true;
      second_.confirmed += v.second->confirmed;
      second_.open += v.second->open;
    }
    if (v.replayed) {
      replayed_ = true;
      replay_.steps += v.replayed->steps;
      replay_.silent += v.replayed->silent;
      replay_.compared += v.replayed->compared;
      replay_.unmatched += v.replayed->unmatched;
    }
  }

  /// A line for each that was asked.
  [[nodiscard]] std::string text() const {
    std::string out;
    if (asked_)
      out += fmt::format("Z3 confirms {} of {} obligations of the proofs\n", second_.confirmed,
                         second_.confirmed + second_.open);
    if (replayed_)
      out += fmt::format(
          "{} steps replayed ({} at which no instance has a value); {} results compared with the interpreter{}\n",
          replay_.steps, replay_.silent, replay_.compared,
          replay_.unmatched == 0 ? "" : fmt::format("; {} results too large to match", replay_.unmatched));
    return out;
  }

 private:
  bool asked_ = false;
  bool replayed_ = false;
  prove::SecondAnswers second_;
  replay::Replay replay_;
};

}  // namespace partir
