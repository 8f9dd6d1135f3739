// Adds up the results of the cross-checks (Z3 and the replayer) over many proofs, for the summary that `partir prove`,
// `partir registry` and `partir check` print.
#pragma once

#include <fmt/format.h>

#include <string>

#include "verify/prove/prove.h"

namespace partir::prove {

class CrossCheckTally {
 public:
  void add(const Decision& v) {
    if (v.second) add(*v.second);
    if (v.replayed) add(*v.replayed);
    if (v.instances) add(*v.instances);
  }

  /// Returns one line for each cross-check that ran.
  [[nodiscard]] std::string text() const {
    std::string out;
    if (asked_)
      out += fmt::format("Z3 confirms {} of {} obligations of the proofs\n", second_.confirmed,
                         second_.confirmed + second_.open);
    if (instances_.equal + instances_.open != 0)
      out += fmt::format("Z3 confirms {} of {} small instances in full ({} of them for drawn integers)\n",
                         instances_.equal, instances_.equal + instances_.open, instances_.drawn);
    if (replayed_)
      out += fmt::format(
          "{} steps replayed ({} at which no instance has a value); {} results compared with the interpreter{}\n",
          replay_.steps, replay_.silent, replay_.compared,
          replay_.unmatched == 0 ? "" : fmt::format("; {} results too large to match", replay_.unmatched));
    return out;
  }

 private:
  void add(const SecondAnswers& a) {
    asked_ = true;
    second_.confirmed += a.confirmed;
    second_.open += a.open;
  }
  void add(const replay::Replay& r) {
    replayed_ = true;
    replay_.steps += r.steps;
    replay_.silent += r.silent;
    replay_.compared += r.compared;
    replay_.unmatched += r.unmatched;
  }

  void add(const SmallInstances& s) {
    instances_.equal += s.equal;
    instances_.open += s.open;
    instances_.drawn += s.drawn;
  }

  bool asked_ = false;
  bool replayed_ = false;
  SecondAnswers second_;
  SmallInstances instances_;
  replay::Replay replay_;
};

}  // namespace partir::prove
